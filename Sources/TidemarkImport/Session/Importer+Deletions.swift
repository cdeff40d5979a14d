public import GRDB
import TidemarkModel
public import TidemarkStore

/// Deletions that await approval.
extension Importer {
    /// Returns the pending and the rejected deletions, sorted by the names of their lists.
    ///
    /// Rows that a list contained after their deletion became pending are not included. A pull
    /// returns the same list in its report; use this method at the start of an app, before a pull.
    ///
    /// ```swift
    /// let waiting = try store.writer.read { db in
    ///     try importer.pendingDeletions(db).filter { !$0.isRejected }
    /// }
    /// print(waiting.map(\.resource))  // ["films/"]
    /// ```
    ///
    /// - Parameter db: The connection.
    /// - Returns: The deletions.
    /// - Throws: `DatabaseError`.
    public func pendingDeletions(_ db: Database) throws -> [PendingDeletion] {
        let pattern = "\(ImportSession.pendingPrefix)%"
        return try Self.pendingSessions(db, like: pattern).compactMap { session in
            let transaction = try SessionTransaction.open(db, session, importer: self)
            let pending = try transaction.pendingRows()
            let deletion = try transaction.pendingDeletion(of: pending)
            return deletion.shares.isEmpty ? nil : deletion
        }
    }

    /// Returns the rows of a pending deletion, sorted by table and row number.
    ///
    /// Use it to show what an approval would delete. Rows that would be deleted by cascade are not
    /// included, though they count in ``PendingDeletion/rowCount``.
    ///
    /// ```swift
    /// let rows = try store.writer.read { db in
    ///     try importer.rowsOfPendingDeletion(db, "films/", limit: 20)
    /// }
    /// print(rows)  // [Film#3, Film#7]
    /// ```
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - resource: The name of the list.
    ///   - limit: The maximum number of rows to return, 1,000 by default. A negative limit returns
    ///     none.
    /// - Returns: The rows; empty if no deletion is pending.
    /// - Throws: `DatabaseError`.
    public func rowsOfPendingDeletion(
        _ db: Database,
        _ resource: String,
        limit: Int = 1_000
    ) throws -> [RowReference] {
        let reader = try StoreReader.prepare(db, in: store)
        var references: [RowReference] = []
        let pending = try pendingRows(db, of: resource).byTable
        for (table, rows) in pending.sorted(by: { $0.key < $1.key }) {
            for row in rows.prefix(max(0, limit - references.count)) {
                if let entity = try reader.entity(of: row, in: table) {
                    references.append(RowReference(entity.name, row))
                }
            }
        }
        return references
    }

    /// Deletes the rows of a pending deletion, except those that a list has contained or linked
    /// since.
    ///
    /// This method sends no request; `SyncEngine.approveDeletion(of:)` reads the list again first,
    /// and is preferable whenever the service can be reached. A rejected deletion can be approved,
    /// too.
    ///
    /// ```swift
    /// let report = try store.writer.write { db in try importer.approveDeletion(db, "films/") }
    /// print(report.entities["Film"]?.deleted ?? 0)  // 2
    /// ```
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name of the list.
    /// - Returns: The numbers of deleted rows, by entity.
    /// - Throws: ``ImportError/Code/noPendingDeletion`` if no deletion of this list is pending,
    ///   `StoreError`, `DatabaseError`. Roll the transaction back then.
    public func approveDeletion(_ db: Database, _ resource: String) throws -> ImportReport {
        let session = try Self.requirePendingSession(db, of: resource)
        return try perform(db, session) { transaction in
            let rows = try transaction.pendingRows()
            try transaction.run.delete(rows.byTable)
            try forget(db, session.resource)
        }
    }

    /// Rejects a pending deletion: its rows are kept until a list contains or links them, or until
    /// the deletion of other rows exceeds the guard.
    ///
    /// Later pulls report the deletion as ``PendingDeletion/isRejected`` and succeed.
    /// ``approveDeletion(_:_:)`` can still delete the rows.
    ///
    /// ```swift
    /// try store.writer.write { db in try importer.rejectDeletion(db, "films/") }
    /// ```
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name of the list.
    /// - Throws: ``ImportError/Code/noPendingDeletion`` if no deletion of this list is pending,
    ///   `DatabaseError`.
    public func rejectDeletion(_ db: Database, _ resource: String) throws {
        let session = try Self.requirePendingSession(db, of: resource)
        try SeenRows(db, of: session.resource, layout: store.layout)
            .setRejected(true, for: store.layout.entity(session.entity))
    }

    // MARK: Stored sessions

    /// Returns the rows whose deletion is pending or was rejected; empty if there is no such
    /// deletion.
    func pendingRows(_ db: Database, of resource: String) throws -> PendingRows {
        guard let session = try Self.pendingSession(db, of: resource) else { return PendingRows() }
        let transaction = try SessionTransaction.open(db, session, importer: self)
        return try transaction.pendingRows()
    }

    private static func requirePendingSession(
        _ db: Database,
        of resource: String
    ) throws -> ImportSession {
        guard let session = try pendingSession(db, of: resource) else {
            throw ImportError(
                .noPendingDeletion,
                "No deletion of \(resource) is pending.",
                hint: "List the pending deletions first."
            )
        }
        return session
    }

    private static func pendingSession(
        _ db: Database,
        of resource: String
    ) throws -> ImportSession? {
        try Row.fetchOne(
            db,
            sql: "SELECT resource, entity, run FROM _tidemark_walk WHERE resource = ?",
            arguments: [ImportSession.pendingPrefix + resource]
        )
        .map(ImportSession.init)
    }

    private static func pendingSessions(
        _ db: Database,
        like pattern: String
    ) throws -> [ImportSession] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT resource, entity, run FROM _tidemark_walk WHERE resource LIKE ? \
                ORDER BY resource
                """,
            arguments: [pattern]
        )
        .map(ImportSession.init)
    }
}

extension ImportSession {
    fileprivate init(_ row: Row) {
        self.init(row[0], into: row[1], run: row[2])
    }
}
