import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A transport that caches responses and returns each of them once more.
///
/// A model is inferred from the first pages of a list. The pull that follows reads these pages from
/// the cache, so they are requested only once.
struct RememberingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let state = Locked(State())

    private struct State {
        var responses: [String: TransportResponse] = [:]
        var bytes = 0
        var isRemembering = true
    }

    /// The size limits in bytes: of one response, and of all responses together.
    private static var responseBytes: Int { 8 << 20 }
    private static var allBytes: Int { 64 << 20 }

    init(_ wrapped: Wrapped) {
        self.wrapped = wrapped
    }

    /// Stops caching.
    ///
    /// From now on, each cached response is returned once more and then removed.
    func finishRemembering() {
        state.withLock { $0.isRemembering = false }
    }

    /// Removes the cached responses, so that each request is sent.
    ///
    /// A verb that pushes before it pulls calls this: what was read before a change may be out of
    /// date after it.
    func forget() {
        state.withLock { state in
            state.isRemembering = false
            state.responses = [:]
            state.bytes = 0
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard request.method == .get, let url = request.url?.absoluteString else {
            return try await wrapped.send(request, body: body)
        }
        if let response = remembered(request, at: url) { return response }
        let response = try await wrapped.send(request, body: body)
        guard state.withLock({ $0.isRemembering }), response.head.status.code < 400 else {
            return response
        }
        let read = try await response.buffered(upTo: Self.responseBytes)
        remember(read, at: url)
        return read
    }

    private func remembered(_ request: HTTPRequest, at url: String) -> TransportResponse? {
        let isConditional =
            request.headerFields[.ifNoneMatch] != nil
            || request.headerFields[.ifModifiedSince] != nil
        return state.withLock { state in
            guard !isConditional, let response = state.responses[url] else { return nil }
            if !state.isRemembering { state.responses[url] = nil }
            return response
        }
    }

    private func remember(_ response: TransportResponse, at url: String) {
        guard let length = response.body.wholeLength else { return }
        state.withLock { state in
            guard state.bytes + length <= Self.allBytes else { return }
            state.bytes += length
            state.responses[url] = response
        }
    }
}
