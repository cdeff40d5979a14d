public import GRDB
import TidemarkModel
public import TidemarkStore

/// Rows that the service no longer has and that were kept, because their deletion exceeds a
/// ``DeletionGuard``.
///
/// They stay until the deletion is approved, or a list names them or links them again.
public struct PendingDeletion: Sendable, Hashable {
    /// The rows of one entity that would be deleted.
    public struct Share: Sendable, Hashable {
        /// The entity.
        public var entity: String

        /// How many of its rows would be deleted.
        public var rows: Int

        /// How many of its rows count: those that were stored when the list was requested, without
        /// those that have no primary key and that no import made.
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

    /// The entity that the list's objects are.
    public var entity: String

    /// What would be deleted of each entity, the list's own first.
    ///
    /// Nested objects and rows that would be deleted by cascade are included.
    public var shares: [Share]

    /// Whether the deletion was rejected: the rows are kept until a list names or links them, or
    /// until the deletion of others exceeds the guard.
    public var isRejected: Bool

    /// How many rows would be deleted in all.
    public var rows: Int { shares.reduce(0) { $0 + $1.rows } }

    /// Creates a pending deletion.
    public init(resource: String, entity: String, shares: [Share], isRejected: Bool = false) {
        self.isRejected = isRejected
        self.resource = resource
        self.entity = entity
        self.shares = shares
    }
}

/// Rows whose deletion awaits approval, or was rejected.
struct PendingRows {
    /// The numbers of the rows, by table.
    var byTable: [Int: [Int64]] = [:]

    /// Whether the deletion was rejected.
    var isRejected = false
}

extension Importer {
    /// The deletions that await approval, and those that were rejected, in the order of their
    /// lists' names.
    ///
    /// Rows that a list named after their deletion became pending are not included.
    ///
    /// - Throws: `DatabaseError`.
    public func pendingDeletions(_ db: Database) throws -> [PendingDeletion] {
        try Self.pendingSessions(db).compactMap { session in
            let (run, pending) = try pendingRows(db, session)
            let deletion = try run.pendingDeletion(of: session, pending)
            return deletion.shares.isEmpty ? nil : deletion
        }
    }

    /// The rows that a pending deletion is about, in the order of tables and row numbers; those
    /// that would be deleted by cascade are not included.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - resource: The name of the list.
    ///   - limit: How many rows are returned at most; none where it is negative.
    /// - Returns: The rows; none where no deletion is pending.
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

    /// Deletes the rows of a pending deletion, except those that a list has named or linked since.
    ///
    /// The service is not asked again: `SyncEngine.approveDeletion(of:)` does that first.
    ///
    /// - Returns: What was deleted, by entity.
    /// - Throws: ``ImportError/Code/unknownWalk`` when no deletion of this list is pending.
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

    /// Rejects a pending deletion: its rows are kept, until a list names or links them, or until
    /// the deletion of others exceeds the guard.
    ///
    /// ``approveDeletion(_:_:)`` deletes them all the same.
    ///
    /// - Throws: `DatabaseError`.
    public func rejectDeletion(_ db: Database, _ resource: String) throws {
        // A session of an earlier revision has no list of its rows.
        try db.execute(
            sql: "DELETE FROM _tidemark_walk WHERE resource = ? AND highest > 0",
            arguments: [ImportSession.pendingPrefix + resource]
        )
        guard let session = try Self.pendingSession(db, resource) else { return }
        try SeenRows(db, session.resource, store.layout)
            .setRejected(true, store.layout.entity(session.entity))
    }

    /// Makes rows await approval, or keeps them as rejected, in addition to those of the list that
    /// do already.
    func keepPending(
        _ db: Database,
        _ rows: PendingRows,
        of walk: ImportSession,
        countingOnly stored: [Int: Int64],
        replacing isComplete: Bool
    ) throws {
        let session = walk.pending
        if isComplete { try forget(db, session.resource) }
        // Row numbers up to 0: only rows that are marked are pending. A session of an earlier
        // revision keeps its own number.
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

    /// The rows whose deletion awaits approval or was rejected; none where there is no such
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
    /// What the name of a session begins with whose rows await approval.
    ///
    /// The prefix is part of the store's format.
    static let pendingPrefix = "parked:"

    /// The session under which rows of this one await approval.
    var pending: ImportSession {
        ImportSession(Self.pendingPrefix + resource, into: entity, run: run)
    }

    /// The name of the session that decides which rows of the list's entity are deleted.
    var decidingResource: String {
        if case .children(let parent) = scope { parent.session } else { resource }
    }
}

extension ImportRun {
    /// The rows whose deletion awaits approval or was rejected: those that are still stored, and
    /// were neither named nor linked again.
    ///
    /// Sessions of earlier revisions have no list of these rows: theirs are those up to `highest`
    /// that the session has not named.
    func pendingRows(_ entity: EntityImport, upTo highest: Int64) throws -> PendingRows {
        var rows = pending.mapValues { Array($0.rows) }
        if highest > 0 {
            try findStale(entity, upTo: highest)
            rows.merge(stale) { $0 + $1 }
            stale = [:]
        }
        var keyless: [Int: RowSet] = [:]
        for (table, numbers) in rows {
            let stored = try numbers.filter { try isStored($0, in: table) }
            let keyed = try stored.filter { try hasKey($0, in: table) }
            keyless[table] = RowSet(Set(stored).subtracting(keyed))
            let lists = listsOfChildren(in: table)
            rows[table] = try keyed.filter { try !isLinked($0, in: table, by: lists, entity) }
        }
        rows.merge(try writer.abandonedRows(among: keyless)) { $0 + $1 }
        rows = rows.filter { !$0.value.isEmpty }.mapValues { $0.sorted() }
        return PendingRows(byTable: rows, isRejected: isDeletionRejected)
    }

    private func hasKey(_ row: Int64, in table: Int) throws -> Bool {
        guard let entity = try reader.entity(of: row, in: table) else { return false }
        return try !entity.key.isEmpty && reader.hasKey(row, of: entity)
    }

    /// The relationships whose lists delete the rows of a table that leave them.
    private func listsOfChildren(in table: Int) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            guard layout.entities[relationship.destination].table == table,
                relationship.relationship.isToMany, case .inverse = relationship.storage
            else { return false }
            return relationship.relationship.orphans != .unlink
        }
    }

    /// Whether a row with a key that had lost its parent has one again.
    ///
    /// What is linked to a row of the list itself makes no difference: the list tells whether the
    /// row is there.
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

    /// What would be deleted with some rows, by entity.
    func pendingDeletion(of walk: ImportSession, _ rows: PendingRows) throws -> PendingDeletion {
        let graph = try DeleteGraph(writer, deleting: rows.byTable, keeping: seen)
        var deletion = try pendingDeletion(of: walk, along: graph)
        deletion.isRejected = rows.isRejected
        return deletion
    }

    /// What a graph deletes, by entity, and how many rows each entity had when the list was
    /// requested.
    func pendingDeletion(of walk: ImportSession, along graph: DeleteGraph) throws -> PendingDeletion
    {
        var counts: [String: Int] = [:]
        for (table, doomed) in graph.doomed {
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
        // Other rows without a key are local drafts, which no list can name.
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
