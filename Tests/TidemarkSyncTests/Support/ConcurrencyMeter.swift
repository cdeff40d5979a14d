import HTTPTypes
import Synchronization
import TidemarkRemote

/// A transport that counts concurrent requests.
final class ConcurrencyMeter: Transport {
    private struct State {
        var now = 0
        var maximum = 0
    }

    private let base: any Transport
    private let state = Mutex(State())

    init(_ base: any Transport) {
        self.base = base
    }

    var maximum: Int { state.withLock { $0.maximum } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        state.withLock { state in
            state.now += 1
            state.maximum = max(state.maximum, state.now)
        }
        defer { state.withLock { $0.now -= 1 } }
        for _ in 0..<10 { await Task.yield() }
        return try await base.send(request, body: body)
    }
}
