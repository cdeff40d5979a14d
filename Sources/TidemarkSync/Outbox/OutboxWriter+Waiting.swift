import GRDB

/// Properties that wait while the others of their change are sent.
extension OutboxWriter {
    /// Lets properties of a change whose request is sent wait as a change of their own.
    func leave(_ properties: [String], of change: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind, since) \
                SELECT tree, row, entity, 'update', since FROM _tidemark_change WHERE _id = ?
                """
        ).execute(arguments: [change])
        let rest = db.lastInsertedRowID
        for property in properties {
            try db.cachedStatement(
                sql: """
                    UPDATE _tidemark_base SET change = ?1 WHERE change = ?2 \
                    AND (property = ?3 OR property GLOB ?3 || ':*')
                    """
            ).execute(arguments: [rest, change, property])
        }
    }
}
