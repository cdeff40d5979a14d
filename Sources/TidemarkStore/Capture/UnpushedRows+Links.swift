package import GRDB
package import TidemarkModel

/// The base values of links that were changed locally.
extension UnpushedRows {
    /// What the service knew about something that was changed locally.
    package struct KnownValue: Sendable, Hashable {
        /// The change that has the base value.
        package let change: Int64

        /// Whether the request of the change was sent: its base values stay as they are.
        package let isFrozen: Bool

        /// The row of the change, and the index of its table.
        package let row: Int64
        package let table: Int

        /// The property and the member, as the base value is stored: see ``CapturePlan``.
        package let property: String
        package let member: Int64

        package let value: DatabaseValue
    }

    /// Returns the base value of a reference; nil if it was not changed locally.
    package func base(ofColumn column: Int, in table: Int, of row: Int64) throws -> KnownValue? {
        try base(of: layout.tables[table].columns[column].name, member: 0, row: row, in: table)
    }

    /// Returns the base values of a link in the lists that contain it.
    ///
    /// Their values are 1 if the service has the link, which was removed locally, and otherwise 0.
    package func memberships(of link: StoredLink) throws -> [KnownValue] {
        try lists(with: link).compactMap { list in
            try base(of: list.identifier, member: list.member, row: list.row, in: list.table)
        }
    }

    /// Returns whether a list that contains a link is that of a row that the service does not have.
    package func isOfCreation(_ link: StoredLink) throws -> Bool {
        try lists(with: link).contains { try changes(of: $0.row, in: $0.table)?.isCreation == true }
    }

    /// A row whose list contains a link, and the member of the list.
    package struct ListMember {
        package let identifier: String
        package let table: Int
        package let row: Int64
        package let member: Int64
    }

    /// Returns the lists that contain a link, and whose changes are recorded.
    package func lists(with link: StoredLink) throws -> [ListMember] {
        try plan.get().lists.map(\.relationship).compactMap { list in
            // Contained rows are merged as a whole.
            guard !layout.entities[list.destination].key.isEmpty else { return nil }
            let isReversed: Bool
            switch (list.storage, link.place) {
            case (.join(let join, let side), .pairs(let index)) where join == index:
                isReversed = side == .member
            case (.inverse(let table, let column, _), .column(let index, let other))
            where column == index && table == other:
                // The row with the reference is the member of the other row's list.
                isReversed = true
            default:
                return nil
            }
            return ListMember(
                identifier: list.identifier,
                table: list.table,
                row: isReversed ? link.other : link.row,
                member: isReversed ? link.row : link.other
            )
        }
    }

    /// Returns the rows whose links to a row were changed locally, sorted.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    /// - Returns: The rows on the other side.
    /// - Throws: `DatabaseError`.
    package func changedMembers(
        of relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [Int64] {
        let own = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT b.member FROM _tidemark_change c JOIN _tidemark_base b \
                    ON b.change = c._id WHERE c.tree = ? AND c.row = ? AND b.property = ? \
                    AND b.member > 0
                    """
            ),
            arguments: [layout.tables[relationship.table].name, row, relationship.identifier]
        )
        guard let inverse = layout.inverse(of: relationship) else { return own.sorted() }
        let others = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.row FROM _tidemark_change c JOIN _tidemark_base b \
                    ON b.change = c._id WHERE c.tree = ? AND b.property = ? AND b.member = ?
                    """
            ),
            arguments: [layout.tables[inverse.table].name, inverse.identifier, row]
        )
        return (own + others).sorted()
    }

    /// Returns whether the order of a row's links was changed locally.
    package func isReordered(_ relationship: RelationshipLayout, of row: Int64) throws -> Bool {
        try base(
            of: relationship.identifier,
            member: -1,
            row: row,
            in: relationship.table
        ) != nil
    }

    /// The base value of the order of a list that is sent again as a whole, because it is unknown
    /// which of its links the service has.
    package static let isSentAgain = 2

    /// Returns whether a list is sent again as a whole.
    package func isSentAgain(_ relationship: RelationshipLayout, of row: Int64) throws -> Bool {
        let order = try base(
            of: relationship.identifier,
            member: -1,
            row: row,
            in: relationship.table
        )
        return order?.value == Self.isSentAgain.databaseValue
    }

    /// Returns whether a list that contains a link is sent again as a whole.
    package func isSentAgain(_ link: StoredLink) throws -> Bool {
        try lists(with: link).contains { list in
            let order = try base(of: list.identifier, member: -1, row: list.row, in: list.table)
            return order?.value == Self.isSentAgain.databaseValue
        }
    }

    /// Returns whether an unresolved reference of a row was removed locally.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    ///   - key: The values of the key's parts.
    /// - Returns: Whether the service still has the reference.
    /// - Throws: `DatabaseError`.
    package func isRemoved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to key: [StoredValue]
    ) throws -> Bool {
        let expression = layout.keyExpression(key.indices.map { "?\($0 + 1)" })
        return try isRemoved(relationship, of: row, to: expression, values: key)
    }

    /// Returns whether an unresolved reference of a row, whose destination is stored now, was
    /// removed locally.
    package func isRemoved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        toRow other: Int64
    ) throws -> Bool {
        let destination = layout.entities[relationship.destination]
        let key = layout.keyExpression(layout.keyExpressions(of: destination, in: "d"))
        let table = layout.name(of: destination.table)
        return try isRemoved(
            relationship,
            of: row,
            to: "(SELECT \(key) FROM \(table) d WHERE d._id = ?1)",
            values: [.integer(other)]
        )
    }

    private func isRemoved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to key: String,
        values: [StoredValue]
    ) throws -> Bool {
        let changes = try changes(of: row, in: relationship.table)
        for change in [changes?.frozen, changes?.open].compactMap(\.self) {
            let find = try RowStatement.prepare(
                db,
                """
                SELECT 1 FROM _tidemark_base WHERE change = \(change) AND member < -1 \
                AND property = \(relationship.identifier.quotedText) AND value = \(key)
                """
            )
            for (index, value) in values.enumerated() { find.bind(value, at: index + 1) }
            if try find.step() { return true }
        }
        return false
    }

    /// Returns the number of the row that a row refers to; nil if it refers to none.
    package func reference(
        inColumn column: Int,
        in table: Int,
        of row: Int64
    ) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(layout.name(of: column, in: table)) FROM \(layout.name(of: table)) \
                    WHERE _id = ?
                    """
            ),
            arguments: [row]
        )
    }

    /// Returns the row to which a reference refers at the service, if it can refer to it here.
    ///
    /// - Parameters:
    ///   - base: The base value of the reference.
    ///   - column: The index of its column.
    /// - Returns: The row; nil if it is not stored, or if only one row can refer to it and another
    ///   one does.
    /// - Throws: `DatabaseError`.
    package func restorableReference(
        _ base: KnownValue,
        inColumn column: Int
    ) throws -> Int64? {
        let table = layout.tables[base.table]
        guard case .reference(let reference) = table.columns[column].content,
            let former = Int64.fromDatabaseValue(base.value)
        else { return nil }
        let holder = """
            SELECT 1 FROM \(layout.name(of: base.table)) \
            WHERE \(layout.name(of: column, in: base.table)) = ?1 AND _id <> ?2
            """
        return try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT _id FROM \(reference.table.quotedDatabaseIdentifier) WHERE _id = ?1 \
                    AND NOT (?3 AND EXISTS (\(holder)))
                    """
            ),
            arguments: [former, base.row, reference.isUnique]
        )
    }

    private func base(
        of property: String,
        member: Int64,
        row: Int64,
        in table: Int
    ) throws -> KnownValue? {
        let changes = try changes(of: row, in: table)
        for (change, isFrozen) in [(changes?.frozen, true), (changes?.open, false)] {
            guard let change else { continue }
            let value = try DatabaseValue.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT value FROM _tidemark_base \
                        WHERE change = ? AND property = ? AND member = ?
                        """
                ),
                arguments: [change, property, member]
            )
            guard let value else { continue }
            return KnownValue(
                change: change,
                isFrozen: isFrozen,
                row: row,
                table: table,
                property: property,
                member: member,
                value: value
            )
        }
        return nil
    }

    // MARK: Names

    /// Returns the name of a column.
    package func name(ofColumn column: Int, in table: Int) -> String {
        layout.tables[table].columns[column].name
    }

    /// Returns the relationship that a column stores.
    package func relationship(ofColumn column: Int, in table: Int) -> Relationship? {
        layout.relationships.values.first { relationship in
            guard case .column(let index) = relationship.storage else { return false }
            return index == column && relationship.table == table
        }?
        .relationship
    }

    /// Returns the name of a row's entity.
    package func entity(of row: Int64, in table: Int) throws -> String {
        let name = layout.tables[table].name
        guard layout.tables[table].hasEntityColumn else { return name }
        let sql = "SELECT _entity FROM \(name.quotedDatabaseIdentifier) WHERE _id = ?"
        return try String.fetchOne(db.cachedStatement(sql: sql), arguments: [row]) ?? name
    }

    // MARK: Resolution

    /// Records that a link is as the service has it.
    package func drop(_ base: KnownValue) throws {
        try dropBase(of: base.property, member: base.member, in: base.change)
    }

    /// Records what the service has, which the local value replaces when it is pushed.
    package func set(_ base: KnownValue, to value: DatabaseValue) throws {
        try setBase(value, of: base.property, member: base.member, in: base.change)
    }

    /// Records that the service is not known to have any link in the lists of a row.
    ///
    /// Links of an object that the service has, too, would otherwise be removed by its lists.
    func addBaseOfLists(of row: Int64, in table: Int, to change: Int64) throws {
        let plan = try plan.get()
        let parts = plan.parts.filter { $0.path.count == 1 }.map(\.relationship)
        let lists = plan.lists.map(\.relationship)
        let contained = parts.filter { part in
            !lists.contains { $0.identifier == part.identifier }
        }
        for list in lists + contained where list.table == table {
            let members: String
            switch list.storage {
            case .column: continue
            case .inverse(let other, let column, _):
                let reference = layout.name(of: column, in: other)
                members =
                    "SELECT _id AS member FROM \(layout.name(of: other)) WHERE \(reference) = ?3"
            case .join(let join, let side):
                let pairs = layout.joins[join].name.quotedDatabaseIdentifier
                let (own, member) = side == .owner ? ("owner", "member") : ("member", "owner")
                members = "SELECT \(member) AS member FROM \(pairs) WHERE \(own) = ?3"
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_base (change, property, member, value) \
                    SELECT ?1, ?2, member, 0 FROM (\(members)) WHERE 1 ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [change, list.identifier, row])
        }
    }

    /// Records that the service has a reference to a row that is not stored, which was replaced
    /// locally.
    package func addBase(
        ofReference relationship: RelationshipLayout,
        to key: [StoredValue],
        in change: Int64
    ) throws {
        let insert = try RowStatement.prepare(
            db,
            """
            INSERT INTO _tidemark_base (change, property, member, value) \
            SELECT \(change), \(relationship.identifier.quotedText), \
            min(coalesce(min(member), -1), -1) - 1, \
            \(layout.keyExpression(key.indices.map { "?\($0 + 1)" })) FROM _tidemark_base \
            WHERE change = \(change) AND property = \(relationship.identifier.quotedText)
            """
        )
        for (index, value) in key.enumerated() { insert.bind(value, at: index + 1) }
        try insert.run()
    }
}
