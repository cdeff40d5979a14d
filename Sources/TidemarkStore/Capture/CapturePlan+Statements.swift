import GRDB
import TidemarkModel

/// The statements of triggers.
extension CapturePlan {
    /// The rows that a statement records a change of.
    struct Row {
        /// The index of their table.
        let table: Int

        /// An expression for the number of a row.
        let number: String

        /// An expression for its entity.
        let entity: String

        /// The query that selects the rows; nil for a single one.
        var source: String?
    }

    /// A value that is recorded if a condition is true.
    struct Value {
        let property: String
        let member: String
        let value: String
        let condition: String

        init(_ property: String, member: String = "0", of value: String, if condition: String = "1")
        {
            self.init(sql: property.quotedText, member: member, of: value, if: condition)
        }

        init(sql property: String, member: String, of value: String, if condition: String) {
            self.property = property
            self.member = member
            self.value = value
            self.condition = condition
        }
    }

    /// The maximum number of values in a statement: SQLite allows 500 terms in a compound SELECT,
    /// and each is compiled.
    private static let valuesInStatement = 100

    func trigger(
        _ kind: String,
        on table: String,
        named name: String,
        event: String,
        when condition: String,
        _ statements: [String]
    ) -> String {
        """
        CREATE TRIGGER \("\(Self.prefix)\(kind)_\(name)".quotedDatabaseIdentifier) \(event) \
        ON \(table.quotedDatabaseIdentifier) WHEN \(condition) \
        BEGIN \(statements.joined(separator: " ")) END
        """
    }

    /// Returns the statement that records an update, if a condition is true.
    ///
    /// An update retries a change that was rejected. It does not decide a conflict.
    func change(of row: Row, if condition: String) -> String {
        let conditions = [row.source == nil ? nil : "1", "(\(condition))", isAccounted(row)]
        return """
            INSERT INTO "_tidemark_change" ("tree", "row", "entity", "kind") \
            SELECT \(layout.tables[row.table].name.quotedText), \(row.number), \(row.entity), \
            'update'\(row.source.map { " FROM \($0) p" } ?? "") \
            WHERE \(conditions.compactMap(\.self).joined(separator: " AND ")) \
            ON CONFLICT ("tree", "row", "frozen") \
            DO UPDATE SET "state" = 'pending' WHERE "state" = 'rejected';
            """
    }

    /// Returns the statement that records an update of a single row, whatever its values are.
    func change(of row: Row) -> String {
        """
        INSERT INTO "_tidemark_change" ("tree", "row", "entity", "kind") \
        VALUES (\(layout.tables[row.table].name.quotedText), \(row.number), \(row.entity), 'update') \
        ON CONFLICT ("tree", "row", "frozen") \
        DO UPDATE SET "state" = 'pending' WHERE "state" = 'rejected';
        """
    }

    /// Returns the statements that record values of a change, unless it has them already.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - row: The row of the change.
    ///   - kind: The kind of the change.
    ///   - table: The table that the values refer to, with a condition.
    /// - Returns: The statements.
    func bases(
        _ values: [Value],
        of row: Row,
        kind: String = "update",
        from table: String? = nil
    ) -> [String] {
        stride(from: 0, to: values.count, by: Self.valuesInStatement).map { start in
            let terms = values[start..<min(start + Self.valuesInStatement, values.count)].map {
                """
                SELECT \($0.property) AS "property", \($0.member) AS "member", \
                \($0.value) AS "value"\(table.map { " FROM \($0)" } ?? " WHERE ")(\($0.condition))
                """
            }
            // CROSS JOIN determines the order: the values come first, so that SQLite does not store
            // them in a temporary table, whose allocation takes longer than the rest of an edit.
            return """
                INSERT INTO "_tidemark_base" ("change", "property", "member", "value") \
                SELECT c."_id", v."property", v."member", v."value" \
                FROM (\(terms.joined(separator: " UNION ALL "))) v\
                \(row.source.map { " CROSS JOIN \($0) p" } ?? "") CROSS JOIN "_tidemark_change" c \
                WHERE \(isOpen(row, in: "c.")) AND c."kind" = '\(kind)' ON CONFLICT DO NOTHING;
                """
        }
    }

    // MARK: Conditions

    /// The condition that changes are recorded.
    var isEnabled: String { "(SELECT \"isEnabled\" FROM \"_tidemark_capture\" LIMIT 1)" }

    /// Returns the condition that changes of a row are recorded: it is not a local creation that is
    /// still to be collected.
    func isAccounted(_ row: Row) -> String {
        """
        \(row.number) <= (SELECT "watermark" FROM "_tidemark_capture" \
        WHERE "tree" = \(layout.tables[row.table].name.quotedText) AND "isEnabled")
        """
    }

    /// Returns the condition that an update changes the value of a column.
    func differs(_ column: String, in table: Int) -> String {
        let name = column.quotedDatabaseIdentifier
        let differs = "OLD.\(name) IS NOT NEW.\(name)"
        // Only a column of any type may have both 1 and 1.0, which SQLite compares as equal.
        guard case .attribute(let type)? = layout.tables[table].column(named: column)?.content,
            type.storageClass == "ANY"
        else { return differs }
        return "\(differs) OR typeof(OLD.\(name)) <> typeof(NEW.\(name))"
    }

    /// Returns the condition that a change is the open one of a row.
    func isOpen(_ row: Row, in change: String = "") -> String {
        """
        \(change)"tree" = \(layout.tables[row.table].name.quotedText) \
        AND \(change)"row" = \(row.number) AND \(change)"frozen" = 0
        """
    }

    // MARK: Columns

    /// Returns the column with the entity, if a table has one.
    func entityColumn(_ table: Int) -> [String] {
        layout.tables[table].hasEntityColumn ? ["_entity"] : []
    }

    /// Returns the columns whose changes are recorded.
    func tracked(_ table: Int) -> [String] {
        entityColumn(table) + columns[table].map { layout.tables[table].columns[$0].name }
    }

    /// Returns the columns with the position of a row in the lists of the row that a column refers
    /// to.
    func positions(besides column: String, in table: Int) -> [String] {
        let columns = layout.tables[table].columns
        return columns.filter {
            guard case .position(let reference) = $0.content else { return false }
            return columns[reference].name == column
        }
        .map(\.name)
    }

    /// Returns an expression for the entity of a row, or for that of the tree if it was deleted.
    func storedEntity(_ table: Int, _ number: String) -> String {
        let name = layout.tables[table].name
        guard layout.tables[table].hasEntityColumn else { return name.quotedText }
        return """
            coalesce((SELECT "_entity" FROM \(name.quotedDatabaseIdentifier) \
            WHERE "_id" = \(number)), \(name.quotedText))
            """
    }

    func list(_ columns: [String]) -> String {
        columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    }
}

extension StoreLayout {
    /// Returns an expression for the entity of a row of a table.
    func entityExpression(_ table: Int, in row: String) -> String {
        tables[table].hasEntityColumn ? "\(row).\"_entity\"" : tables[table].name.quotedText
    }

    /// Returns the condition that a row of a table has a primary key by its entity, if some
    /// entities of the table have none.
    func isKeyed(_ table: Int, in row: String) -> String {
        condition(onEntities: table, in: row) { !$0.key.isEmpty }
    }

    /// Returns the condition that a row of a table has no primary key by its entity, if some
    /// entities of the table have one.
    func isKeyless(_ table: Int, in row: String) -> String {
        condition(onEntities: table, in: row) { $0.key.isEmpty }
    }

    private func condition(
        onEntities table: Int,
        in row: String,
        _ isIncluded: (EntityLayout) -> Bool
    ) -> String {
        let entities = entities.filter { $0.table == table && !$0.isAbstract }
        let included = entities.filter(isIncluded)
        guard included.count < entities.count else { return "" }
        let names = included.map(\.name.quotedText).joined(separator: ", ")
        return " AND \(row).\"_entity\" IN (\(names))"
    }
}
