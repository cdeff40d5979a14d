/// What a change feed has to do next: which live results wait, for which changes, and whether a
/// read is running.
///
/// A value without a database, so that its transitions can be tested.
struct LiveFeedState {
    /// The identity of a subscription.
    typealias SubscriptionID = Int

    /// Whether a read is running.
    private var isReading = false

    private var subscriptions: [SubscriptionID: Subscription] = [:]
    private var lastSubscription = 0

    private struct Subscription {
        var dependencies: LiveDependencies
        /// What has changed since the last read of the subscription.
        var pending = RowChanges()
        /// Whether its consumer waits for a snapshot.
        var isWaiting = false
    }

    /// Whether there is no subscription.
    var isEmpty: Bool { subscriptions.isEmpty }

    /// Adds a subscription, for which nothing has changed yet.
    mutating func register(_ dependencies: LiveDependencies) -> SubscriptionID {
        lastSubscription += 1
        subscriptions[lastSubscription] = Subscription(dependencies: dependencies)
        return lastSubscription
    }

    /// Removes a subscription.
    mutating func unregister(_ id: SubscriptionID) {
        subscriptions[id] = nil
    }

    /// Replaces the dependencies of a subscription: all of it has to be read again.
    mutating func replace(_ dependencies: LiveDependencies, of id: SubscriptionID) {
        subscriptions[id]?.dependencies = dependencies
        subscriptions[id]?.pending.makeUnspecific()
    }

    /// The ends of links whose removal must be recorded.
    var endpoints: Set<LinkEndpoint> {
        subscriptions.values.reduce(into: []) { $0.formUnion($1.dependencies.endpoints) }
    }

    /// Returns whether a subscription depends on rows of a table.
    func depends(onTable table: String) -> Bool {
        subscriptions.values.contains { $0.dependencies.depends(onTable: table) }
    }

    /// Records what a transaction has changed.
    mutating func committed(_ changes: RowChanges) {
        for id in subscriptions.keys {
            guard subscriptions[id]?.dependencies.concerns(changes) == true else { continue }
            subscriptions[id]?.pending.formUnion(changes)
        }
    }

    /// Records that anything may have changed.
    mutating func invalidate() {
        for id in subscriptions.keys { subscriptions[id]?.pending.makeUnspecific() }
    }

    /// Records that anything may have changed for one subscription.
    mutating func invalidate(_ id: SubscriptionID) {
        subscriptions[id]?.pending.makeUnspecific()
    }

    /// Records that the consumer of a subscription waits for a snapshot, or no longer does.
    mutating func setWaiting(_ isWaiting: Bool, _ id: SubscriptionID) {
        subscriptions[id]?.isWaiting = isWaiting
    }

    /// Whether a read can begin: none is running, and a consumer waits for what has changed.
    var canRead: Bool {
        !isReading && subscriptions.values.contains { $0.isWaiting && !$0.pending.isEmpty }
    }

    /// Begins a read, and returns what has changed for each subscription whose consumer waits.
    mutating func beginRead() -> [SubscriptionID: RowChanges] {
        guard canRead else { return [:] }
        isReading = true
        var taken: [SubscriptionID: RowChanges] = [:]
        for (id, subscription) in subscriptions
        where subscription.isWaiting && !subscription.pending.isEmpty {
            taken[id] = subscription.pending
            subscriptions[id]?.pending = RowChanges()
            subscriptions[id]?.isWaiting = false
        }
        return taken
    }

    /// Ends the read.
    mutating func endRead() {
        isReading = false
    }
}
