import GRDB

/// Changes that no push sends, because no list of the configuration accepts them.
extension OutboxWriter {
    /// Records the reason of the changes that no list accepts, and removes it from those that one
    /// does since.
    ///
    /// - Parameter accepts: Returns whether a list accepts the changes of an entity.
    /// - Throws: `DatabaseError`.
    func explainUnsent(accepts: (String) -> Bool) throws {
        let entities = try String.fetchAll(
            db,
            sql: "SELECT DISTINCT entity FROM _tidemark_change WHERE state = 'pending'"
        )
        let pending = "SELECT _id FROM _tidemark_change WHERE state = 'pending' AND entity = ?1"
        for entity in entities {
            let reason = "no list accepts changes of \(entity)"
            guard !accepts(entity) else {
                try db.execute(
                    sql: """
                        UPDATE _tidemark_request SET reason = NULL \
                        WHERE reason = ?2 AND change IN (\(pending))
                        """,
                    arguments: [entity, reason]
                )
                continue
            }
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_request (change, idempotencyKey, reason) \
                    SELECT _id, '', ?2 FROM (\(pending)) WHERE 1 \
                    ON CONFLICT (change) DO UPDATE SET reason = excluded.reason
                    """,
                arguments: [entity, reason]
            )
        }
    }
}
