import TidemarkModel

/// The observers of events, each with a sequence of its own.
final class EventBroadcaster: Sendable {
    private struct State: Sendable {
        var last = 0
        var followers: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
    }

    private let state = Locked(State())

    deinit {
        for follower in state.withLock({ $0.followers.values }) { follower.finish() }
    }

    /// Returns the events from now on.
    ///
    /// At most `limit` unread events are kept, the latest.
    func follow(keeping limit: Int) -> AsyncStream<SyncEvent> {
        let (stream, follower) = AsyncStream<SyncEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(limit)
        )
        let number = add(follower)
        follower.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Adds an observer of the events from now on, and returns its number.
    func add(_ follower: AsyncStream<SyncEvent>.Continuation) -> Int {
        state.withLock { state in
            state.last += 1
            state.followers[state.last] = follower
            return state.last
        }
    }

    /// Removes an observer without ending its sequence.
    func remove(_ number: Int) {
        state.withLock { _ = $0.followers.removeValue(forKey: number) }
    }

    func emit(_ event: SyncEvent) {
        for follower in state.withLock({ $0.followers.values }) { follower.yield(event) }
    }
}
