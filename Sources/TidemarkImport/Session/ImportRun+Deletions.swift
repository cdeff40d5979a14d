import GRDB
import TidemarkModel
import TidemarkStore

/// The rows that a list no longer contains.
///
/// An import marks the rows that it sees, and deletes the others at the end: only a list that was
/// read completely proves that a row was deleted.
extension ImportRun {
    /// Returns the rows of an entity that the document does not contain, sorted by row number.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - highest: The highest row number when the import began. Later rows are ignored.
    ///   - candidates: The rows in scope; nil for all.
    /// - Returns: The row numbers.
    /// - Throws: `DatabaseError`.
    func unlistedRows(
        of entity: EntityImport,
        upTo highest: Int64,
        among candidates: RowSet? = nil
    ) throws -> [Int64] {
        guard !entity.plan.key.isEmpty, highest > 0 else { return [] }
        return try unlistedRows(of: entity, in: .min...highest, among: candidates)
    }

    /// Returns whether the list lacks a row of an entity with a higher number.
    func hasUnlistedRow(of entity: EntityImport, after highest: Int64) throws -> Bool {
        guard highest < .max else { return false }
        return try !unlistedRows(of: entity, in: highest + 1 ... .max, limit: 1).isEmpty
    }

    /// Returns the rows of an entity that have a key and that the document does not contain.
    ///
    /// A document contains nearly all rows. Only the gaps between its rows are queried, so that
    /// SQLite steps over none of the others.
    private func unlistedRows(
        of entity: EntityImport,
        in range: ClosedRange<Int64>,
        among candidates: RowSet? = nil,
        limit: Int = .max
    ) throws -> [Int64] {
        let name = entity.rows.statements.tableName
        let seen = entity.progress.seen
        let rows = try writer.statement(
            """
            SELECT _id FROM \(name) WHERE _id BETWEEN ? AND ? \
            AND \(layout.hasKeyCondition(entity.plan.entity, in: name))\
            \(entity.plan.entity.familyCondition) ORDER BY _id
            """
        )
        rows.bind(range.upperBound, at: 2)
        var unlisted: [Int64] = []
        var next: Int64? = range.lowerBound
        while let start = next, let gap = seen.firstMissing(from: start), gap <= range.upperBound {
            rows.bind(gap, at: 1)
            defer { rows.reset() }
            next = nil
            while unlisted.count < limit, try rows.step() {
                let number = rows.integer(at: 0)
                if seen.contains(number) {
                    // A search costs as much as several dozen steps, so a gap in the same word of
                    // 64 rows is reached by stepping.
                    let gap = seen.firstMissing(from: number) ?? .max
                    guard gap >> 6 == number >> 6 else {
                        next = number
                        break
                    }
                } else if candidates?.contains(number) != false {
                    unlisted.append(number)
                }
            }
        }
        return unlisted
    }

    /// Returns the highest row number that an entity's table has ever used.
    func highestRow(in entity: EntityImport) throws -> Int64 {
        try StoredRows.highest(writer.db, in: entity.rows.table)
    }

    /// Returns whether a row has no key yet, because the service has to assign it.
    ///
    /// No document can contain the row, so that none proves that it was deleted.
    func isDraft(_ number: Int64, of entity: EntityImport) throws -> Bool {
        try !entity.plan.key.isEmpty && !reader.hasKey(number, of: entity.plan.entity)
    }

    // MARK: Deleting

    /// Deletes the rows that the document does not contain, the children that were removed from the
    /// list of their parent and appear nowhere else, the rows that the service reported as deleted,
    /// and the rows without a key that no row links to any more.
    func deleteUnlisted() throws {
        var rows = try takeUnlisted().deleted
        try resolver?.spare(&rows, with: writer)
        try delete(rows)
    }

    /// Rows that the service no longer has, by table.
    struct DeletableRows {
        /// Those to delete.
        var deleted: [Int: [Int64]] = [:]

        /// Those whose changes the service has just accepted: their objects are read first.
        var spared: [Int: [Int64]] = [:]
    }

    /// Removes and returns the rows that the service no longer has.
    ///
    /// Each row is returned once.
    ///
    /// They are deleted together, because a rule may deny the deletion of some rows unless others
    /// are deleted, too.
    func takeUnlisted() throws -> DeletableRows {
        var rows: [Int: [Int64]] = [:]
        var spared: [Int: [Int64]] = [:]
        for (table, progress) in usedTables where !progress.unlisted.isEmpty {
            let left = try spareAcknowledged(progress.unlisted, in: table)
            rows[table] = left
            if left.count < progress.unlisted.count {
                let isLeft = RowSet(left)
                spared[table] = progress.unlisted.filter { !isLeft.contains($0) }
            }
            progress.unlisted = []
        }
        try addRemovedChildren(to: &rows)
        for table in rows.keys.sorted() where !mayDelete(rows[table] ?? [], from: table) {
            rows[table] = nil
        }
        // An object without a usable key cannot refer to one of these rows: they have no key.
        rows.merge(try writer.takeAbandoned()) { Array(RowSet($0 + $1).rows) }
        for (table, progress) in usedTables where progress.reportedDeleted.count > 0 {
            let deleted = Array(progress.reportedDeleted.rows)
            rows[table] = Array(RowSet((rows[table] ?? []) + deleted).rows)
            // A row that another object embeds is deleted nevertheless: its own object reports the
            // deletion.
            for row in deleted { progress.seen.remove(row) }
            progress.reportedDeleted = RowSet()
        }
        return DeletableRows(deleted: rows, spared: spared)
    }

    /// Returns the rows of unlisted ones that the service has not just accepted.
    private func spareAcknowledged(_ rows: [Int64], in table: Int) throws -> [Int64] {
        guard options.origin == .service, try Capture.isInstalled(writer.db) else { return rows }
        return try AcknowledgedChanges(writer.db, layout)
            .spare(rows, in: table, at: importer.now?())
    }

    private func addRemovedChildren(to rows: inout [Int: [Int64]]) throws {
        for (identifier, removed) in unlisted.children.sorted(by: { $0.key < $1.key }) {
            // A migration may have removed the relationship since the session began.
            guard let relationship = layout.relationships[identifier] else { continue }
            let destination = layout.entities[relationship.destination]
            for row in removed.rows {
                if try destination.key.isEmpty || !reader.hasKey(row, of: destination) {
                    // It may be a local draft: the writer deletes only what an import has created.
                    writer.unlinked(in: destination.table).insert(row)
                } else if try isOrphan(row, of: relationship) {
                    rows[destination.table, default: []].append(row)
                }
            }
        }
        unlisted.children = [:]
    }

    /// Returns whether a row that was removed from the list of a relationship is to be deleted.
    func isOrphan(_ row: Int64, of relationship: RelationshipLayout) throws -> Bool {
        let table = layout.entities[relationship.destination].table
        guard progress(ofTable: table)?.seen.contains(row) != true else { return false }
        // A row that left one parent's list for another's has moved.
        return try layout.isParentInKey(relationship)
            || writer.owners(of: relationship, pointingAt: row).isEmpty
    }

    /// Returns whether rows that the document does not contain may be deleted.
    ///
    /// If not, because an object of the document may be any row, a diagnostic is recorded.
    func mayDelete(_ rows: [Int64], from table: Int) -> Bool {
        guard !rows.isEmpty, progress(ofTable: table)?.hasUnidentifiedObject == true else {
            return !rows.isEmpty
        }
        log.record(
            "No rows were deleted: an object without a usable primary key may be any of them.",
            entity: layout.tables[table].name
        ) { (nil, nil) }
        return false
    }

    func delete(_ rows: [Int: [Int64]]) throws {
        guard !rows.isEmpty else { return }
        try delete(deletionGraph(of: rows))
    }

    /// Returns the rows that are deleted together with others.
    ///
    /// A row that the document contains is kept, whatever rows it was linked to.
    ///
    /// - Parameters:
    ///   - rows: The rows, by table.
    ///   - sparesEdited: Whether rows with local changes are kept, as the policies decide.
    /// - Returns: The graph.
    /// - Throws: `DatabaseError`.
    func deletionGraph(
        of rows: [Int: [Int64]],
        sparingEdited sparesEdited: Bool = true
    ) throws -> DeleteGraph {
        var kept = Dictionary(uniqueKeysWithValues: usedTables.map { ($0.index, $0.progress.seen) })
        var rows = rows
        for (table, unpushed) in try sparesEdited ? resolver?.keptRows() ?? [:] : [:] {
            kept[table] = RowSet((kept[table].map { Array($0.rows) } ?? []) + unpushed.rows)
            rows[table]?.removeAll(where: unpushed.contains)
        }
        return try DeleteGraph.resolve(deleting: rows, keeping: kept, with: writer)
    }
}
