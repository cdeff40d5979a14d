import GRDB
import TidemarkModel

/// The primary keys of changed rows, with values that may be stored in the rows of parents.
extension ChangeTables {
    /// Returns an expression for each value of a row's key, where `b` is the row before the
    /// transaction and `n` the row after it.
    ///
    /// - Parameters:
    ///   - table: The index of the row's table.
    ///   - entity: An expression for the name of its entity.
    /// - Returns: As many expressions as the longest key of the table has values.
    func keys(_ table: Int, of entity: String) -> [String] {
        let entities = layout.entities.filter { $0.table == table && !$0.isAbstract }
        let count = entities.map(\.keyParts.count).max() ?? 0
        let choices = entities.map { (name: $0.name, values: keys(of: $0)) }
        return (0..<count).map { index in
            let values = choices.map { $0.values.dropFirst(index).first ?? "NULL" }
            if Set(values).count == 1 { return values[0] }
            let cases = zip(choices, values).map { "WHEN \($0.name.quotedText) THEN \($1)" }
            return "CASE \(entity) \(cases.joined(separator: " ")) END"
        }
    }

    private func keys(of entity: EntityLayout) -> [String] {
        zip(entity.keyParts, layout.keyExpressions(of: entity, in: "n")).map { part, now in
            "iif(n._id IS NULL, \(before(of: part, table: entity.table)), \(now))"
        }
    }

    /// Returns an expression for a part of a key before the transaction.
    private func before(of part: KeyPartLayout, table: Int) -> String {
        guard let first = part.references.first else { return "b.c\(part.column)" }
        // A parent that the transaction has not changed has no copy.
        func value(_ column: Int, of row: String, in table: Int) -> String {
            """
            coalesce((SELECT c\(column) FROM \(rows(table)) WHERE _id = \(row)), \
            (SELECT \(layout.name(of: column, in: table)) FROM \(main(table)) WHERE _id = \(row)))
            """
        }
        var row = "b.c\(first.column)"
        var table = first.table
        for reference in part.references.dropFirst() {
            row = value(reference.column, of: row, in: table)
            table = reference.table
        }
        return value(part.column, of: row, in: table)
    }

    // MARK: Keys of parents

    /// Marks the rows whose key contains one that has changed, as changed links without a property.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - changed: The tables with rows that were written themselves.
    /// - Throws: `DatabaseError`.
    func markRekeyed(_ db: Database, _ changed: [Int]) throws {
        for table in changed { try run(db, childrenOfChanged(table)) }
        // The key of a child may itself be part of other keys.
        let depth = layout.entities.flatMap(\.keyParts).map(\.references.count).max() ?? 0
        for _ in 0..<max(0, depth - 1) {
            try run(db, layout.tables.indices.flatMap(childrenOfMarked))
        }
    }

    /// Returns the statements that mark the children of rows whose own part of the key differs.
    private func childrenOfChanged(_ table: Int) -> [String] {
        let columns = Set(layout.tables[table].keys.joined()).sorted()
        let differs = columns.map { "b.c\($0) IS NOT n.\(layout.name(of: $0, in: table))" }
        return marks(
            onChildrenOf: table,
            from: """
                \(touched) p JOIN \(rows(table)) b ON b._id = p.row \
                JOIN \(main(table)) n ON n._id = p.row
                """,
            where: differs.joined(separator: " OR ")
        )
    }

    /// Returns the statements that mark the children of marked rows.
    private func childrenOfMarked(_ table: Int) -> [String] {
        marks(onChildrenOf: table, from: "\(links) p", where: "p.property = ''")
    }

    private func marks(
        onChildrenOf table: Int,
        from source: String,
        where condition: String
    ) -> [String] {
        layout.keyReferences(to: table).map { child in
            let parent = layout.name(of: child.column, in: child.table)
            return """
                INSERT OR IGNORE INTO \(links) SELECT \(child.table), c._id, '' FROM \(source) \
                JOIN \(main(child.table)) c ON c.\(parent) = p.row \
                WHERE p.tree = \(table) AND (\(condition))
                """
        }
    }
}
