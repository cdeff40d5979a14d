import GRDB
import TidemarkModel

/// The comparison of rows before and after a transaction.
extension ChangeTables {
    /// Returns whether a row or a link was written since the last lines.
    func hasChanges(_ db: Database) throws -> Bool {
        if try !numbers(db, "SELECT 1 FROM \(touched) LIMIT 1").isEmpty { return true }
        return try layout.joins.indices.contains { try hasPairs(db, $0) }
    }

    private func hasPairs(_ db: Database, _ join: Int) throws -> Bool {
        try !numbers(db, "SELECT 1 FROM \(pairs(join)) LIMIT 1").isEmpty
    }

    /// Writes a line for each row that differs from its copy, and deletes the copies.
    ///
    /// - Returns: The number of the last line.
    func seal(_ db: Database, _ position: LinePosition) throws -> Int64 {
        let changed = try trees(db)
        let joins = try layout.joins.indices.filter { try hasPairs(db, $0) }
        for join in joins { try run(db, changedPairs(join)) }
        for table in changed { try run(db, changedReferences(table)) }
        try markRekeyed(db, changed)
        try touchLinked(db)
        for table in try trees(db) {
            try writeLines(db, comparison(table), at: position)
        }
        // The copies are still needed until here: the key of a row may be in the copy of its
        // parent.
        for table in changed { try run(db, "DELETE FROM \(rows(table))") }
        let last = try position.last + lastTouched(db)
        try run(db, joins.map { "DELETE FROM \(pairs($0))" })
        try run(db, "DELETE FROM \(links)", "DELETE FROM \(touched)")
        return last
    }

    /// Runs a statement that writes lines.
    func writeLines(_ db: Database, _ sql: String, at position: LinePosition) throws {
        let statement = try RowStatement.prepare(db, sql)
        statement.bind(Int64(position.commit), at: 1)
        statement.bind(Int64(position.layout), at: 2)
        statement.bind(position.last, at: 3)
        try statement.run()
    }

    /// Returns the greatest number in `touched`, by which lines are numbered.
    func lastTouched(_ db: Database) throws -> Int64 {
        try numbers(db, "SELECT coalesce(max(_id), 0) FROM \(touched)").first ?? 0
    }

    private func trees(_ db: Database) throws -> [Int] {
        try numbers(db, "SELECT DISTINCT tree FROM \(touched)").map(Int.init)
    }

    /// Adds the rows of which only links differ, after those that were written themselves.
    private func touchLinked(_ db: Database) throws {
        try run(
            db,
            """
            INSERT INTO \(touched) (tree, row, existed) SELECT DISTINCT tree, row, 1 \
            FROM \(links) AS l WHERE NOT EXISTS \
            (SELECT 1 FROM \(touched) t WHERE t.tree = l.tree AND t.row = l.row)
            """
        )
    }

    // MARK: Links

    /// Returns the statements that find both ends of the differing pairs of a join table.
    private func changedPairs(_ join: Int) -> [String] {
        ends(join).map { end in
            """
            INSERT OR IGNORE INTO \(links) \
            SELECT \(end.table), p.\(end.column), \(end.property.quotedText) \
            FROM \(pairs(join)) p LEFT JOIN \(main(join: join)) j \
            ON j.owner = p.owner AND j.member = p.member \
            WHERE p.existed <> (j._id IS NOT NULL) \
            OR p.existed AND p.\(end.position) IS NOT j.\(end.position)
            """
        }
    }

    /// One end of a pair, and the name of its relationship.
    private struct PairEnd {
        let table: Int
        let column: String
        let position: String
        let property: String
    }

    private func ends(_ join: Int) -> [PairEnd] {
        layout.relationships.values.sorted { $0.identifier < $1.identifier }.flatMap {
            relationship -> [PairEnd] in
            guard case .join(join, let side) = relationship.storage else { return [] }
            func end(_ column: String, position: String) -> PairEnd {
                PairEnd(
                    table: relationship.table,
                    column: column,
                    position: position,
                    property: relationship.relationship.name
                )
            }
            switch side {
            case .owner: return [end("owner", position: "position")]
            case .member: return [end("member", position: "inversePosition")]
            case .either:
                return [end("owner", position: "position"), end("member", position: "position")]
            }
        }
    }

    /// Returns the statements that find the rows at the other ends of references that differ, if
    /// these rows have changed as well: both relationships are to-one, or the list has another
    /// order.
    private func changedReferences(_ table: Int) -> [String] {
        layout.relationships.values.sorted { $0.identifier < $1.identifier }.flatMap {
            relationship -> [String] in
            guard case .inverse(table, let column, let position) = relationship.storage else {
                return []
            }
            if relationship.relationship.isToMany {
                return position.map {
                    [changedPositions(of: relationship, in: table, column: column, position: $0)]
                } ?? []
            }
            return changedOwners(of: relationship, in: table, column: column)
        }
    }

    private func changedOwners(
        of relationship: RelationshipLayout,
        in table: Int,
        column: Int
    ) -> [String] {
        let property = relationship.relationship.name.quotedText
        let name = layout.name(of: column, in: table)
        let copy = "c\(column)"
        return [
            """
            INSERT OR IGNORE INTO \(links) SELECT \(relationship.table), b.\(copy), \(property) \
            FROM \(touched) t JOIN \(rows(table)) b ON b._id = t.row \
            LEFT JOIN \(main(table)) n ON n._id = t.row \
            WHERE t.tree = \(table) AND b.\(copy) IS NOT NULL AND b.\(copy) IS NOT n.\(name)
            """,
            """
            INSERT OR IGNORE INTO \(links) SELECT \(relationship.table), n.\(name), \(property) \
            FROM \(touched) t JOIN \(main(table)) n ON n._id = t.row \
            LEFT JOIN \(rows(table)) b ON b._id = t.row \
            WHERE t.tree = \(table) AND n.\(name) IS NOT NULL AND b.\(copy) IS NOT n.\(name)
            """,
        ]
    }

    private func changedPositions(
        of relationship: RelationshipLayout,
        in table: Int,
        column: Int,
        position: Int
    ) -> String {
        let name = layout.name(of: column, in: table)
        return """
            INSERT OR IGNORE INTO \(links) SELECT \(relationship.table), n.\(name), \
            \(relationship.relationship.name.quotedText) \
            FROM \(touched) t JOIN \(rows(table)) b ON b._id = t.row \
            JOIN \(main(table)) n ON n._id = t.row \
            WHERE t.tree = \(table) AND n.\(name) IS NOT NULL AND b.c\(column) IS n.\(name) \
            AND b.c\(position) IS NOT n.\(layout.name(of: position, in: table))
            """
    }

    // MARK: Lines

    /// Returns the statement that writes the lines of a table.
    ///
    /// In it, `t` is a changed row, `b` the row before the transaction, and `n` the row after it.
    private func comparison(_ table: Int) -> String {
        let hasEntities = layout.tables[table].hasEntityColumn
        let entity =
            hasEntities ? "coalesce(n._entity, b._entity)" : layout.tables[table].name.quotedText
        let isRetyped = hasEntities ? "b._entity <> n._entity" : "0"
        let values = keys(table, of: entity)
        let names = keyNames(values.count)
        let list = names.map { ", \($0)" }.joined()
        let columns = zip(values, names).map { ", \($0) AS \($1)" }.joined()
        return """
            INSERT INTO \(line) (_id, number, layout, change, entity, row, properties\(list)) \
            SELECT ?3 + _id, ?1, ?2, change, entity, row, changed || linked\(list) FROM (\
            SELECT t._id, CASE WHEN NOT t.existed THEN 0 WHEN n._id IS NULL THEN 2 ELSE 1 END \
            AS change, \(entity) AS entity, t.row, coalesce(\(isRetyped), 0) AS isRetyped, \
            CASE WHEN n._id IS NULL OR (t.existed AND b._id IS NULL) THEN '' \
            ELSE \(changedColumns(table)) END AS changed, \
            CASE WHEN n._id IS NULL THEN '' ELSE \
            coalesce((SELECT group_concat(char(31) || l.property, '') FROM \(links) l \
            WHERE l.tree = t.tree AND l.row = t.row), '') END AS linked\(columns) \
            FROM \(touched) t LEFT JOIN \(rows(table)) b ON b._id = t.row \
            LEFT JOIN \(main(table)) n ON n._id = t.row \
            WHERE t.tree = \(table) AND (n._id IS NOT NULL OR b._id IS NOT NULL)\
            ) WHERE change <> 1 OR changed <> '' OR linked <> '' OR isRetyped ORDER BY _id
            """
    }

    /// Returns an expression for the names of the properties whose columns differ.
    private func changedColumns(_ table: Int) -> String {
        let terms = layout.tables[table].columns.indices.compactMap { column in
            layout.property(column, in: table).map { property in
                """
                CASE WHEN b.c\(column) IS n.\(layout.name(of: column, in: table)) THEN '' \
                ELSE \(Self.mark(property)) END
                """
            }
        }
        return Self.concatenation(terms[...])
    }

    /// Returns the SQL for a name in a list of properties: each follows a unit separator.
    static func mark(_ property: String) -> String { "char(31) || \(property.quotedText)" }

    /// Returns the concatenation of terms as an expression whose depth grows with the logarithm of
    /// their number.
    ///
    /// SQLite allows a depth of 1,000, and a table may have more columns.
    static func concatenation(_ terms: ArraySlice<String>) -> String {
        guard terms.count > 1 else { return terms.first ?? "''" }
        let middle = terms.startIndex + terms.count / 2
        return "(\(concatenation(terms[..<middle])) || \(concatenation(terms[middle...])))"
    }
}

/// The commit, layout and position of lines.
struct LinePosition {
    /// The number of the commit.
    let commit: Int
    /// The index of the layout by which they are written.
    var layout: Int
    /// The number of the last line before them.
    let last: Int64
}

extension StoreLayout {
    /// Returns the property whose values or links are in a column, or nil for the position in a
    /// list.
    fileprivate func property(_ column: Int, in table: Int) -> String? {
        switch tables[table].columns[column].content {
        case .attribute:
            return entities.lazy.filter { $0.table == table }.flatMap(\.attributes)
                .first { $0.column == column }?.attribute.name
        case .reference:
            return entities.lazy.filter { $0.table == table }.flatMap(\.relationships)
                .first { $0.storage == .column(column) }?.relationship.name
        case .position:
            return nil
        }
    }
}
