import GRDB
import TidemarkModel
import TidemarkStore

/// Notices that something other than a run may have changed rows or the outbox of a store.
///
/// Changes of this process are observed when they are committed, those of other connections and
/// processes when ``takeChanges()`` is called. What has changed is not recorded: a caller reads
/// ``PushableChanges`` afterwards.
final class LocalChangeObserver: TransactionObserver, Sendable {
    private struct State {
        /// Whose changes the present transaction of the store's writer contains.
        var transaction: Origin?

        /// Whether a local change was committed since changes were last taken.
        var hasChanged = false

        /// Whether a run has ended since changes were last taken.
        var hasRunEnded = false

        /// `PRAGMA data_version` when changes were last taken.
        var version: Int?

        /// The sequence that ends when a change is committed.
        var waiter: AsyncStream<Never>.Continuation?
    }

    private enum Origin { case run, endOfRun, local }

    private let store: Store
    private let tables: Set<String>
    private let state = Locked(State())

    /// Whether other connections can write to the database: it is a file.
    let isShared: Bool

    /// How often a schedule asks whether another process has changed the store.
    static let pollInterval = Duration.seconds(5)

    /// Every transaction of a run renews or releases its lease before it changes anything else.
    private static let lease = "_tidemark_lease"

    private init(_ store: Store, isShared: Bool) {
        self.store = store
        self.isShared = isShared
        tables = Set(
            store.layout.tables.map(\.name) + store.layout.joins.map(\.name)
                + ["_tidemark_change", "_tidemark_request", Self.lease]
        )
    }

    /// Runs a body while a store is observed.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - body: The work.
    /// - Throws: Errors that `body` throws; `CancellationError`; `DatabaseError`.
    static func observing(
        _ store: Store,
        _ body: (LocalChangeObserver) async throws -> Void
    ) async throws {
        let files = try await store.writer.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT file FROM pragma_database_list WHERE name = 'main' AND file <> ''"
            )
        }
        let observer = LocalChangeObserver(store, isShared: !files.isEmpty)
        try await store.writer.writeWithoutTransaction { db in
            db.add(transactionObserver: observer)
        }
        let outcome: Result<Void, any Error>
        do {
            _ = try await observer.takeChanges()
            outcome = .success(try await body(observer))
        } catch {
            outcome = .failure(error)
        }
        // A cancelled task cannot access the database.
        try await Task {
            try await store.writer.writeWithoutTransaction { db in
                db.remove(transactionObserver: observer)
            }
        }.value
        try outcome.get()
    }

    /// Returns whether rows may have changed since the last call, other than by a run of this
    /// process.
    ///
    /// - Throws: `CancellationError`; `DatabaseError`.
    func takeChanges() async throws -> Bool {
        // The number changes with each commit of another connection, and not with those of the
        // writer itself, which is therefore the connection to ask.
        let version =
            isShared
            ? try await store.writer.writeWithoutTransaction { db in
                try Int.fetchOne(db, sql: "PRAGMA data_version")
            } : nil
        return state.withLock { state in
            defer {
                (state.hasChanged, state.hasRunEnded) = (false, false)
                state.version = version
            }
            return state.hasChanged || state.version != version
        }
    }

    /// Whether a run has ended since changes were last taken.
    ///
    /// An app may push between the runs of a schedule.
    var hasRunEnded: Bool { state.withLock { $0.hasRunEnded } }

    /// Ends a sequence at the next local change or end of a run, or at once if there was one.
    ///
    /// - Parameter waiter: The sequence; nil to end none.
    func end(_ waiter: AsyncStream<Never>.Continuation?) {
        let isOver = state.withLock { state in
            state.waiter = waiter
            return state.hasChanged || state.hasRunEnded
        }
        if isOver { waiter?.finish() }
    }

    // MARK: Transactions of the writer

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        tables.contains(eventKind.tableName)
    }

    func databaseDidChange(with event: DatabaseEvent) {
        guard event.tableName == Self.lease else { return record(.local) }
        switch event.kind {
        case .insert, .update: record(.run)
        case .delete: record(.endOfRun)
        }
    }

    /// Called for tables whose rows were changed by statements that bypass GRDB.
    func databaseDidChange() { record(.local) }

    private func record(_ origin: Origin) {
        state.withLock { $0.transaction = $0.transaction ?? origin }
        // The first event decides: an import of a million rows need not report each of them.
        stopObservingDatabaseChangesUntilNextTransaction()
    }

    func databaseDidCommit(_ db: Database) {
        let waiter = state.withLock { state -> AsyncStream<Never>.Continuation? in
            defer { state.transaction = nil }
            switch state.transaction {
            case .local: state.hasChanged = true
            case .endOfRun: state.hasRunEnded = true
            case .run, nil: return nil
            }
            return state.waiter
        }
        waiter?.finish()
    }

    func databaseDidRollback(_ db: Database) {
        state.withLock { $0.transaction = nil }
    }
}

extension DatabaseEventKind {
    /// The table whose rows change.
    fileprivate var tableName: String {
        switch self {
        case .insert(let name), .delete(let name), .update(let name, _): name
        }
    }
}
