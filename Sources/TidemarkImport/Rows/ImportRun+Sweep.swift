import GRDB
import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Finds the rows of an entity that the document did not name.
    ///
    /// - Parameters:
    ///   - entity: the entity whose rows are judged.
    ///   - highest: the highest row number when the import began; later rows are not judged.
    ///   - candidates: the rows that are judged; nil for all.
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

    /// Whether a row of an entity with a higher number was not named by the list.
    func hasUnnamedRow(_ entity: EntityImport, after highest: Int64) throws -> Bool {
        guard highest < .max else { return false }
        return try !unnamedRows(of: entity, in: highest + 1 ... .max, limit: 1).isEmpty
    }

    /// The rows of an entity that have a key and that the document did not name, in their order.
    ///
    /// A document names nearly all rows: SQLite is asked for those in the gaps between them alone,
    /// so that it steps over none of the others.
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
                    // A search costs as much as some dozens of steps.
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

    /// Deletes the rows that the document did not name, the children that were removed from the
    /// list of their parent and are named nowhere else, the rows that the service reported as
    /// deleted, and the rows without a key that nothing links to any more.
    func deleteStale() throws {
        try delete(takeStale())
    }

    /// The rows to delete, by table.
    ///
    /// They are deleted at once, because a rule may deny the deletion of some unless others are
    /// deleted too. Each row is returned once.
    func takeStale() throws -> [Int: [Int64]] {
        var rows = stale
        stale = [:]
        for (relationship, left) in leftOut.sorted(by: { $0.key < $1.key }) {
            guard let relationship = layout.relationships[relationship] else { continue }
            let destination = layout.entities[relationship.destination]
            for row in left.rows {
                if try destination.key.isEmpty || !reader.hasKey(row, of: destination) {
                    // Sessions of earlier revisions have rows without a key among the children.
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
        // No object of the document can be one of those, whatever key it lacks.
        rows.merge(try writer.takeAbandoned()) { Array(RowSet($0 + $1).rows) }
        for (table, numbers) in gone.sorted(by: { $0.key < $1.key }) where numbers.count > 0 {
            rows[table] = Array(RowSet((rows[table] ?? []) + Array(numbers.rows)).rows)
            // A row that another object embeds is deleted all the same: its own object says so.
            for row in numbers.rows { seen[table]?.remove(row) }
        }
        gone = [:]
        return rows
    }

    /// Whether a row that left the list of a relationship is to be deleted.
    func isGone(_ row: Int64, _ relationship: RelationshipLayout) throws -> Bool {
        let destination = layout.entities[relationship.destination]
        guard seen[destination.table]?.contains(row) != true else { return false }
        // A row that left one parent's list for another's has moved.
        return try layout.isParentInKey(relationship)
            || writer.owners(of: relationship, pointingAt: row).isEmpty
    }

    /// Whether rows that the document has not named may be deleted; when an object of it may be
    /// any row, that is noted.
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
        // A row that the document names stays, whatever it was linked to.
        try delete(DeleteGraph(writer, deleting: rows, keeping: seen))
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
