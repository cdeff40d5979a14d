import HTTPTypes
import Synchronization
import TidemarkRemote

/// A transport whose network can be disconnected.
final class SwitchableTransport: Transport {
    private struct State {
        var isConnected = true
        var requests = 0
    }

    private let base: any Transport
    private let state = Mutex(State())

    init(_ base: some Transport) { self.base = base }

    /// The number of requests, including those that failed.
    var requests: Int { state.withLock { $0.requests } }

    func disconnect() { state.withLock { $0.isConnected = false } }

    func connect() { state.withLock { $0.isConnected = true } }

    /// Counts from zero again.
    func reset() { state.withLock { $0.requests = 0 } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isConnected = state.withLock { state in
            state.requests += 1
            return state.isConnected
        }
        guard isConnected else { throw RemoteError(.unreachable, "There is no network.") }
        return try await base.send(request, body: body)
    }
}
