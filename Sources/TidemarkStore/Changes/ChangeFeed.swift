import GRDB
import TidemarkModel

/// Records which rows the transactions of one connection change, while it has subscribers.
///
/// Temporary triggers copy each row before its first change into temporary tables, which roll back
/// with the transaction and its savepoints. At the end of the transaction the copies are compared
/// with the rows, and the differences are stored as lines until all subscribers have read them.
/// Without subscribers there are neither triggers nor tables.
///
/// All functions that take a `Database` run on the writer's queue, one at a time. The lock is for
/// those that run on any thread.
final class ChangeFeed: TransactionObserver, Sendable {
    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastSubscriber = 0
        var lastCommit = 0
        var lastLine: Int64 = 0
        var lastWaiter = 0

        /// The tables that record; nil while nothing is recorded.
        var tables: ChangeTables?

        /// The layouts by which lines were written.
        ///
        /// A migration adds one.
        var layouts: [StoreLayout] = []

        /// The tables that record after the commit of a migration; nil in other transactions.
        var successor: ChangeTables?

        /// Returns a subscriber; for a finished one, determines what it may still read.
        mutating func subscriber(_ number: Int) -> Subscriber? {
            if let subscriber = subscribers[number], subscriber.isFinished, subscriber.end == nil {
                subscribers[number]?.end = lastLine
            }
            return subscribers[number]
        }

        /// Removes and returns the continuations that wait for a commit.
        mutating func takeWaiters() -> [AsyncStream<Void>.Continuation] {
            subscribers.keys.flatMap { takeWaiters(of: $0) }
        }

        mutating func takeWaiters(of number: Int) -> [AsyncStream<Void>.Continuation] {
            defer { subscribers[number]?.waiters = [:] }
            return subscribers[number].map { Array($0.waiters.values) } ?? []
        }
    }

    private struct Subscriber {
        /// The continuations that wait for the next commit.
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        /// The last line that was read.
        var position: Int64
        /// Whether the subscriber wants no further commits.
        var isFinished = false
        /// The last line for a finished subscriber, once it is known.
        var end: Int64?
    }

    private let state = Locked(State())

    private var tables: ChangeTables? { state.withLock { $0.tables } }

    // MARK: Subscribers

    /// Starts recording for a new subscriber, outside of a transaction, and returns its number.
    func subscribe(_ db: Database, _ layout: StoreLayout) throws -> Int {
        if let tables {
            // Earlier commits are not reported to this subscriber.
            try sealCommitted(db, tables)
        } else {
            try install(db, layout)
        }
        return state.withLock { state in
            state.lastSubscriber += 1
            state.subscribers[state.lastSubscriber] = Subscriber(position: state.lastLine)
            return state.lastSubscriber
        }
    }

    /// Returns a stream that ends at the next commit, or nil if the subscriber is finished.
    ///
    /// Each wait has a stream of its own, because a cancelled task permanently ends the stream that
    /// it iterates.
    func nextCommit(_ number: Int) -> AsyncStream<Void>? {
        let (commit, continuation) = AsyncStream<Void>.makeStream()
        let waiter = state.withLock { state -> Int? in
            guard state.subscribers[number]?.isFinished == false else { return nil }
            state.lastWaiter += 1
            state.subscribers[number]?.waiters[state.lastWaiter] = continuation
            return state.lastWaiter
        }
        guard let waiter else { return nil }
        continuation.onTermination = { [state] _ in
            state.withLock { $0.subscribers[number]?.waiters[waiter] = nil }
        }
        return commit
    }

    /// Ends the stream of a subscriber, which may still read what is recorded already.
    func finish(_ number: Int) {
        let waiters = state.withLock { state in
            state.subscribers[number]?.isFinished = true
            return state.takeWaiters(of: number)
        }
        for waiter in waiters { waiter.finish() }
    }

    /// Removes a subscriber.
    ///
    /// After the last one, recording stops.
    func unsubscribe(_ number: Int, from writer: any DatabaseWriter) {
        state.withLock { $0.subscribers[number] = nil }
        writer.asyncWriteWithoutTransaction { [self] db in
            // Temporary tables that cannot be dropped now are dropped with the connection, and harm
            // nothing until then.
            do { try uninstallIfUnused(db) } catch {}
        }
    }

    private func install(_ db: Database, _ layout: StoreLayout) throws {
        let tables = ChangeTables(layout, of: self)
        try Self.atomically(db) { try tables.create(db) }
        db.add(transactionObserver: self, extent: .observerLifetime)
        state.withLock { state in
            state.tables = tables
            state.layouts = [layout]
        }
    }

    private func uninstallIfUnused(_ db: Database) throws {
        let isUnused = state.withLock(\.subscribers.isEmpty)
        guard isUnused, let tables else { return }
        db.remove(transactionObserver: self)
        do {
            try Self.atomically(db) { try tables.drop(db) }
        } catch {
            // The triggers still record. The next subscriber uses their tables, and its end tries
            // again to drop them.
            db.add(transactionObserver: self, extent: .observerLifetime)
            throw error
        }
        state.withLock { $0.tables = nil }
    }

    // MARK: Commits

    /// Compares the rows that the transaction has changed so far, and writes their lines.
    func seal(_ db: Database) throws {
        guard let tables else { return }
        try seal(db, tables)
    }

    private func seal(_ db: Database, _ tables: ChangeTables) throws {
        guard try tables.hasChanges(db) else { return }
        let last = try tables.seal(db, nextPosition())
        state.withLock { $0.lastLine = last }
    }

    /// Writes the lines of commits that are not recorded yet, which are one commit for readers.
    private func sealCommitted(_ db: Database, _ tables: ChangeTables) throws {
        // The rows of an open transaction may still be rolled back.
        guard !db.isInsideTransaction, try tables.hasChanges(db) else { return }
        // A savepoint, as GRDB cannot begin a transaction while it ends another.
        try Self.atomically(db) { try seal(db, tables) }
    }

    /// Returns the commit, layout and position of the next lines.
    ///
    /// The number of a commit that fails is not used again.
    private func nextPosition() -> LinePosition {
        state.withLock { state in
            state.lastCommit += 1
            return LinePosition(
                commit: state.lastCommit,
                layout: state.layouts.count - 1,
                last: state.lastLine
            )
        }
    }

    /// Writes the lines of a migration before it changes anything, and drops the triggers: a table
    /// cannot be rebuilt under a trigger that names its columns.
    ///
    /// - Returns: A function to call when the tables are those of the new layout.
    func migrate(_ db: Database, _ plan: MigrationPlan) throws -> (Database) throws -> Void {
        guard let tables else { return { _ in } }
        try seal(db, tables)
        let position = nextPosition()
        let last = try tables.describe(db, plan, at: position)
        state.withLock { $0.lastLine = last }
        try tables.dropTriggers(db)
        let successor = ChangeTables(plan.new, of: self)
        return { [state] db in
            try tables.completeKeys(db, plan, commit: position.commit)
            try tables.dropRows(db)
            try successor.createRows(db)
            state.withLock { $0.successor = successor }
        }
    }

    /// Observes commits and rollbacks only: the triggers record what changes.
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ db: Database) {
        do {
            if let tables = adopted() { try sealCommitted(db, tables) }
        } catch {
            // The commit cannot fail any more. The copies of its rows remain, so the next commit or
            // read records it; the read throws if that fails again.
        }
        let waiters = state.withLock { $0.takeWaiters() }
        for waiter in waiters { waiter.finish() }
    }

    func databaseDidRollback(_ db: Database) {
        state.withLock { $0.successor = nil }
    }

    /// Returns the tables that record from now on: after a migration, those of the new layout.
    private func adopted() -> ChangeTables? {
        state.withLock { state in
            if let successor = state.successor {
                state.tables = successor
                state.layouts.append(successor.layout)
                state.successor = nil
            }
            return state.tables
        }
    }

    // MARK: Reading

    /// The maximum number of changes in a batch.
    private static let batchSize = 1_000

    /// Returns the next batch for a subscriber, and deletes what all subscribers have read.
    func next(_ db: Database, _ number: Int) throws -> ChangeBatch? {
        guard let tables else { return nil }
        try sealCommitted(db, tables)
        guard let subscriber = state.withLock({ $0.subscriber(number) }) else { return nil }
        let lines = try tables.lines(
            db,
            after: subscriber.position,
            upTo: subscriber.end ?? .max,
            // One more than a batch, to detect the end of the commit.
            limit: Self.batchSize + 1
        )
        guard let first = lines.first else { return nil }
        let batch = lines.prefix { $0.commit == first.commit }.prefix(Self.batchSize)
        let position = batch.last?.number ?? first.number
        let (layouts, read) = state.withLock { state in
            // Another thread may have finished or removed the subscriber meanwhile.
            state.subscribers[number]?.position = position
            return (state.layouts, state.subscribers.values.map(\.position).min())
        }
        try tables.deleteLines(db, upTo: read ?? position)
        let rest = lines.dropFirst(batch.count).first
        return ChangeBatch(
            commit: first.commit,
            changes: try batch.map { try $0.change(layouts) },
            isLast: rest?.commit != first.commit
        )
    }

    /// Runs a body in a savepoint, which also works within a transaction.
    private static func atomically(_ db: Database, _ body: () throws -> Void) throws {
        try RowStatement.prepare(db, "SAVEPOINT _tidemark_feed").run()
        do {
            try body()
            try RowStatement.prepare(db, "RELEASE _tidemark_feed").run()
        } catch {
            try RowStatement.prepare(db, "ROLLBACK TO _tidemark_feed").run()
            try RowStatement.prepare(db, "RELEASE _tidemark_feed").run()
            throw error
        }
    }
}
