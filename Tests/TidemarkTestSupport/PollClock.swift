import Synchronization
package import TidemarkModel

/// A clock on which the poll of a live result waits until the test says that its time has come.
package final class PollClock: Sendable {
    private struct State {
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    private let base: SystemEnvironment

    /// Creates a clock.
    ///
    /// - Parameter environment: Supplies everything but the delays.
    package init(_ environment: SystemEnvironment) { base = environment }

    /// An environment with this clock.
    package var environment: SystemEnvironment {
        var environment = base
        environment.sleep = { [self] _ in try await suspend() }
        return environment
    }

    /// The number of polls that wait.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

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
    package func sleeping() async {
        while sleepers == 0 { await Task.yield() }
    }

    /// Lets the polls that wait continue, after waiting for one.
    package func tick() async {
        await sleeping()
        for number in state.withLock({ Array($0.sleepers.keys) }) { wake(number) }
    }
}
