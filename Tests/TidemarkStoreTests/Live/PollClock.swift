import TidemarkModel
import TidemarkTesting

/// A clock on which the poll of a live result waits until the test says that its time has come.
final class PollClock: Sendable {
    private struct State {
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var last = 0
    }

    private let state = Locked(State())

    /// An environment with this clock.
    var environment: SystemEnvironment {
        var environment = SystemEnvironment.manual()
        environment.sleep = { _ in try await self.suspend() }
        return environment
    }

    /// The number of polls that wait.
    var sleepers: Int { state.withLock(\.sleepers.count) }

    private func suspend() async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.sleepers[number] = continuation }
                if Task.isCancelled { wake(number, throwing: CancellationError()) }
            }
        } onCancel: {
            wake(number, throwing: CancellationError())
        }
    }

    private func wake(_ number: Int, throwing error: (any Error)? = nil) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
        if let error {
            sleeper?.resume(throwing: error)
        } else {
            sleeper?.resume()
        }
    }

    /// Waits until a poll waits.
    func sleeping() async {
        while sleepers == 0 { await Task.yield() }
    }

    /// Lets the polls that wait continue, after waiting for one.
    func tick() async {
        await sleeping()
        for number in state.withLock({ Array($0.sleepers.keys) }) { wake(number) }
    }
}
