import GRDB
import TidemarkModel

/// The triggers of a plan.
///
/// They use only SQL that every program has that opens the database, so that the edits of a shell
/// are recorded as well. None has the clause OR IGNORE: the conflict clause of the outer statement
/// would replace it, while ON CONFLICT is not affected.
extension CapturePlan {
    /// The prefix of the names of all triggers.
    static let prefix = "_tidemark_capture_"

    /// The statements that create the triggers.
    var creation: [String] {
        trees.flatMap { [updateTrigger($0), deleteTrigger($0)] }
            + lists.flatMap(triggers)
            + Set(parts.map(\.table)).sorted().flatMap(partTriggers)
    }

    /// A text that differs if other changes are recorded, or in another way.
    var fingerprint: String {
        Fingerprint((CaptureTables.creation + creation).joined(separator: "\n").utf8).text
    }

    // MARK: Rows with a primary key

    private func updateTrigger(_ table: Int) -> String {
        let tracked = tracked(table)
        let differs = tracked.map { self.differs($0, in: table) }
        let values = tracked.flatMap { column -> [Value] in
            let differs = self.differs(column, in: table)
            // The position in the list of the former parent.
            return ([column] + positions(besides: column, in: table)).map {
                Value($0, of: "OLD.\($0.quotedDatabaseIdentifier)", if: differs)
            }
        }
        let row = Row(
            table: table,
            number: "OLD.\"_id\"",
            entity: layout.entityExpression(table, in: "OLD")
        )
        let parts = unlinkedParts(table)
        // A statement without conditions of its own is much faster, and nearly all edits need one.
        let isDifferent = (differs + parts.map { "OLD.\($1) IS NOT NEW.\($1)" })
            .joined(separator: " OR ")
        return trigger(
            "update",
            on: layout.tables[table].name,
            named: layout.tables[table].name,
            event: "AFTER UPDATE OF \(list(tracked))",
            when: "\(isAccounted(row))\(layout.isKeyed(table, in: "OLD")) AND (\(isDifferent))",
            [
                parts.isEmpty
                    ? change(of: row) : change(of: row, if: differs.joined(separator: " OR "))
            ]
                + bases(values, of: row)
                + parts.flatMap { part, column in
                    contents(
                        of: part,
                        "OLD.\(column)",
                        at: row,
                        if: "OLD.\(column) IS NOT NEW.\(column)"
                    )
                }
        )
    }

    private func deleteTrigger(_ table: Int) -> String {
        let name = layout.tables[table].name
        let row = Row(
            table: table,
            number: "OLD.\"_id\"",
            entity: layout.entityExpression(table, in: "OLD")
        )
        let key = layout.tables[table].keys.map { simpleKey($0, of: table) }
        let formerEntity = """
            coalesce((SELECT b."value" FROM "_tidemark_base" b WHERE \
            b."change" = "_tidemark_change"."_id" AND b."property" = '_entity'), excluded."entity")
            """
        let change = """
            INSERT INTO "_tidemark_change" ("tree", "row", "entity", "kind", "key") \
            SELECT \(name.quotedText), OLD."_id", \(row.entity), 'delete', \
            coalesce(\((key + ["NULL", "NULL"]).joined(separator: ", "))) WHERE 1 \
            ON CONFLICT ("tree", "row", "frozen") DO UPDATE SET \
            "kind" = iif("kind" = 'create', 'create', 'delete'), "key" = excluded."key", \
            "state" = 'pending', "entity" = \(formerEntity);
            """
        let columns = entityColumn(table) + layout.tables[table].columns.map(\.name)
        let values = columns.map { Value($0, of: "OLD.\($0.quotedDatabaseIdentifier)") }
        let undone = """
            DELETE FROM "_tidemark_change" WHERE \(isOpen(row)) AND "kind" = 'create';
            """
        return trigger(
            "delete",
            on: name,
            named: name,
            event: "AFTER DELETE",
            when: "\(isAccounted(row))\(layout.isKeyed(table, in: "OLD"))",
            [change] + bases(values, of: row, kind: "delete")
                + unlinkedParts(table).flatMap { part, column in
                    contents(of: part, "OLD.\(column)", at: row, kind: "delete", if: "1")
                } + [undone]
        )
    }

    /// Returns the key of a deleted row as far as its own columns contain it.
    ///
    /// A parent that is part of the key may be deleted as well: the key is then found by the base
    /// values of both.
    private func simpleKey(_ key: [Int], of table: Int) -> String {
        let columns = key.map { layout.tables[table].columns[$0] }
        guard columns.allSatisfy(\.isAttribute) else { return "NULL" }
        let values = columns.map { "OLD.\($0.name.quotedDatabaseIdentifier)" }
        guard values.count > 1 else { return values[0] }
        let isMissing = values.map { "\($0) IS NULL" }.joined(separator: " OR ")
        return
            "iif(\(isMissing), NULL, \(values.map { "quote(\($0))" }.joined(separator: " || ',' || ")))"
    }

    // MARK: Links

    private func triggers(of list: CapturedList) -> [String] {
        let name = "\(list.source).\(list.relationship.identifier)"
        let (owner, member) = (
            list.owner.quotedDatabaseIdentifier, list.member.quotedDatabaseIdentifier
        )
        let isJoin = list.member != "_id"
        func recorded(_ image: String, wasLinked: Bool, if condition: String) -> [String] {
            records(of: list, image: image, wasLinked: wasLinked, if: condition)
        }
        let isMoved = "OLD.\(owner) IS NOT NEW.\(owner) OR OLD.\(member) IS NOT NEW.\(member)"
        var triggers = [
            trigger(
                "insert",
                on: list.source,
                named: name,
                event: "AFTER INSERT",
                when: isEnabled,
                recorded("NEW", wasLinked: false, if: "1")
            ),
            trigger(
                "delete",
                on: list.source,
                named: name,
                event: "AFTER DELETE",
                when: isEnabled,
                recorded("OLD", wasLinked: true, if: "1")
            ),
            trigger(
                "move",
                on: list.source,
                named: name,
                event: "AFTER UPDATE OF \(owner)\(isJoin ? ", \(member)" : "")",
                when: "\(isEnabled) AND (\(isMoved))",
                recorded("OLD", wasLinked: true, if: "1")
                    + recorded("NEW", wasLinked: false, if: "1")
            ),
        ]
        if let order = list.order?.quotedDatabaseIdentifier {
            triggers.append(
                trigger(
                    "order",
                    on: list.source,
                    named: name,
                    event: "AFTER UPDATE OF \(order)",
                    when: "\(isEnabled) AND OLD.\(order) IS NOT NEW.\(order) "
                        + "AND OLD.\(owner) IS NEW.\(owner)",
                    orderRecords(of: list)
                )
            )
        }
        return triggers
    }

    /// Returns the statements that record a link at the rows that have the list.
    private func records(
        of list: CapturedList,
        image: String,
        wasLinked: Bool,
        if condition: String
    ) -> [String] {
        let identifier = list.relationship.identifier
        let owner = "\(image).\(list.owner.quotedDatabaseIdentifier)"
        let member = "\(image).\(list.member.quotedDatabaseIdentifier)"
        return owners(list.relationship.table, owner).flatMap { row, suffix, part -> [String] in
            let property = "\(identifier.quotedText)\(suffix)"
            var values = [
                Value(sql: property, member: member, of: wasLinked ? "1" : "0", if: condition)
            ]
            if wasLinked {
                values += list.positions.map {
                    Value(
                        sql: "\("\(identifier):\($0)".quotedText)\(suffix)",
                        member: member,
                        of: "\(image).\($0.quotedDatabaseIdentifier)",
                        if: condition
                    )
                }
            }
            let parts = wasLinked ? partsLinked(by: list.relationship, of: part) : []
            return [change(of: row, if: condition)] + bases(values, of: row)
                + parts.flatMap { contents(of: $0, member, at: row, if: condition) }
        }
    }

    private func orderRecords(of list: CapturedList) -> [String] {
        guard let order = list.order else { return [] }
        let owner = "NEW.\(list.owner.quotedDatabaseIdentifier)"
        let member = "NEW.\(list.member.quotedDatabaseIdentifier)"
        let identifier = list.relationship.identifier
        return owners(list.relationship.table, owner).flatMap { row, suffix, _ -> [String] in
            let values = [
                Value(sql: "\(identifier.quotedText)\(suffix)", member: "-1", of: "NULL", if: "1"),
                Value(
                    sql: "\("\(identifier):\(order)".quotedText)\(suffix)",
                    member: member,
                    of: "OLD.\(order.quotedDatabaseIdentifier)",
                    if: "1"
                ),
            ]
            return [change(of: row, if: "1")] + bases(values, of: row)
        }
    }

    /// Returns the rows that a change of a row's links is recorded for: the row itself, or the rows
    /// that contain it, with the end of the property's name and the way in which they do.
    private func owners(
        _ table: Int,
        _ number: String
    ) -> [(row: Row, suffix: String, part: ContainedRows?)] {
        guard layout.tables[table].keys.isEmpty else {
            let row = Row(table: table, number: number, entity: storedEntity(table, number))
            return [(row, "", nil)]
        }
        return parts(in: table).map {
            (containing($0, number: number, image: nil), " || ':' || \(number)", $0)
        }
    }
}

extension TableLayout.Column {
    /// Whether the column contains the values of an attribute.
    fileprivate var isAttribute: Bool {
        if case .attribute = content { true } else { false }
    }
}
