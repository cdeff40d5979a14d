import GRDB
import TidemarkModel

/// An iteration of a live result: registered with the feed from the first snapshot on, until it is
/// released.
final class LiveIteration<Record: Sendable>: Sendable {
    private let store: Store
    private let environment: SystemEnvironment
    private let source: @Sendable () throws -> LiveSource<Record>
    private let phase: Locked<Phase>

    private enum Phase {
        /// Without a snapshot; with the request that has replaced the one of the first snapshot.
        case new(LiveSource<Record>?, window: Range<Int>?)
        case registered(LiveFeed.SubscriptionID, LiveSubscription<Record>)
        case ended
    }

    init(
        _ store: Store,
        window: Range<Int>?,
        environment: SystemEnvironment,
        source: @escaping @Sendable () throws -> LiveSource<Record>
    ) {
        self.store = store
        phase = Locked(.new(nil, window: window))
        self.environment = environment
        self.source = source
    }

    deinit { end() }

    private func end() {
        let phase = phase.withLock { phase in
            defer { phase = .ended }
            return phase
        }
        if case .registered(let id, _) = phase { store.liveFeed.unregister(id) }
    }

    /// Replaces the request: the next snapshot is that of another one.
    ///
    /// - Returns: Whether there will be one: false after the iteration has ended.
    @discardableResult
    func replace(_ source: LiveSource<Record>, window: Range<Int>?) -> Bool {
        let phase = phase.withLock { phase in
            if case .new = phase { phase = .new(source, window: window) }
            return phase
        }
        switch phase {
        case .new: return true
        case .registered(let id, let subscription):
            subscription.replace(source, window: window)
            store.liveFeed.replace(source.query.dependencies, of: id)
            return true
        case .ended: return false
        }
    }

    func next() async throws -> LiveSnapshot<Record>? {
        do {
            let current = phase.withLock { phase in
                defer { if case .new(_, let window) = phase { phase = .new(nil, window: window) } }
                return phase
            }
            switch current {
            case .new(let source, let window):
                return try await start(source ?? self.source(), window: window)
            case .registered(let id, let subscription):
                let snapshot = try await next(id, subscription)
                if snapshot == nil { end() }
                return snapshot
            case .ended: return nil
            }
        } catch is CancellationError {
            end()
            return nil
        } catch {
            end()
            throw error
        }
    }

    private func start(
        _ source: LiveSource<Record>,
        window: Range<Int>?
    ) async throws -> LiveSnapshot<Record>? {
        let subscription = LiveSubscription(source, window: window)
        // Before the feed is installed, which may have to wait for a transaction: commits between
        // are noticed then.
        let snapshot = try await store.read { reader in
            try subscription.snapshot(reader, .unspecific)
        }
        let id = store.liveFeed.register(
            source.query.dependencies,
            on: store.writer,
            environment: environment
        )
        let before = phase.withLock { phase in
            defer { phase = .registered(id, subscription) }
            return phase
        }
        // The request was replaced while the first snapshot was read.
        if case .new(let other?, let window) = before { replace(other, window: window) }
        return snapshot
    }

    private func next(
        _ id: LiveFeed.SubscriptionID,
        _ subscription: LiveSubscription<Record>
    ) async throws -> LiveSnapshot<Record>? {
        let (feed, store) = (store.liveFeed, store)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                feed.wait(
                    id,
                    LiveFeed.Consumer { result, changes in
                        do {
                            let reader = try StoreReader.prepare(result.get(), in: store)
                            guard let snapshot = try subscription.snapshot(reader, changes) else {
                                return false
                            }
                            continuation.resume(returning: snapshot)
                        } catch {
                            continuation.resume(throwing: error)
                        }
                        return true
                    } cancel: {
                        continuation.resume(returning: nil)
                    }
                )
            }
        } onCancel: {
            feed.cancel(id)
        }
    }
}
