import TidemarkModel

/// The primary keys of changed rows, whose values may be in the rows of parents.
extension ChangeTables {
    /// An expression for each value of the key of a row, where `b` is what it was before, and `n`
    /// what it is now.
    ///
    /// - Parameters:
    ///   - table: The table of the row.
    ///   - entity: An expression for the name of its entity.
    /// - Returns: The expressions, as many as the longest key of the table has values.
    func keys(_ table: Int, of entity: String) -> [String] {
        let entities = layout.entities.filter { $0.table == table && !$0.isAbstract }
        let count = entities.map(\.keyParts.count).max() ?? 0
        let choices = entities.map { (name: $0.name, values: keys(of: $0)) }
        return (0..<count).map { place in
            let values = choices.map { $0.values.dropFirst(place).first ?? "NULL" }
            if Set(values).count == 1 { return values[0] }
            let cases = zip(choices, values).map { "WHEN \($0.name.quotedText) THEN \($1)" }
            return "CASE \(entity) \(cases.joined(separator: " ")) END"
        }
    }

    private func keys(of entity: EntityLayout) -> [String] {
        zip(entity.keyParts, layout.keyExpressions(of: entity, in: "n")).map { part, now in
            "iif(n._id IS NULL, \(before(part, entity.table)), \(now))"
        }
    }

    /// The value of a part of a key before the transaction.
    private func before(_ part: KeyPartLayout, _ table: Int) -> String {
        guard let first = part.references.first else { return "b.c\(part.column)" }
        // A parent that the transaction has not touched has no copy.
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
}
