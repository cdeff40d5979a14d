import TidemarkModel
import TidemarkRemote

/// The requests of one run, several at a time.
///
/// Until the service has responded, they are sent one at a time, and none is repeated: while the
/// service is down, a run costs one request, however many changes there are.
struct ConcurrentRequests: Sendable {
    /// The most requests at a time.
    let limit: Int

    /// Whether the service has responded in this run.
    private var hasResponded = false

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

    init(limit: Int) { self.limit = max(1, limit) }

    /// What a result means for the requests after it.
    enum Verdict {
        /// At most so many requests may be sent until the next verdict.
        case next(atMost: Int)
        /// The service has not responded, or has failed: so it may with other requests.
        case failed(RemoteError)
        /// No more requests of the same list are sent.
        case stop
        /// No more requests are sent in this run: the service cannot be reached.
        case end(RemoteError?)
    }

    /// Sends requests.
    ///
    /// - Parameters:
    ///   - elements: What the requests are about.
    ///   - send: Sends the request for an element, as often as the second argument says if it only
    ///     reads.
    ///   - judge: Called with each result, one after the other.
    /// - Returns: The results, without those of requests that were not sent.
    mutating func perform<Element: Sendable, Value: Sendable>(
        _ elements: [Element],
        _ send: @escaping @Sendable (Element, Remote.Attempts) async -> Value,
        judge: (Value) -> Verdict
    ) async -> [Value] {
        guard !isEnded else { return [] }
        var requests = self
        var allowed = hasResponded ? limit : 1
        var values: [Value] = []
        var isStopped = false
        // What is sent now is the last attempt to find that the service still works.
        var isLast = failures >= Self.failureLimit
        await withTaskGroup(of: Value.self) { group in
            var waiting = elements[...]
            var running = 0
            func sendNext() {
                while !isStopped, !requests.isEnded, running < allowed,
                    let element = waiting.popFirst()
                {
                    running += 1
                    let attempts = requests.hasResponded ? Remote.Attempts.several : .one
                    group.addTask { await send(element, attempts) }
                }
            }
            sendNext()
            while let value = await group.next() {
                running -= 1
                values.append(value)
                switch judge(value) {
                case .next(let most):
                    requests.countSuccess()
                    isLast = false
                    allowed = min(requests.limit, most)
                case .failed(let error):
                    requests.countFailure(error)
                    if isLast { requests.end(because: error) }
                    isStopped = isStopped || requests.failures >= Self.failureLimit
                    allowed = 1
                case .stop: isStopped = true
                case .end(let error): requests.end(because: error)
                }
                sendNext()
            }
        }
        self = requests
        return values
    }

    private mutating func countSuccess() {
        hasResponded = true
        failures = 0
        failure = nil
    }

    private mutating func countFailure(_ error: RemoteError) {
        failures += 1
        if failures >= Self.failureLimit { failure = error }
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
