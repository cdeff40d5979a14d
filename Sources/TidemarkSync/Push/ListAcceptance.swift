import TidemarkRemote

/// What a service accepts in one list, as the outcomes of this run show.
///
/// A wrong path or wrong permissions must not reject the whole outbox: after some rejections
/// without a success between them, the list is given up for this run.
struct ListAcceptance: Sendable {
    /// The rejections since the last success.
    private var rejections = 0

    /// The most changes in one request.
    ///
    /// No more than the rejections after which the list is given up.
    private(set) var batchLimit = Self.limit

    /// After how many rejections in succession a list is given up.
    static let limit = 25

    /// Whether no more changes are sent to the list in this run.
    var isGivenUp: Bool { rejections >= Self.limit }

    /// Why no more changes are sent to a list that was given up.
    static let error = RemoteError(
        .clientError,
        "The service has rejected \(limit) changes in succession.",
        hint: "Correct them, or the path of the list. The others were not sent."
    )

    /// Records the results of a request, and returns what they mean for the requests after it.
    ///
    /// - Parameters:
    ///   - sent: The request.
    ///   - limit: The most requests at a time.
    /// - Returns: The verdict.
    mutating func verdict(on sent: SentBatch, limit: Int) -> ConcurrentRequests.Verdict {
        if sent.isTooLarge { batchLimit = max(1, min(batchLimit, sent.batch.changes.count / 2)) }
        var isStopped = false
        for result in sent.results.map(\.result) {
            switch result {
            case .failure(let error):
                if error is CancellationError { return .end }
                if (error as? RemoteError)?.code == .unreachable { return .end }
            case .success(.denied(.credentials)): return .end
            case .success(.denied): isStopped = true
            case .success(.rejected): rejections += 1
            case .success: rejections = 0
            }
        }
        if isStopped || isGivenUp { return .stop }
        // What is being sent while a rejection is unknown may be rejected as well.
        let allowance = (Self.limit - rejections) / sent.batch.changes.count
        return .next(atMost: rejections == 0 ? limit : max(1, min(limit, allowance)))
    }
}
