import TidemarkRemote

/// Whether the service responds, as the requests of one run show.
///
/// Until it has responded, requests are sent one at a time, and none is repeated: while the service
/// is down, a run costs one request, however many changes there are.
struct ServiceAvailability: Sendable {
    /// Whether the service has responded in this run.
    private(set) var hasResponded = false

    /// The requests in succession that have failed.
    private var failures = 0

    /// Whether no more requests are sent in this run.
    private(set) var isEnded = false

    /// Why requests fail; nil if the last ones did not.
    private(set) var failure: RemoteError?

    /// After how many failures in succession the others are left for later.
    ///
    /// One request may fail because of its object, so that others have to be tried.
    private static let failureLimit = 3

    /// Whether the service is down: it has not responded in this run.
    var isOutage: Bool { isEnded && !hasResponded }

    /// Whether so many requests have failed in succession that one more ends the run.
    var isDoubtful: Bool { failures >= Self.failureLimit }

    mutating func countSuccess() {
        hasResponded = true
        failures = 0
        failure = nil
    }

    mutating func countFailure(_ error: RemoteError) {
        failures += 1
        if isDoubtful { failure = error }
        if !hasResponded, error.isOutage { end(because: error) }
    }

    /// Sends no more requests in this run.
    mutating func end(because error: RemoteError?) {
        isEnded = true
        failure = error ?? failure
    }
}

extension RemoteError {
    /// Whether nothing shows that the service itself has seen the request.
    fileprivate var isOutage: Bool {
        switch status {
        case let status?: [502, 503, 504].contains(status)
        case nil: true
        }
    }
}
