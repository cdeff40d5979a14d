import GRDB
import TidemarkModel

/// The order of links.
extension StoreWriter {
    func putLast(
        _ other: Int64,
        position: Int,
        among column: Int,
        of row: Int64,
        in table: Int
    ) throws {
        let quoted = name(of: position, in: table)
        let update = try statement(
            for: .putLast(table: table, position: position),
            sql: """
                UPDATE \(name(of: table)) SET \(quoted) = (SELECT coalesce(max(\(quoted)), -1) + 1 \
                FROM \(name(of: table)) WHERE \(name(of: column, in: table)) = ?1 AND _id <> ?2) \
                WHERE _id = ?2
                """
        )
        update.bind(row, at: 1)
        update.bind(other, at: 2)
        try update.run()
        recordUpdate(of: other, position, in: table)
    }

    /// Moves a linked row to a position if the relationship is ordered, and returns whether it
    /// moved.
    @discardableResult
    package func put(
        _ other: Int64,
        at position: Int64,
        in relationship: RelationshipLayout,
        of row: Int64
    ) throws -> Bool {
        guard relationship.relationship.isOrdered, let sql = orderSQL(relationship),
            try linkConflicts?.mayOrder(relationship, of: row) != false
        else { return false }
        let update = try statement(for: .put(relationship.storage), sql: sql)
        update.bind(position, at: 1)
        update.bind(row, at: 2)
        update.bind(other, at: 3)
        var moved: Int64?
        while try update.step() { moved = update.integer(at: 0) }
        update.reset()
        guard let moved else { return false }
        switch relationship.storage {
        case .column:
            break
        case .inverse(let table, _, let position):
            if let position { recordUpdate(of: moved, position, in: table) }
        case .join(let join, _):
            // Columns of a join table have no index in the layout, so the mask is empty.
            changes.table(layout.joins[join].name).update(moved, columns: ColumnMask())
        }
        return true
    }

    /// Returns whether a member of an ordered list has no position.
    ///
    /// Such members come after all others, in the order of their row numbers.
    func hasUnplaced(_ relationship: RelationshipLayout, of row: Int64) throws -> Bool {
        let rows: String
        switch relationship.storage {
        case .inverse(let table, let column, let position?):
            rows =
                "\(name(of: table)) WHERE \(name(of: column, in: table)) = ? "
                + "AND \(name(of: position, in: table)) IS NULL"
        case .join(let index, let side):
            let join = layout.joins[index]
            guard let position = join.positionColumn(side) else { return false }
            rows =
                "\(join.name.quotedDatabaseIdentifier) "
                + "WHERE \(side.ownColumn) = ? AND \(position) IS NULL"
        case .column, .inverse:
            return false
        }
        let find = try statement("SELECT 1 FROM \(rows) LIMIT 1")
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step()
    }

    private func orderSQL(_ relationship: RelationshipLayout) -> String? {
        switch relationship.storage {
        case .column, .inverse(_, _, nil):
            return nil
        case .inverse(let table, let column, let position?):
            let position = name(of: position, in: table)
            return """
                UPDATE \(name(of: table)) SET \(position) = ?1 WHERE \
                \(name(of: column, in: table)) = ?2 AND _id = ?3 AND \(position) IS NOT ?1 \
                RETURNING _id
                """
        case .join(let index, let side):
            let join = layout.joins[index]
            guard let position = join.positionColumn(side) else { return nil }
            return """
                UPDATE \(join.name.quotedDatabaseIdentifier) SET \(position) = ?1 \
                WHERE \(side.ownColumn) = ?2 AND \(side.otherColumn) = ?3 \
                AND \(position) IS NOT ?1 RETURNING _id
                """
        }
    }
}
