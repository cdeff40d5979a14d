public import GRDB
import TidemarkModel
public import TidemarkStore

/// A deletion that exceeds a ``DeletionGuard`` and awaits approval, or was rejected.
///
/// Its rows are kept until the deletion is approved, or until a list contains or links them again.
/// Get pending deletions from ``Importer/pendingDeletions(_:)``.
public struct PendingDeletion: Sendable, Hashable {
    /// The part of a pending deletion that concerns one entity.
    public struct Share: Sendable, Hashable {
        /// The entity.
        public var entity: String

        /// The number of its rows that would be deleted.
        public var rows: Int

        /// The number of its rows that count towards the guard: those that were stored when the
        /// list was requested, except rows without a primary key that no import created.
        public var total: Int

        /// Creates a share.
        public init(entity: String, rows: Int, total: Int) {
            self.entity = entity
            self.rows = rows
            self.total = total
        }
    }

    /// The name of the list.
    public var resource: String

    /// The entity of the list's objects.
    public var entity: String

    /// The rows that would be deleted, by entity, with the list's own entity first.
    ///
    /// Nested objects and rows that would be deleted by cascade are included.
    public var shares: [Share]

    /// Whether the deletion was rejected: the rows are kept until a list contains or links them, or
    /// until the deletion of other rows exceeds the guard.
    public var isRejected: Bool

    /// The total number of rows that would be deleted.
    public var rows: Int { shares.reduce(0) { $0 + $1.rows } }

    /// Creates a pending deletion.
    public init(resource: String, entity: String, shares: [Share], isRejected: Bool = false) {
        self.isRejected = isRejected
        self.resource = resource
        self.entity = entity
        self.shares = shares
    }
}

/// Rows whose deletion is pending or was rejected.
struct PendingRows {
    /// The row numbers, by table.
    var byTable: [Int: [Int64]] = [:]

    /// Whether the deletion was rejected.
    var isRejected = false
}

extension Importer {
    /// Returns the pending and the rejected deletions, sorted by the names of their lists.
    ///
    /// Rows that a list contained after their deletion became pending are not included.
    ///
    /// - Parameter db: The connection.
    /// - Returns: The deletions.
    /// - Throws: `DatabaseError`.
    public func pendingDeletions(_ db: Database) throws -> [PendingDeletion] {
        try Self.pendingSessions(db).compactMap { session in
            let (run, pending) = try pendingRows(db, session)
            let deletion = try run.pendingDeletion(of: session, pending)
            return deletion.shares.isEmpty ? nil : deletion
        }
    }

    /// Returns the rows of a pending deletion, sorted by table and row number.
    ///
    /// Rows that would be deleted by cascade are not included.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - resource: The name of the list.
    ///   - limit: The maximum number of rows to return. A negative limit returns none.
    /// - Returns: The rows; empty if no deletion is pending.
    /// - Throws: `DatabaseError`.
    public func rowsOfPendingDeletion(
        _ db: Database,
        _ resource: String,
        limit: Int = 1_000
    ) throws -> [RowReference] {
        guard let session = try Self.pendingSession(db, resource) else { return [] }
        let (run, pending) = try pendingRows(db, session)
        var references: [RowReference] = []
        for (table, rows) in pending.byTable.sorted(by: { $0.key < $1.key }) {
            for row in rows.prefix(max(0, limit - references.count)) {
                if let entity = try run.reader.entity(of: row, in: table) {
                    references.append(RowReference(entity.name, row))
                }
            }
        }
        return references
    }

    /// Deletes the rows of a pending deletion, except those that a list has contained or linked
    /// since.
    ///
    /// This method sends no request; `SyncEngine.approveDeletion(of:)` reads the list again first.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name of the list.
    /// - Returns: The numbers of deleted rows, by entity.
    /// - Throws: ``ImportError/Code/unknownWalk`` if no deletion of this list is pending.
    public func approveDeletion(_ db: Database, _ resource: String) throws -> ImportReport {
        guard let session = try Self.pendingSession(db, resource) else {
            throw ImportError(
                .unknownWalk,
                "No deletion of \(resource) is pending.",
                hint: "List the pending deletions first."
            )
        }
        return try perform(db, session, postponedAfter: 0) { run, entity, highest in
            try run.delete(run.pendingRows(entity, upTo: highest).byTable)
            try forget(db, session.resource)
        }
    }

    /// Rejects a pending deletion: its rows are kept until a list contains or links them, or until
    /// the deletion of other rows exceeds the guard.
    ///
    /// ``approveDeletion(_:_:)`` can still delete them.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name of the list. Nothing happens if no deletion of it is pending.
    /// - Throws: `DatabaseError`.
    public func rejectDeletion(_ db: Database, _ resource: String) throws {
        // A session written by an earlier version of Tidemark has no list of its rows that could be
        // kept.
        try db.execute(
            sql: "DELETE FROM _tidemark_walk WHERE resource = ? AND highest > 0",
            arguments: [ImportSession.pendingPrefix + resource]
        )
        guard let session = try Self.pendingSession(db, resource) else { return }
        try SeenRows(db, session.resource, store.layout)
            .setRejected(true, store.layout.entity(session.entity))
    }

    /// Adds rows to the pending or rejected deletion of a list.
    func keepPending(
        _ db: Database,
        _ rows: PendingRows,
        of walk: ImportSession,
        countingOnly stored: [Int: Int64],
        replacing isComplete: Bool
    ) throws {
        let session = walk.pending
        if isComplete { try forget(db, session.resource) }
        // The highest row number is 0: only rows that are marked are pending. A session written by
        // an earlier version keeps its own number.
        try db.execute(
            sql: """
                INSERT INTO _tidemark_walk (resource, entity, run, highest) VALUES (?, ?, ?, ?) \
                ON CONFLICT DO NOTHING
                """,
            arguments: [session.resource, session.entity, session.run, 0]
        )
        let marks = SeenRows(db, session.resource, store.layout)
        try marks.setRejected(rows.isRejected, store.layout.entity(session.entity))
        try marks.addPending(rows.byTable)
        try marks.save(StoredRows(stored, store.layout))
    }

    /// Returns the rows whose deletion is pending or was rejected; empty if there is no such
    /// deletion.
    func pendingRows(_ db: Database, of resource: String) throws -> PendingRows {
        guard let session = try Self.pendingSession(db, resource) else { return PendingRows() }
        return try pendingRows(db, session).rows
    }

    private func pendingRows(
        _ db: Database,
        _ session: ImportSession
    ) throws -> (run: ImportRun, rows: PendingRows) {
        let (run, entity, highest) = try open(db, session, postponedAfter: 0)
        return (run, try run.pendingRows(entity, upTo: highest))
    }

    private static func pendingSessions(_ db: Database) throws -> [ImportSession] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT resource, entity, run FROM _tidemark_walk WHERE resource LIKE ? \
                ORDER BY resource
                """,
            arguments: ["\(ImportSession.pendingPrefix)%"]
        )
        .map { ImportSession($0[0], into: $0[1], run: $0[2]) }
    }

    private static func pendingSession(_ db: Database, _ resource: String) throws -> ImportSession?
    {
        try Row.fetchOne(
            db,
            sql: "SELECT resource, entity, run FROM _tidemark_walk WHERE resource = ?",
            arguments: [ImportSession.pendingPrefix + resource]
        )
        .map { ImportSession($0[0], into: $0[1], run: $0[2]) }
    }
}

extension ImportSession {
    /// The prefix of the name of a session whose rows await approval.
    ///
    /// The prefix is part of the store's format.
    static let pendingPrefix = "parked:"

    /// The session that stores which rows of this one await approval.
    var pending: ImportSession {
        ImportSession(Self.pendingPrefix + resource, into: entity, run: run)
    }

    /// The name of the session that decides which rows of the list's entity are deleted.
    var decidingResource: String {
        if case .children(let parent) = scope { parent.session } else { resource }
    }
}

extension ImportRun {
    /// Returns the rows whose deletion is pending or was rejected, and that are still stored and
    /// were neither contained in a list nor linked again.
    ///
    /// Sessions written by earlier versions have no list of these rows: theirs are the rows up to
    /// `highest` that the session does not contain.
    func pendingRows(_ entity: EntityImport, upTo highest: Int64) throws -> PendingRows {
        var rows = pending.mapValues { Array($0.rows) }
        if highest > 0 {
            try findStale(entity, upTo: highest)
            rows.merge(stale) { $0 + $1 }
            stale = [:]
        }
        var keyless: [Int: RowSet] = [:]
        for (table, numbers) in rows {
            // The app or another list may have deleted some of the rows.
            let stored = try numbers.filter { try isStored($0, in: table) }
            let keyed = try stored.filter { try hasKey($0, in: table) }
            keyless[table] = RowSet(Set(stored).subtracting(keyed))
            let lists = listsOfChildren(in: table)
            rows[table] = try keyed.filter { try !isLinked($0, in: table, by: lists, entity) }
        }
        // Lists contain a row without a key only as part of another object: a link to it withdraws
        // its deletion.
        rows.merge(try writer.abandonedRows(among: keyless)) { $0 + $1 }
        rows = rows.filter { !$0.value.isEmpty }.mapValues { $0.sorted() }
        return PendingRows(byTable: rows, isRejected: isDeletionRejected)
    }

    private func hasKey(_ row: Int64, in table: Int) throws -> Bool {
        guard let entity = try reader.entity(of: row, in: table) else { return false }
        return try !entity.key.isEmpty && reader.hasKey(row, of: entity)
    }

    /// The relationships whose lists delete the rows of a table that were removed from them.
    private func listsOfChildren(in table: Int) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            guard layout.entities[relationship.destination].table == table,
                relationship.relationship.isToMany, case .inverse = relationship.storage
            else { return false }
            return relationship.relationship.orphans != .unlink
        }
    }

    /// Returns whether a row with a key that had lost its parent is linked to one again.
    ///
    /// Links to a row of the list's own entity are ignored: the list itself specifies whether the
    /// row exists.
    private func isLinked(
        _ row: Int64,
        in table: Int,
        by lists: [RelationshipLayout],
        _ entity: EntityImport
    ) throws -> Bool {
        guard table != entity.plan.entity.table else { return false }
        return try !lists.allSatisfy { try isGone(row, $0) }
    }

    private func isStored(_ row: Int64, in table: Int) throws -> Bool {
        let name = layout.tables[table].name.quotedDatabaseIdentifier
        let statement = try writer.statement("SELECT 1 FROM \(name) WHERE _id = ?")
        statement.bind(row, at: 1)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Returns what the deletion of some rows would delete, by entity.
    func pendingDeletion(of walk: ImportSession, _ rows: PendingRows) throws -> PendingDeletion {
        let graph = try DeleteGraph.resolve(deleting: rows.byTable, keeping: seen, with: writer)
        var deletion = try pendingDeletion(of: walk, along: graph)
        deletion.isRejected = rows.isRejected
        return deletion
    }

    /// Returns what a graph deletes, by entity, with the number of rows that each entity had when
    /// the list was requested.
    func pendingDeletion(of walk: ImportSession, along graph: DeleteGraph) throws -> PendingDeletion
    {
        var counts: [String: Int] = [:]
        for (table, doomed) in graph.doomed {
            // Rows that the pull inserted itself would raise both the deleted rows and the total.
            let highest = highest[table] ?? .max
            guard layout.tables[table].hasEntityColumn else {
                let rows = doomed.rows.count { $0 <= highest }
                counts[layout.tables[table].name] = rows == 0 ? nil : rows
                continue
            }
            let rows = try reader.countEntities(of: doomed, in: table) { $0 <= highest }
            counts.merge(rows) { $0 + $1 }
        }
        var shares: [PendingDeletion.Share] = []
        let own = try layout.entity(walk.entity)
        let family =
            try own.family ?? counts.keys.filter { try layout.entity($0).table == own.table }
        let rows = family.reduce(0) { $0 + (counts.removeValue(forKey: $1) ?? 0) }
        if rows > 0 { shares.append(try share(own, rows, own.familyCondition)) }
        for (name, rows) in counts.sorted(by: { $0.key < $1.key }) {
            let entity = try layout.entity(name)
            shares.append(try share(entity, rows, entity.ownCondition(in: layout)))
        }
        return PendingDeletion(
            resource: walk.resource.hasPrefix(ImportSession.pendingPrefix)
                ? String(walk.resource.dropFirst(ImportSession.pendingPrefix.count))
                : walk.resource,
            entity: walk.entity,
            shares: shares
        )
    }

    private func share(
        _ entity: EntityLayout,
        _ rows: Int,
        _ condition: String
    ) throws -> PendingDeletion.Share {
        let table = layout.tables[entity.table].name.quotedDatabaseIdentifier
        // Other rows without a key are local drafts, which no list can contain.
        var counts = entity.key.isEmpty ? "1" : layout.hasKeyCondition(entity, in: table)
        var arguments: StatementArguments = [highest[entity.table] ?? .max]
        if !entity.key.isEmpty, try writer.hasKeylessRows(in: entity.table) {
            counts = "(\(counts) OR _id IN (SELECT row FROM _tidemark_keyless WHERE entity = ?))"
            arguments += [layout.tables[entity.table].name]
        }
        let total = try Int.fetchOne(
            writer.db,
            sql: "SELECT count(*) FROM \(table) WHERE _id <= ? AND \(counts)\(condition)",
            arguments: arguments
        )
        return PendingDeletion.Share(entity: entity.name, rows: rows, total: total ?? 0)
    }
}
