import GRDB
import TidemarkModel

import class Dispatch.DispatchSemaphore

/// Collects which rows the commits on one connection have changed, and lets live results read what
/// they depend on.
///
/// Changed rows come from four sources: writers of the library, which record what they change; the
/// observation of GRDB, for SQL; temporary triggers, for links that were removed and rows that
/// `REPLACE` has deleted, which SQLite does not report; and `PRAGMA data_version`, for commits of
/// other connections. Nothing is installed without subscriptions.
///
/// A read begins after a commit, on another connection of the pool and in the state of that commit,
/// so that each snapshot shows whole commits. Functions that take a `Database` run on the writer's
/// queue; the lock is for those that run on any thread.
final class LiveFeed: TransactionObserver, Sendable {
    let state = Locked(State())

    /// Whether the connection never commits anything.
    ///
    /// It needs no triggers, and would refuse to create them.
    let isReadOnly: Bool

    init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }

    struct State {
        var feed = LiveFeedState()

        /// The consumers that wait for a snapshot.
        var consumers: [SubscriptionID: Consumer] = [:]

        /// The subscriptions whose consumers were cancelled while their snapshots were read.
        var cancelled: Set<SubscriptionID> = []

        /// What the current transaction has changed so far.
        var transaction = RowChanges()

        /// Whether the other observers are notified of what is in ``transaction`` already.
        var isNotifying = false

        /// The `data_version` of the writer; nil while nothing is installed.
        var version: Int64?

        /// The numbers of the endpoints whose triggers are installed.
        var triggers: [LinkEndpoint: Int] = [:]
        var endpoints: [LinkEndpoint] = []

        /// The connection, while there are subscriptions.
        var writer: (any DatabaseWriter)?

        /// Polls for commits of other connections.
        var poll: Task<Void, Never>?

        /// The sources that are used, of which tests leave one out.
        var sources = LiveSources.all
    }

    typealias SubscriptionID = LiveFeedState.SubscriptionID

    /// A consumer that waits for a snapshot.
    struct Consumer: Sendable {
        /// Reads the snapshot after changes, and returns whether there is one.
        let read: @Sendable (Result<Database, any Error>, RowChanges) -> Bool

        /// Ends waiting.
        let cancel: @Sendable () -> Void
    }

    /// The interval of polling for commits of other connections.
    static let pollInterval = Duration.milliseconds(250)

    // MARK: Subscriptions

    /// Adds a subscription, which sees all commits after this call.
    func register(
        _ dependencies: LiveDependencies,
        on writer: any DatabaseWriter,
        environment: SystemEnvironment
    ) -> SubscriptionID {
        let id = state.withLock { state in
            state.writer = writer
            return state.feed.register(dependencies)
        }
        writer.asyncWriteWithoutTransaction { [self] db in
            install(db)
            // Commits before this are not known.
            state.withLock { $0.feed.invalidate(id) }
            startRead(db)
        }
        startPoll(environment)
        return id
    }

    /// Replaces what a subscription depends on.
    func replace(_ dependencies: LiveDependencies, of id: SubscriptionID) {
        state.withLock { $0.feed.replace(dependencies, of: id) }
        writer?.asyncWriteWithoutTransaction { [self] db in
            install(db)
            state.withLock { $0.feed.invalidate(id) }
            startRead(db)
        }
    }

    /// Removes a subscription; after the last one, everything that was installed.
    func unregister(_ id: SubscriptionID) {
        let writer = writer
        let poll = state.withLock { state -> Task<Void, Never>? in
            state.feed.unregister(id)
            state.consumers[id] = nil
            state.cancelled.remove(id)
            guard state.feed.isEmpty else { return nil }
            defer { state.poll = nil }
            return state.poll
        }
        poll?.cancel()
        writer?.asyncWriteWithoutTransaction { [self] db in install(db) }
    }

    private var writer: (any DatabaseWriter)? { state.withLock(\.writer) }

    // MARK: Reading

    /// Lets a consumer wait for the next snapshot of its subscription.
    func wait(_ id: SubscriptionID, _ consumer: Consumer) {
        let (isCancelled, canRead) = state.withLock { state in
            if state.cancelled.remove(id) != nil { return (true, false) }
            state.consumers[id] = consumer
            state.feed.setWaiting(true, id)
            return (false, state.feed.canRead)
        }
        if isCancelled { consumer.cancel() }
        if canRead { writer?.asyncWriteWithoutTransaction { [self] db in startRead(db) } }
    }

    /// Ends the waiting of a consumer.
    func cancel(_ id: SubscriptionID) {
        let consumer = state.withLock { state -> Consumer? in
            state.feed.setWaiting(false, id)
            let consumer = state.consumers.removeValue(forKey: id)
            // Its snapshot is being read, or it does not wait yet.
            if consumer == nil { state.cancelled.insert(id) }
            return consumer
        }
        consumer?.cancel()
    }

    /// Starts a read for all consumers that wait for what has changed, unless one is running.
    ///
    /// Outside of a transaction, on the writer's queue: no commit can happen before the read sees
    /// the state of the last one.
    private func startRead(_ db: Database) {
        guard let writer, !db.isInsideTransaction else { return }
        let reads = state.withLock { state in
            state.feed.beginRead().compactMap { id, changes in
                state.consumers.removeValue(forKey: id).map { (id, changes, $0) }
            }
        }
        guard !reads.isEmpty else { return }
        let version = VersionCheck()
        let own = ObjectIdentifier(db)
        writer.spawnConcurrentRead { [self] result in
            // With a single connection the read is made here and now, before the check below.
            if case .success(let reader) = result, ObjectIdentifier(reader) == own {
                version.complete { noticeOtherCommits(reader) }
            }
            // Without a connection there is nothing to check, and perhaps no other thread.
            let isTorn = if case .failure = result { false } else { version.wait() }
            for (id, changes, consumer) in reads {
                let isDone = consumer.read(result, isTorn ? .unspecific : changes)
                if !isDone { wait(id, consumer) }
            }
            let canRead = state.withLock { state in
                state.feed.endRead()
                return state.feed.canRead
            }
            if canRead { writer.asyncWriteWithoutTransaction { [self] db in startRead(db) } }
        }
        // Another process may have committed between the last check and the read.
        version.complete { noticeOtherCommits(db) }
    }

    // MARK: Commits of other connections

    /// Returns whether another connection has committed since the last call; all live results are
    /// then read again.
    @discardableResult
    func noticeOtherCommits(_ db: Database) -> Bool {
        guard state.withLock({ $0.sources.contains(.otherConnections) }) else { return false }
        let version = Self.version(db)
        return state.withLock { state in
            guard let known = state.version, known != version else { return false }
            state.version = version
            state.feed.invalidate()
            return true
        }
    }

    private func startPoll(_ environment: SystemEnvironment) {
        state.withLock { state in
            guard state.poll == nil else { return }
            state.poll = Task { [weak self] in
                while !Task.isCancelled {
                    do { try await environment.sleep(Self.pollInterval) } catch { return }
                    guard let self, let writer = self.writer else { return }
                    writer.asyncWriteWithoutTransaction { db in
                        if self.noticeOtherCommits(db) { self.startRead(db) }
                    }
                }
            }
        }
    }

    // MARK: Commits of this connection

    /// Records what a writer has changed in the current transaction, and notifies the other
    /// observers of the connection.
    func notify(_ db: Database, of changes: StoreChanges) throws {
        state.withLock { state in
            guard !state.feed.isEmpty, state.sources.contains(.writers) else { return }
            state.transaction.add(changes)
        }
        state.withLock { $0.isNotifying = true }
        defer { state.withLock { $0.isNotifying = false } }
        try changes.notify(db)
    }

    /// Other code has changed rows in a way that GRDB does not see.
    func databaseDidChange() {
        state.withLock { state in
            if !state.isNotifying { state.transaction.makeUnspecific() }
        }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        let table =
            switch eventKind {
            case .insert(let table), .delete(let table), .update(let table, _): table
            }
        return state.withLock { state in
            state.sources.contains(.statements) && state.feed.depends(onTable: table)
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        state.withLock { state in
            switch event.kind {
            case .insert, .delete:
                state.transaction.add(present: event.rowID, in: event.tableName)
            case .update: state.transaction.add(updated: event.rowID, in: event.tableName)
            }
        }
    }

    /// Records a row that has lost a link, or was deleted, from a trigger.
    func track(endpoint row: Int64, number: Int) {
        state.withLock { state in
            guard state.sources.contains(.previousEndpoints),
                state.endpoints.indices.contains(number)
            else { return }
            state.transaction.add(endpoint: row, of: state.endpoints[number])
        }
    }

    func databaseDidCommit(_ db: Database) {
        state.withLock { state in
            var changes = state.transaction
            state.transaction = RowChanges()
            guard !changes.isEmpty else { return }
            // Without a trigger, it is not known which rows have lost a link.
            if !state.feed.endpoints.isSubset(of: state.triggers.keys) { changes.makeUnspecific() }
            state.feed.committed(changes)
        }
        startRead(db)
    }

    func databaseDidRollback(_ db: Database) {
        state.withLock { $0.transaction = RowChanges() }
        // A migration that was rolled back has dropped the triggers.
        install(db)
    }
}

/// The sources of changed rows.
struct LiveSources: OptionSet, Sendable {
    let rawValue: Int

    /// What writers of the library record.
    static let writers = Self(rawValue: 1)
    /// What SQLite reports of the statements of GRDB.
    static let statements = Self(rawValue: 2)
    /// What temporary triggers report of removed links and rows.
    static let previousEndpoints = Self(rawValue: 4)
    /// Commits of other connections.
    static let otherConnections = Self(rawValue: 8)

    static let all: Self = [.writers, .statements, .previousEndpoints, .otherConnections]
}

/// Whether another connection had committed when a read began, which is determined on another
/// thread.
private final class VersionCheck: Sendable {
    private let isTorn: Locked<Bool?> = Locked(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Sets the result, unless it is known.
    func complete(_ check: () -> Bool) {
        guard isTorn.withLock({ $0 == nil }) else { return }
        let result = check()
        isTorn.withLock { $0 = result }
        semaphore.signal()
    }

    func wait() -> Bool {
        semaphore.wait()
        return isTorn.withLock { $0 ?? true }
    }
}
