import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// A transport to a fake service with faults of its own, and with actions between requests.
final class DeviceTransport: Transport {
    private struct State {
        var faults: [FakeFault] = []
        var due: [(requests: Int, action: @Sendable () async throws -> Void)] = []
    }

    private let fake: FakeService
    private let state = Mutex(State())

    init(_ fake: FakeService) { self.fake = fake }

    /// Injects faults into the next requests that change objects, one after the other.
    func add(_ faults: [FakeFault]) { state.withLock { $0.faults += faults } }

    /// Runs an action before one of the next requests is sent, counted from 1.
    func before(_ requests: Int, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.due.append((requests, action)) }
    }

    /// Discards all planned actions and faults.
    func reset() { state.withLock { $0 = State() } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isRead = request.method == .get || request.method == .head
        let (due, fault) = state.withLock { state in
            for index in state.due.indices { state.due[index].requests -= 1 }
            let due = state.due.filter { $0.requests <= 0 }.map(\.action)
            state.due.removeAll { $0.requests <= 0 }
            return (due, isRead || state.faults.isEmpty ? nil : state.faults.removeFirst())
        }
        for action in due { try await action() }
        if let fault { fake.inject(fault, times: 1) }
        return try await fake.send(request, body: body)
    }
}
