import GRDB
import TidemarkModel

/// Unresolved references, which are links without a value in any column.
extension Capture {
    /// Runs a body that changes the unresolved references of a row in a relationship, and records
    /// those that it removes and that it adds some.
    func recordingReferences(
        _ relationship: RelationshipLayout,
        of row: Int64,
        _ body: () throws -> Void
    ) throws {
        guard try isEnabled, try isKnown(row, in: relationship.table), try isPushed(relationship)
        else {
            return try body()
        }
        let before = try referencedKeys(relationship, of: row)
        try body()
        let after = try referencedKeys(relationship, of: row)
        guard before != after else { return }
        let change = try update(of: row, in: relationship.table)
        if !after.isSubset(of: before) {
            // The links as a whole have changed, as in another order.
            try keep(relationship.identifier, member: -1, value: .null, for: change)
            if case .column(let column) = relationship.storage {
                try keep(column, of: row, in: relationship.table, for: change)
            }
        }
        for key in before.subtracting(after).sorted(by: { "\($0)" < "\($1)" }) {
            try keep(
                relationship.identifier,
                member: try nextMember(of: relationship, in: change),
                value: key,
                for: change
            )
        }
    }

    /// Returns whether a row has existed before it could be a local creation.
    private func isKnown(_ row: Int64, in table: Int) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT watermark >= ? FROM _tidemark_capture WHERE tree = ?"
            ),
            arguments: [row, layout.tables[table].name]
        ) ?? false
    }

    /// Returns whether a push sends the links of a relationship with the row that has it.
    private func isPushed(_ relationship: RelationshipLayout) throws -> Bool {
        let plan = try CapturePlan.of(db, layout)
        if case .column(let column) = relationship.storage {
            return plan.columns[relationship.table].contains(column)
        }
        return plan.lists.contains { $0.relationship.identifier == relationship.identifier }
    }

    private func referencedKeys(
        _ relationship: RelationshipLayout,
        of row: Int64
    ) throws -> Set<DatabaseValue> {
        try DatabaseValue.fetchSet(
            db.cachedStatement(
                sql: "SELECT key FROM _tidemark_held WHERE relationship = ? AND owner = ?"
            ),
            arguments: [relationship.identifier, row]
        )
    }

    /// Returns the open change of a row, which is created if necessary.
    private func update(of row: Int64, in table: Int) throws -> Int64? {
        let name = layout.tables[table].name
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) \
                SELECT ?1, _id, \(layout.entityExpression(table, in: "t")), 'update' \
                FROM \(name.quotedDatabaseIdentifier) t WHERE _id = ?2 \
                ON CONFLICT (tree, row, frozen) DO UPDATE SET state = 'pending' \
                WHERE state = 'rejected'
                """
        ).execute(arguments: [name, row])
        return try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT _id FROM _tidemark_change \
                    WHERE tree = ? AND row = ? AND frozen = 0 AND kind = 'update'
                    """
            ),
            arguments: [name, row]
        )
    }

    /// Keeps the value that a column has now as its base value, unless there is one.
    private func keep(
        _ column: Int,
        of row: Int64,
        in table: Int,
        for change: Int64?
    ) throws {
        let value = try DatabaseValue.fetchOne(
            db,
            sql: """
                SELECT \(layout.name(of: column, in: table)) FROM \(layout.name(of: table)) \
                WHERE _id = ?
                """,
            arguments: [row]
        )
        try keep(
            layout.tables[table].columns[column].name,
            member: 0,
            value: value ?? .null,
            for: change
        )
    }

    private func keep(
        _ property: String,
        member: Int64,
        value: DatabaseValue,
        for change: Int64?
    ) throws {
        guard let change else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_base (change, property, member, value) VALUES (?, ?, ?, ?) \
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [change, property, member, value])
    }

    /// Returns the member under which the next unresolved reference of a relationship is recorded.
    private func nextMember(
        of relationship: RelationshipLayout,
        in change: Int64?
    ) throws -> Int64 {
        let lowest = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT min(member) FROM _tidemark_base WHERE change = ? AND property = ?"
            ),
            arguments: [change, relationship.identifier]
        )
        return min(lowest ?? 0, -1) - 1
    }
}
