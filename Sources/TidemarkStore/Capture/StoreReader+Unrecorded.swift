import GRDB

/// Rows that no recorded change is about.
extension StoreReader {
    /// Returns the rows that were created since local creations were last collected.
    ///
    /// A reader cannot collect them: see ``Capture/collect()``.
    ///
    /// - Returns: The creations, sorted by table and row. Their numbers are negative, because they
    ///   are not recorded yet.
    /// - Throws: `DatabaseError`.
    package func uncollectedCreations() throws -> [CapturedChange] {
        try rows("t._id > (SELECT watermark FROM _tidemark_capture WHERE tree = ?1)")
            .enumerated().map { index, row in
                CapturedChange(
                    number: -1 - Int64(index),
                    row: row,
                    table: try layout.entity(row.entity).table,
                    kind: .create,
                    state: .pending,
                    since: nil,
                    base: []
                )
            }
    }

    /// Returns the entities of rows that were created since local creations were last collected.
    ///
    /// - Throws: `DatabaseError`.
    package func entitiesOfUncollectedCreations() throws -> Set<String> {
        guard try Capture.isInstalled(db) else { return [] }
        return try CapturePlan(layout).trees.reduce(into: []) { entities, table in
            let tree = layout.tables[table]
            try entities.formUnion(
                String.fetchAll(
                    db,
                    sql: """
                        SELECT DISTINCT \(layout.entityExpression(table, in: "t")) \
                        FROM \(tree.name.quotedDatabaseIdentifier) t \
                        WHERE t._id > (SELECT watermark FROM _tidemark_capture WHERE tree = ?1)\
                        \(layout.isKeyed(table, in: "t"))
                        """,
                    arguments: [tree.name]
                )
            )
        }
    }

    /// Returns the local drafts: rows without a key that were created before local changes were
    /// recorded.
    ///
    /// Rows that an import has created from objects without a key are not among them.
    ///
    /// - Returns: The rows, sorted by table and number.
    /// - Throws: `DatabaseError`.
    package func localDrafts() throws -> [RowReference] {
        guard try Capture.isInstalled(db) else { return [] }
        return try rows(
            """
            t._id <= (SELECT watermark FROM _tidemark_capture WHERE tree = ?1) \
            AND NOT EXISTS (SELECT 1 FROM _tidemark_change WHERE tree = ?1 AND row = t._id) \
            AND NOT EXISTS (SELECT 1 FROM _tidemark_keyless WHERE entity = ?1 AND row = t._id)
            """
        ) { table in
            // A condition in SQL: nearly all rows have a key, and it has an index.
            " AND (\(layout.lacksKeyCondition(table, in: "t")))"
        }
    }

    private func rows(
        _ condition: String,
        and other: (_ table: Int) -> String = { _ in "" }
    ) throws -> [RowReference] {
        guard try Capture.isInstalled(db) else { return [] }
        return try CapturePlan(layout).trees.flatMap { table in
            let tree = layout.tables[table]
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT \(layout.entityExpression(table, in: "t")), t._id \
                    FROM \(tree.name.quotedDatabaseIdentifier) t \
                    WHERE \(condition)\(layout.isKeyed(table, in: "t"))\(other(table)) \
                    ORDER BY t._id
                    """,
                arguments: [tree.name]
            )
            .map { RowReference($0[0], $0[1]) }
        }
    }
}
