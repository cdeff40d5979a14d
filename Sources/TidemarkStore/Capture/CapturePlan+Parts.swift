import GRDB
import TidemarkModel

/// Rows without a primary key, whose changes are recorded for the rows that contain them.
extension CapturePlan {
    /// Returns the triggers of a table of contained rows.
    func partTriggers(_ table: Int) -> [String] {
        let ways = parts(in: table)
        let name = layout.tables[table].name
        let columns = entityColumn(table) + layout.tables[table].columns.map(\.name)
        let tracked = partColumns(table)
        let isPart = { (image: String) in "\(isEnabled)\(layout.isKeyless(table, in: image))" }
        return [
            trigger(
                "insert_part",
                on: name,
                named: name,
                event: "AFTER INSERT",
                when: isPart("NEW"),
                ways.flatMap { added($0, if: "1") }
            ),
            // Before, because the foreign key action of the deletion removes the reference of the
            // containing row.
            trigger(
                "delete_part",
                on: name,
                named: name,
                event: "BEFORE DELETE",
                when: isPart("OLD"),
                ways.flatMap { part in
                    removed(part, columns: columns, if: "1")
                        + contents(below: part, "OLD.\"_id\"", at: former(part), if: "1")
                }
            ),
            trigger(
                "update_part",
                on: name,
                named: name,
                event: "AFTER UPDATE OF \(list(tracked))",
                when: isPart("OLD"),
                ways.flatMap { part in
                    changed(part, columns: columns, tracked: tracked)
                        + unlinked(from: part)
                }
            ),
        ]
    }

    /// Returns the columns of contained rows whose changes are changes of the containing row.
    private func partColumns(_ table: Int) -> [String] {
        var columns = Set(self.columns[table])
        for part in parts(in: table) {
            guard case .inverse(_, let column, let position) = part.relationship.storage else {
                continue
            }
            columns.insert(column)
            if let position { columns.insert(position) }
        }
        return entityColumn(table)
            + columns.sorted().map { layout.tables[table].columns[$0].name }
    }

    private func added(
        _ part: ContainedRows,
        as origin: String = "0",
        with values: [Value] = [],
        if condition: String
    ) -> [String] {
        let row = containing(part, number: "NEW.\"_id\"", image: "NEW")
        let link = Value(
            part.relationship.identifier,
            member: "NEW.\"_id\"",
            of: origin,
            if: condition
        )
        return [change(of: row, if: condition)] + bases([link] + values, of: row)
    }

    private func removed(
        _ part: ContainedRows,
        columns: [String],
        if condition: String
    ) -> [String] {
        let row = former(part)
        let link = Value(
            part.relationship.identifier,
            member: "OLD.\"_id\"",
            of: "1",
            if: condition
        )
        return [change(of: row, if: condition)]
            + bases([link] + columns.map { value(of: $0, in: part.table, if: condition) }, of: row)
    }

    private func changed(
        _ part: ContainedRows,
        columns: [String],
        tracked: [String]
    ) -> [String] {
        guard case .inverse(_, let column, _) = part.relationship.storage else {
            return edited(part, tracked: tracked, if: "1")
        }
        let owner = layout.name(of: column, in: part.table)
        let isMoved = "OLD.\(owner) IS NOT NEW.\(owner)"
        let former = columns.map { value(of: $0, in: part.table, if: isMoved) }
        return edited(part, tracked: tracked, if: "OLD.\(owner) IS NEW.\(owner)")
            + removed(part, columns: columns, if: isMoved)
            + added(part, as: "2", with: former, if: isMoved)
    }

    private func edited(
        _ part: ContainedRows,
        tracked: [String],
        if condition: String
    ) -> [String] {
        let row = former(part)
        let differs = tracked.map { "(\(self.differs($0, in: part.table)))" }
        let values = zip(tracked, differs).map { column, differs in
            value(of: column, in: part.table, if: "\(condition) AND \(differs)")
        }
        return [change(of: row, if: "\(condition) AND (\(differs.joined(separator: " OR ")))")]
            + bases(values, of: row)
    }

    private func value(of column: String, in table: Int, if condition: String) -> Value {
        Value(
            "\(layout.tables[table].name):\(column)",
            member: "OLD.\"_id\"",
            of: "OLD.\(column.quotedDatabaseIdentifier)",
            if: condition
        )
    }

    // MARK: Containing rows

    /// Returns the rows that have contained the row of a trigger.
    private func former(_ part: ContainedRows) -> Row {
        containing(part, number: "OLD.\"_id\"", image: "OLD")
    }

    /// Returns the rows with a primary key that contain a row.
    ///
    /// - Parameters:
    ///   - part: The way in which the row is contained.
    ///   - number: An expression for the number of the row.
    ///   - image: `OLD` or `NEW`, if the row is that of the trigger.
    /// - Returns: The rows.
    func containing(_ part: ContainedRows, number: String, image: String?) -> Row {
        let table = part.path[0].table
        if part.path.count == 1, case .inverse(let own, let column, _) = part.relationship.storage,
            let image
        {
            // The containing row may be deleted already, and with it the contained row.
            let owner = "\(image).\(layout.name(of: column, in: own))"
            return Row(table: table, number: owner, entity: storedEntity(table, owner))
        }
        var rows = "SELECT \(number)"
        for (index, relationship) in part.path.reversed().enumerated() {
            switch relationship.storage {
            case .column(let column):
                rows = """
                    SELECT "_id" FROM \(layout.name(of: relationship.table)) \
                    WHERE \(layout.name(of: column, in: relationship.table)) IN (\(rows))
                    """
            case .inverse(let table, let column, _):
                let column = layout.name(of: column, in: table)
                if index == 0, let image {
                    rows = "SELECT \(image).\(column)"
                } else {
                    rows =
                        "SELECT \(column) FROM \(layout.name(of: table)) WHERE \"_id\" IN (\(rows))"
                }
            case .join(let join, let side):
                rows = """
                    SELECT "\(side.ownColumn)" \
                    FROM \(layout.joins[join].name.quotedDatabaseIdentifier) \
                    WHERE "\(side.otherColumn)" IN (\(rows))
                    """
            }
        }
        let source = """
            (SELECT "_id" AS "row", \(layout.entityExpression(table, in: "t")) AS "entity" \
            FROM \(layout.name(of: table)) t WHERE "_id" IN (\(rows)))
            """
        return Row(table: table, number: "p.\"row\"", entity: "p.\"entity\"", source: source)
    }

    // MARK: Contents of removed links

    /// Returns the columns of a table that refer to contained rows.
    func unlinkedParts(_ table: Int) -> [(part: ContainedRows, column: String)] {
        parts.filter { $0.path.count == 1 && $0.relationship.table == table }.compactMap { part in
            guard case .column(let column) = part.relationship.storage else { return nil }
            return (part, layout.name(of: column, in: table))
        }
    }

    /// Returns the statements that record the rows within a contained row whose column refers to
    /// them no more.
    private func unlinked(from part: ContainedRows) -> [String] {
        parts(within: part).flatMap { child -> [String] in
            guard case .column(let index) = child.relationship.storage else { return [] }
            let column = layout.name(of: index, in: child.relationship.table)
            return contents(
                of: child,
                "OLD.\(column)",
                at: former(part),
                if: "OLD.\(column) IS NOT NEW.\(column)"
            )
        }
    }

    /// Returns the contained rows that contained rows contain.
    private func parts(within part: ContainedRows) -> [ContainedRows] {
        let path = part.path.map(\.identifier)
        return parts.filter { $0.path.dropLast().map(\.identifier) == path }
    }

    /// Returns the contained rows that the pairs of a relationship link.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - part: The way in which the row that has it is contained; nil if it is in no other.
    /// - Returns: The rows.
    func partsLinked(
        by relationship: RelationshipLayout,
        of part: ContainedRows?
    ) -> [ContainedRows] {
        let path = (part?.path ?? []) + [relationship]
        return parts.filter { $0.path.map(\.identifier) == path.map(\.identifier) }
    }

    /// Returns the statements that record the values of contained rows whose link is removed, and
    /// of those that they contain: once nothing refers to a row, its own triggers find no row that
    /// contains it.
    ///
    /// - Parameters:
    ///   - part: The way in which the rows are contained.
    ///   - numbers: An expression, or a query, for the numbers of the rows.
    ///   - row: The row that contains them.
    ///   - kind: The kind of its change.
    ///   - condition: The condition on which they are recorded.
    /// - Returns: The statements.
    func contents(
        of part: ContainedRows,
        _ numbers: String,
        at row: Row,
        kind: String = "update",
        if condition: String
    ) -> [String] {
        let table = layout.tables[part.table]
        let values = (entityColumn(part.table) + table.columns.map(\.name)).map {
            Value(
                "\(table.name):\($0)",
                member: "t.\"_id\"",
                of: "t.\($0.quotedDatabaseIdentifier)",
                if: condition
            )
        }
        let link = Value(
            part.relationship.identifier,
            member: "t.\"_id\"",
            of: "1",
            if: condition
        )
        let isJoin = if case .join = part.relationship.storage { true } else { false }
        return bases(
            (isJoin ? [] : [link]) + values,
            of: row,
            kind: kind,
            from: "\(layout.name(of: part.table)) t WHERE t.\"_id\" IN (\(numbers)) AND "
        ) + contents(below: part, numbers, at: row, kind: kind, if: condition)
    }

    /// Returns the statements that record what contained rows contain.
    private func contents(
        below part: ContainedRows,
        _ numbers: String,
        at row: Row,
        kind: String = "update",
        if condition: String
    ) -> [String] {
        parts(within: part).flatMap { child in
            pairs(of: child.relationship, numbers, at: row, kind: kind, if: condition)
                + contents(
                    of: child,
                    linked(by: child.relationship, of: numbers),
                    at: row,
                    kind: kind,
                    if: condition
                )
        }
    }

    /// Returns a query for the rows that are linked with others.
    private func linked(by relationship: RelationshipLayout, of numbers: String) -> String {
        switch relationship.storage {
        case .column(let column):
            """
            SELECT \(layout.name(of: column, in: relationship.table)) \
            FROM \(layout.name(of: relationship.table)) WHERE "_id" IN (\(numbers))
            """
        case .inverse(let table, let column, _):
            """
            SELECT "_id" FROM \(layout.name(of: table)) \
            WHERE \(layout.name(of: column, in: table)) IN (\(numbers))
            """
        case .join(let join, let side):
            """
            SELECT "\(side.otherColumn)" \
            FROM \(layout.joins[join].name.quotedDatabaseIdentifier) \
            WHERE "\(side.ownColumn)" IN (\(numbers))
            """
        }
    }

    /// Returns the statements that record the pairs of contained rows.
    private func pairs(
        of relationship: RelationshipLayout,
        _ numbers: String,
        at row: Row,
        kind: String,
        if condition: String
    ) -> [String] {
        guard case .join(let join, let side) = relationship.storage else { return [] }
        func value(_ column: String?, of value: String) -> Value {
            let property = relationship.identifier + (column.map { ":\($0)" } ?? "")
            return Value(
                sql: "\(property.quotedText) || ':' || t.\"\(side.ownColumn)\"",
                member: "t.\"\(side.otherColumn)\"",
                of: value,
                if: condition
            )
        }
        let list = lists.first { $0.relationship.identifier == relationship.identifier }
        let positions = list?.positions ?? []
        return bases(
            [value(nil, of: "1")]
                + positions.map { value($0, of: "t.\($0.quotedDatabaseIdentifier)") },
            of: row,
            kind: kind,
            from: "\(layout.joins[join].name.quotedDatabaseIdentifier) t "
                + "WHERE t.\"\(side.ownColumn)\" IN (\(numbers)) AND "
        )
    }
}
