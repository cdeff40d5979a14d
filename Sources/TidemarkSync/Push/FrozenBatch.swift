import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

/// Changes of one list whose requests are stored, and that are sent in one request.
struct FrozenBatch: Sendable {
    /// The changes; at least one.
    let changes: [FrozenChange]

    /// Sends the changes once.
    func send(by run: RunContext) async -> SentBatch {
        guard changes.count > 1, let batch = changes[0].style.batch else {
            var results: [SentChange] = []
            for change in changes { results.append(await change.send(by: run)) }
            return SentBatch(batch: self, results: results)
        }
        do {
            switch try await run.remote.write(changes.map(\.write), in: batch) {
            case .tooLarge: return SentBatch(batch: self, results: [], isTooLarge: true)
            case .whole(let response):
                return sent { change in
                    let outcome = WriteOutcome(toBatch: response, style: change.style)
                    return (.success(outcome), response.status.code)
                }
            case .members(let responses):
                let results = zip(changes, responses).map { change, response in
                    SentChange(
                        frozen: change,
                        result: .success(
                            response.map(change.outcome(of:)) ?? .uncertain(.noResponse)
                        ),
                        status: response?.status.code
                    )
                }
                return SentBatch(batch: self, results: results)
            }
        } catch {
            return sent { _ in (.failure(error), nil) }
        }
    }

    private func sent(
        _ result: (FrozenChange) -> (Result<WriteOutcome, any Error>, Int?)
    ) -> SentBatch {
        let results = changes.map { change in
            let (result, status) = result(change)
            return SentChange(frozen: change, result: result, status: status)
        }
        return SentBatch(batch: self, results: results)
    }
}

/// Changes of one list that are left to send.
struct FrozenChanges {
    /// Those that are sent one by one.
    private var single: ArraySlice<FrozenChange>

    /// Those that may be sent together.
    private var batched: ArraySlice<FrozenChange>

    /// - Parameter changes: The changes, which do not depend on each other.
    init(_ changes: [FrozenChange]) {
        single = changes.filter { !$0.mayBeBatched }[...]
        batched = changes.filter(\.mayBeBatched)[...]
    }

    /// Returns the size of the next request.
    ///
    /// - Parameter limit: The most changes in one request, apart from the limit of the service.
    /// - Returns: The number of changes; 0 if none is left.
    func nextBatchSize(upTo limit: Int) -> Int {
        if !single.isEmpty { return 1 }
        guard let batch = batched.first?.style.batch else { return 0 }
        return max(1, min(batch.limit, limit, batched.count))
    }

    /// Takes changes for one request.
    ///
    /// - Parameter count: Their number, at most the size of the next batch.
    /// - Returns: The changes.
    mutating func removeFirst(_ count: Int) -> FrozenBatch {
        guard single.isEmpty else { return FrozenBatch(changes: [single.removeFirst()]) }
        defer { batched.removeFirst(count) }
        return FrozenBatch(changes: Array(batched.prefix(count)))
    }

    /// Returns changes that were taken.
    mutating func insert(_ batch: FrozenBatch) {
        batched.insert(contentsOf: batch.changes, at: batched.startIndex)
    }
}

/// A request with what came back.
struct SentBatch: Sendable {
    let batch: FrozenBatch

    /// The results of the changes; empty if none was processed.
    let results: [SentChange]

    /// Whether the service accepts fewer changes in one request.
    var isTooLarge = false
}

/// What earlier requests of a run mean for the next one of the same change.
struct EarlierRequests: Sendable {
    /// Whether its version has failed before, although the object is unchanged, and is left out.
    var showsFailingVersion = false

    /// Whether the same request was answered before that the object has changed, and it has not.
    var isRepeated = false

    /// The second attempt that the request is, with references in another form; nil for the first.
    var references: ReferenceForms.Attempt?
}

/// A change whose request is stored.
///
/// A class, because it is passed on several times.
final class FrozenChange: Sendable {
    let change: CapturedChange
    let request: StoredRequest

    /// The URL that the request is sent to, without secrets.
    let url: URL

    /// What its response is compared with.
    let expectation: WriteExpectation

    /// What earlier requests of the run mean for it.
    let earlier: EarlierRequests

    init(
        change: CapturedChange,
        request: StoredRequest,
        url: URL,
        expectation: WriteExpectation,
        earlier: EarlierRequests
    ) {
        self.change = change
        self.request = request
        self.url = url
        self.expectation = expectation
        self.earlier = earlier
    }

    var resource: RemoteResource { expectation.shared.resource }
    var style: PushStyle { resource.push }

    /// Whether it may be sent together with others.
    ///
    /// The response to a batch may be lost like any other. Its creations then have to be found
    /// without a header field, which services do not read in a member of a batch.
    fileprivate var mayBeBatched: Bool {
        guard style.batch != nil else { return false }
        guard change.kind == .create, style.key == .service else { return true }
        return switch style.reconcile {
        case .key, .query, .list: true
        case .none, .resend: false
        }
    }

    /// The request, as it is sent.
    fileprivate var write: WriteRequest {
        var write = WriteRequest(.init(request.method) ?? .post, url: url)
        write.body = request.body
        write.condition = request.condition
        write.idempotencyKey = request.idempotencyKey
        write.contentType = style.mediaType(for: .init(change.kind))
        return write
    }

    /// Returns what a response means.
    fileprivate func outcome(of response: WriteResponse) -> WriteOutcome {
        do {
            return try WriteOutcome(response, to: expectation)
        } catch {
            // An object that exceeds the limits cannot be read.
            return .uncertain(.foreign)
        }
    }

    /// Sends the request once.
    fileprivate func send(by run: RunContext) async -> SentChange {
        do {
            let response = try await run.remote.write(write, style: style)
            return SentChange(
                frozen: self,
                result: .success(outcome(of: response)),
                status: response.status.code
            )
        } catch {
            return SentChange(frozen: self, result: .failure(error), status: nil)
        }
    }
}

/// A change whose request was sent, with what came back.
struct SentChange: Sendable {
    let frozen: FrozenChange
    let result: Result<WriteOutcome, any Error>

    /// The status of the response; nil without one.
    let status: Int?

    /// Why the request was not sent at all; nil if it was.
    var obstacle: RequestNotStarted? {
        if case .failure(let error) = result { error as? RequestNotStarted } else { nil }
    }

    /// Whether the task was cancelled while the request was sent.
    var isCancelled: Bool {
        if case .failure(let error) = result { error is CancellationError } else { false }
    }
}
