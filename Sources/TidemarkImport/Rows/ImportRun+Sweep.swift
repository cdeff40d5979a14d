import GRDB
import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Finds the rows of an entity that the document does not contain.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - highest: The highest row number when the import began. Later rows are ignored.
    ///   - candidates: The rows in scope; nil for all.
    /// - Throws: `DatabaseError`.
    func findStale(
        _ entity: EntityImport,
        upTo highest: Int64,
        among candidates: RowSet? = nil
    ) throws {
        guard !entity.plan.key.isEmpty, highest > 0 else { return }
        let rows = try unnamedRows(of: entity, in: .min...highest, among: candidates)
        if !rows.isEmpty { stale[entity.plan.entity.table, default: []] += rows }
    }

    /// Returns whether the list lacks a row of an entity with a higher number.
    func hasUnnamedRow(_ entity: EntityImport, after highest: Int64) throws -> Bool {
        guard highest < .max else { return false }
        return try !unnamedRows(of: entity, in: highest + 1 ... .max, limit: 1).isEmpty
    }

    /// Returns the rows of an entity that have a key and that the document does not contain, sorted
    /// by row number.
    ///
    /// A document contains nearly all rows. Only the gaps between its rows are queried, so that
    /// SQLite steps over none of the others.
    private func unnamedRows(
        of entity: EntityImport,
        in range: ClosedRange<Int64>,
        among candidates: RowSet? = nil,
        limit: Int = .max
    ) throws -> [Int64] {
        let name = entity.table.name.quotedDatabaseIdentifier
        let rows = try writer.statement(
            """
            SELECT _id FROM \(name) WHERE _id BETWEEN ? AND ? \
            AND \(layout.hasKeyCondition(entity.plan.entity, in: name))\
            \(entity.plan.entity.familyCondition) ORDER BY _id
            """
        )
        rows.bind(range.upperBound, at: 2)
        var unnamed: [Int64] = []
        var next: Int64? = range.lowerBound
        while let start = next, let gap = entity.seen.firstMissing(from: start),
            gap <= range.upperBound
        {
            rows.bind(gap, at: 1)
            defer { rows.reset() }
            next = nil
            while unnamed.count < limit, try rows.step() {
                let number = rows.integer(at: 0)
                if entity.seen.contains(number) {
                    // A search costs as much as several dozen steps, so a gap in the same word of
                    // 64 rows is reached by stepping.
                    let gap = entity.seen.firstMissing(from: number) ?? .max
                    guard gap >> 6 == number >> 6 else {
                        next = number
                        break
                    }
                } else if candidates?.contains(number) != false {
                    unnamed.append(number)
                }
            }
        }
        return unnamed
    }

    /// Deletes the rows that the document does not contain, the children that were removed from the
    /// list of their parent and appear nowhere else, the rows that the service reported as deleted,
    /// and the rows without a key that no row links to any more.
    func deleteStale() throws {
        try delete(takeStale())
    }

    /// Removes and returns the rows to delete, by table.
    ///
    /// Each row is returned once.
    ///
    /// They are deleted together, because a rule may deny the deletion of some rows unless others
    /// are deleted, too.
    func takeStale() throws -> [Int: [Int64]] {
        var rows = stale
        stale = [:]
        for (relationship, left) in leftOut.sorted(by: { $0.key < $1.key }) {
            // A migration may have removed the relationship since the session began.
            guard let relationship = layout.relationships[relationship] else { continue }
            let destination = layout.entities[relationship.destination]
            for row in left.rows {
                if try destination.key.isEmpty || !reader.hasKey(row, of: destination) {
                    // Sessions written by earlier versions have rows without a key among the
                    // children.
                    writer.unlinked(in: destination.table).insert(row)
                } else if try isGone(row, relationship) {
                    rows[destination.table, default: []].append(row)
                }
            }
        }
        leftOut = [:]
        for table in rows.keys.sorted() where !mayDelete(rows[table] ?? [], from: table) {
            rows[table] = nil
        }
        // An object without a usable key cannot refer to one of these rows: they have no key.
        rows.merge(try writer.takeAbandoned()) { Array(RowSet($0 + $1).rows) }
        for (table, numbers) in gone.sorted(by: { $0.key < $1.key }) where numbers.count > 0 {
            rows[table] = Array(RowSet((rows[table] ?? []) + Array(numbers.rows)).rows)
            // A row that another object embeds is deleted nevertheless: its own object reports the
            // deletion.
            for row in numbers.rows { seen[table]?.remove(row) }
        }
        gone = [:]
        return rows
    }

    /// Returns whether a row that was removed from the list of a relationship is to be deleted.
    func isGone(_ row: Int64, _ relationship: RelationshipLayout) throws -> Bool {
        let destination = layout.entities[relationship.destination]
        guard seen[destination.table]?.contains(row) != true else { return false }
        // A row that left one parent's list for another's has moved.
        return try layout.isParentInKey(relationship)
            || writer.owners(of: relationship, pointingAt: row).isEmpty
    }

    /// Returns whether rows that the document does not contain may be deleted.
    ///
    /// If not, because an object of the document may be any row, logs a diagnostic.
    func mayDelete(_ rows: [Int64], from table: Int) -> Bool {
        guard !rows.isEmpty, namelessTables.contains(table) else { return !rows.isEmpty }
        log.note(
            layout.tables[table].name,
            nil,
            "No rows were deleted: an object without a usable primary key may be any of them."
        ) { (nil, nil) }
        return false
    }

    func delete(_ rows: [Int: [Int64]]) throws {
        guard !rows.isEmpty else { return }
        // A row that the document contains is kept, whatever rows it was linked to.
        try delete(DeleteGraph.resolve(deleting: rows, keeping: seen, with: writer))
    }

    func delete(_ graph: DeleteGraph) throws {
        let outcome = try writer.delete(graph, isRemembered: true)
        for (entity, count) in outcome.deleted {
            deleted[entity, default: 0] += count
        }
        for denial in outcome.denials {
            log.note(
                denial.table,
                nil,
                "The row is not deleted: \(denial.relationship) has the delete rule deny."
            ) { ("#\(denial.row)", nil) }
        }
    }
}
