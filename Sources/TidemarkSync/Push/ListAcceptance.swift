import TidemarkRemote
import TidemarkStore

/// What a service accepts in one list, as the outcomes of this run show.
///
/// A wrong path or wrong permissions must not reject the whole outbox: after some rejections
/// without a success between them, the list is given up for this run.
struct ListAcceptance: Sendable {
    /// After how many rejections in succession the list is given up.
    private let limit: Int

    /// The rejections since the last success.
    private var rejections = 0

    /// Whether a change was accepted.
    private(set) var hasAccepted = false

    /// The number of changes that were sent and whose outcomes are unknown.
    private var inFlight = 0

    /// The objects in succession that could not be read before they were changed.
    private var unread = 0

    /// The most changes in one request, as far as the service has shown.
    ///
    /// No more than the rejections after which the list is given up.
    private var batchLimit: Int

    init(limit: Int) {
        self.limit = max(1, limit)
        batchLimit = self.limit
    }

    /// Whether no more changes are sent to the list in this run.
    var isGivenUp: Bool { max(rejections, unread) >= limit }

    /// Why no more changes are sent to a list that was given up.
    var error: RemoteError {
        RemoteError(
            .clientError,
            "The service has rejected \(limit) changes in succession.",
            hint: "Correct them, or the path of the list. The others were not sent."
        )
    }

    /// Takes the changes that are sent next, in one request, from those of the list.
    ///
    /// No more are in flight than the list may still reject: what is sent while a rejection is
    /// unknown may be rejected as well.
    ///
    /// - Parameter changes: The changes that are left.
    /// - Returns: The request.
    mutating func next(of changes: inout FrozenChanges) -> NextRequest<FrozenBatch> {
        guard !isGivenUp else { return .none }
        let size = changes.nextBatchSize(upTo: batchLimit)
        guard size > 0 else { return .none }
        var most = size
        if !hasAccepted || rejections > 0 {
            most = min(size, limit - rejections - inFlight)
            guard most == size || inFlight == 0 else { return .waiting }
        }
        inFlight += most
        return .ready(changes.removeFirst(most))
    }

    /// Records the results of a request, and returns what they mean for the requests after it.
    ///
    /// - Parameter sent: The request.
    /// - Returns: The verdict.
    mutating func verdict(on sent: SentBatch) -> RequestVerdict {
        inFlight -= sent.batch.changes.count
        if sent.isTooLarge { batchLimit = max(1, min(batchLimit, sent.batch.changes.count / 2)) }
        var isStopped = false
        var failure: RemoteError?
        var hasWorked = sent.results.isEmpty
        for result in sent.results {
            switch result.consequence {
            case .end(let error): return .end(error)
            case .stop: isStopped = true
            case .failed(let error): failure = error
            case .rejected:
                rejections += 1
                hasWorked = true
            case .accepted:
                rejections = 0
                hasAccepted = true
                hasWorked = true
            case .none: hasWorked = true
            }
        }
        if isStopped || isGivenUp { return .stop }
        if let failure, !hasWorked { return .failed(failure) }
        return .next(atMost: .max)
    }

    /// Records that an object was read before it is changed, or could not be.
    ///
    /// - Parameters:
    ///   - result: The object.
    ///   - kind: The change.
    /// - Returns: The verdict.
    mutating func verdict(
        onReading result: Result<ReadObject, any Error>,
        for kind: CapturedChange.Kind
    ) -> RequestVerdict {
        switch result {
        case .success(.found): unread = 0
        // An object that is missing is what a deletion wants, and a creation expects.
        case .success(.missing): if kind == .update { unread += 1 }
        case .failure(let error):
            let consequence = ReadConsequence(error)
            guard consequence == .next else { return consequence.verdict(after: error) }
            unread += 1
        }
        if isGivenUp { return .stop }
        return .next(atMost: unread == 0 ? .max : limit - unread)
    }
}

/// What a failure to read means for the requests after it.
enum ReadConsequence {
    /// Nothing: it is about one object.
    case next
    /// The service has not responded, or has failed.
    case failed
    /// What is at the path of the list is not the service.
    case stop
    /// The service cannot be reached, or rejects the credentials.
    case end

    init(_ error: any Error) {
        guard let error = error as? RemoteError else {
            self = error is CancellationError ? .end : .next
            return
        }
        switch error.code {
        case .unreachable, .tlsFailed, .invalidRequest: self = .end
        case .unauthorized where error.status == 401: self = .end
        // Without a status, a pause is not over that the service had requested.
        case .rateLimited where error.status == nil: self = .end
        case .connectionFailed, .timedOut, .truncated, .serverError, .rateLimited: self = .failed
        case .notJSON, .redirectRejected: self = .stop
        default: self = .next
        }
    }

    /// Returns the verdict after an error with this consequence.
    func verdict(after error: any Error) -> RequestVerdict {
        let error = error as? RemoteError
        switch self {
        case .next: return .next(atMost: 1)
        case .failed: return error.map { .failed($0) } ?? .next(atMost: 1)
        case .stop: return .stop
        case .end: return .end(error)
        }
    }
}

extension SentChange {
    /// What an outcome means for the changes after it.
    fileprivate enum Consequence {
        /// Nothing.
        case none
        /// The list accepts changes.
        case accepted
        case rejected
        /// The service has not responded, or has failed.
        case failed(RemoteError)
        /// The list accepts none.
        case stop
        /// The service accepts none.
        case end(RemoteError?)
    }

    fileprivate var consequence: Consequence {
        switch result {
        case .failure(let error):
            guard let error = error as? RemoteError else { return .end(nil) }
            if error.code == .unreachable { return .end(error) }
            return error.excludesEffect ? .stop : .failed(error)
        case .success(.denied(.credentials)): return .end(nil)
        case .success(.denied): return .stop
        case .success(.rejected(let errors)):
            let isSentAgain = frozen.secondAttempt(after: errors, status: status) != nil
            return isSentAgain ? .none : .rejected
        // A deletion of what does not exist proves nothing about the path.
        case .success(.missing): return frozen.change.kind == .delete ? .none : .rejected
        case .success(.accepted), .success(.uncertain(.duplicate)): return .none
        // Reading the object decides whether the list accepts changes.
        case .success(.contradictory): return .none
        case .success(.postponed) where status == 423: return .none
        case .success(.postponed), .success(.uncertain):
            let text = status.map { " (\($0))" } ?? ""
            return .failed(
                RemoteError(
                    .serverError,
                    "The service fails, or does not respond\(text).",
                    hint: "The changes that were not sent are sent by the next push.",
                    status: status
                )
            )
        case .success(.applied), .success(.exists), .success(.stale): return .accepted
        }
    }
}
