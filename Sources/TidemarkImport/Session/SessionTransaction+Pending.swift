import GRDB
import TidemarkModel
import TidemarkStore

/// Rows whose deletion is pending or was rejected.
struct PendingRows {
    /// The row numbers, by table.
    var byTable: [Int: [Int64]] = [:]

    /// Whether the deletion was rejected.
    var isRejected = false

    /// Whether a guard that permits nothing has found them: no other guard decides in its place.
    var isHeld = false
}

/// The deletion of unlisted rows that awaits approval.
extension SessionTransaction {
    /// Returns the rows whose deletion is pending or was rejected, and that are still stored and
    /// were neither contained in a list nor linked again.
    func pendingRows() throws -> PendingRows {
        var rows: [Int: [Int64]] = [:]
        for (table, progress) in run.usedTables { rows[table] = Array(progress.pending.rows) }
        var keyless: [Int: RowSet] = [:]
        for (table, numbers) in rows {
            // The app or another list may have deleted some of the rows.
            let stored = try numbers.filter { try run.isStored($0, in: table) }
            let keyed = try stored.filter { try hasKey($0, in: table) }
            keyless[table] = RowSet(Set(stored).subtracting(keyed))
            let lists = listsOfChildren(in: table)
            rows[table] = try keyed.filter { try !isLinked($0, in: table, by: lists) }
        }
        // Lists contain a row without a key only as part of another object: a link to it withdraws
        // its deletion.
        rows.merge(try run.writer.abandonedRows(among: keyless)) { $0 + $1 }
        rows = rows.filter { !$0.value.isEmpty }.mapValues { $0.sorted() }
        return PendingRows(
            byTable: rows,
            isRejected: isDeletionRejected,
            isHeld: isDeletionHeld
        )
    }

    private func hasKey(_ row: Int64, in table: Int) throws -> Bool {
        guard let entity = try run.reader.entity(of: row, in: table) else { return false }
        return try !entity.key.isEmpty && run.reader.hasKey(row, of: entity)
    }

    /// The relationships whose lists delete the rows of a table that were removed from them.
    private func listsOfChildren(in table: Int) -> [RelationshipLayout] {
        run.layout.relationships.values.filter { relationship in
            guard run.layout.entities[relationship.destination].table == table,
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
        by lists: [RelationshipLayout]
    ) throws -> Bool {
        guard table != entity.plan.entity.table else { return false }
        return try !lists.allSatisfy { try run.isOrphan(row, of: $0) }
    }

    /// Adds rows to the pending or rejected deletion of the list.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - isComplete: Whether they replace the earlier ones.
    /// - Throws: `DatabaseError`.
    func keepPending(_ rows: PendingRows, replacing isComplete: Bool) throws {
        let (db, pending) = (run.writer.db, session.pending)
        if isComplete { try run.importer.forget(db, pending.resource) }
        // The highest row number is 0: only rows that are marked are pending.
        try db.execute(
            sql: """
                INSERT INTO _tidemark_walk (resource, entity, run, highest) VALUES (?, ?, ?, ?) \
                ON CONFLICT DO NOTHING
                """,
            arguments: [pending.resource, pending.entity, pending.run, 0]
        )
        let seen = SeenRows(db, of: pending.resource, layout: run.layout)
        let entity = try run.layout.entity(pending.entity)
        try seen.setRejected(rows.isRejected, for: entity)
        try seen.setHeld(rows.isHeld, for: entity)
        try seen.addPending(rows.byTable)
        try seen.save(StoredRows(storedRows, in: run.layout))
    }

    // MARK: Counting

    /// Returns what the deletion of some rows would delete, by entity.
    func pendingDeletion(of rows: PendingRows) throws -> PendingDeletion {
        var deletion = try pendingDeletion(along: run.deletionGraph(of: rows.byTable))
        deletion.isRejected = rows.isRejected
        return deletion
    }

    /// Returns what a graph deletes, by entity, with the number of rows that each entity had when
    /// the list was requested.
    func pendingDeletion(along graph: DeleteGraph) throws -> PendingDeletion {
        let layout = run.layout
        var counts: [String: Int] = [:]
        for (table, doomed) in graph.doomed {
            // Rows that the pull inserted itself would raise both the deleted rows and the total.
            let highest = storedRows[table] ?? .max
            guard layout.tables[table].hasEntityColumn else {
                let rows = doomed.rows.count { $0 <= highest }
                counts[layout.tables[table].name] = rows == 0 ? nil : rows
                continue
            }
            let rows = try run.reader.countEntities(of: doomed, in: table) { $0 <= highest }
            counts.merge(rows) { $0 + $1 }
        }
        var shares: [PendingDeletion.Share] = []
        let own = try layout.entity(session.entity)
        let family =
            try own.family ?? counts.keys.filter { try layout.entity($0).table == own.table }
        let rows = family.reduce(0) { $0 + (counts.removeValue(forKey: $1) ?? 0) }
        if rows > 0 {
            shares.append(try share(of: own, rows: rows, condition: own.familyCondition))
        }
        for (name, rows) in counts.sorted(by: { $0.key < $1.key }) {
            let entity = try layout.entity(name)
            let condition = entity.ownCondition(in: layout)
            shares.append(try share(of: entity, rows: rows, condition: condition))
        }
        return PendingDeletion(resource: session.list, entity: session.entity, shares: shares)
    }

    private func share(
        of entity: EntityLayout,
        rows: Int,
        condition: String
    ) throws -> PendingDeletion.Share {
        let table = run.layout.tables[entity.table].name.quotedDatabaseIdentifier
        // Other rows without a key are local drafts, which no list can contain.
        var counts = entity.key.isEmpty ? "1" : run.layout.hasKeyCondition(entity, in: table)
        var arguments: StatementArguments = [storedRows[entity.table] ?? .max]
        if !entity.key.isEmpty, try run.writer.hasKeylessRows(in: entity.table) {
            counts = "(\(counts) OR _id IN (SELECT row FROM _tidemark_keyless WHERE entity = ?))"
            arguments += [run.layout.tables[entity.table].name]
        }
        let total = try Int.fetchOne(
            run.writer.db,
            sql: "SELECT count(*) FROM \(table) WHERE _id <= ? AND \(counts)\(condition)",
            arguments: arguments
        )
        return PendingDeletion.Share(entity: entity.name, rows: rows, total: total ?? 0)
    }
}
