import HTTPTypes
import Synchronization
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// A transport to a fake service that takes time for each change, and with actions before and after
/// the service processes one.
final class SlowTransport: Transport {
    typealias Action = @Sendable () async throws -> Void

    private struct State {
        var changes = 0
        var before: [Int: Action] = [:]
        var after: [Int: Action] = [:]
    }

    private let fake: FakeService
    private let clock: ManualClock
    private let duration: Duration
    private let state = Mutex(State())

    /// Creates a transport whose changes take a time each.
    init(_ fake: FakeService, _ clock: ManualClock, taking duration: Duration = .zero) {
        self.fake = fake
        self.clock = clock
        self.duration = duration
    }

    /// Runs an action before the service gets a change, counted from 1.
    func before(_ change: Int, _ action: @escaping Action) {
        state.withLock { $0.before[change] = action }
    }

    /// Runs an action after the service has processed a change, before the response is received.
    func after(_ change: Int, _ action: @escaping Action) {
        state.withLock { $0.after[change] = action }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard request.method != .get, request.method != .head else {
            return try await fake.send(request, body: body)
        }
        let (before, after) = state.withLock { state in
            state.changes += 1
            return (
                state.before.removeValue(forKey: state.changes),
                state.after.removeValue(forKey: state.changes)
            )
        }
        try await before?()
        clock.advance(by: duration)
        let response = try await fake.send(request, body: body)
        try await after?()
        return response
    }
}
