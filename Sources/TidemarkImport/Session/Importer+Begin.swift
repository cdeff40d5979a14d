public import GRDB
import TidemarkModel
import TidemarkStore

/// The start of an import session.
extension Importer {
    /// Returns the highest row number that an entity's table has ever used.
    ///
    /// Call it before the list is requested: a session that starts later must not delete rows that
    /// were inserted after the request.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - entity: The entity.
    /// - Returns: The row number; 0 if the table has never had a row.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func highestRow(_ db: Database, of entity: String) throws -> Int64 {
        let layout = try store.layout.entity(entity)
        return try StoredRows.highest(db, in: store.layout.tables[layout.table])
    }

    /// Returns the rows that are stored now: those that count towards the limits of a
    /// ``DeletionGuard``.
    ///
    /// - Parameter db: The connection.
    /// - Returns: The highest row numbers of all tables.
    /// - Throws: `DatabaseError`.
    package func storedRows(_ db: Database) throws -> StoredRows {
        try StoredRows.current(db, in: store.layout)
    }

    /// Starts an import session.
    ///
    /// An unfinished session of the same name is discarded, except for its record of children that
    /// were removed from a parent's list. Begin before the list is requested: rows that are
    /// inserted later are not deleted by the session, as the list may have been created before
    /// them.
    ///
    /// ```swift
    /// let session = ImportSession("users", into: "User")
    /// try store.writer.write { db in try importer.begin(db, session) }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - session: The session.
    /// - Throws: ``ImportError/Code/needsParent`` if the entity has no primary key, `StoreError` if
    ///   the model lacks the entity or the store was migrated meanwhile, `DatabaseError`.
    public func begin(_ db: Database, _ session: ImportSession) throws {
        try begin(db, session, countingOnly: nil)
    }

    /// Starts an import session for a list that was requested earlier.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - session: The session.
    ///   - highest: The highest number of a row that may be deleted; nil for the highest one now.
    ///   - stored: The rows that count towards the limits of a ``DeletionGuard``; nil for those
    ///     that are stored now. A pull that reads a list several times passes those from its
    ///     beginning.
    /// - Throws: ``ImportError``, `StoreError`, `DatabaseError`.
    package func begin(
        _ db: Database,
        _ session: ImportSession,
        upTo highest: Int64? = nil,
        countingOnly stored: StoredRows?
    ) throws {
        try store.expectLayout(db)
        let entity = try store.layout.entity(session.entity)
        // Without a primary key no item could be matched with a stored row.
        guard !entity.key.isEmpty else { throw ImportError.needsParent(session.entity) }
        let highest = try highest ?? highestRow(db, of: session.entity)
        let seen = SeenRows(db, of: session.resource, layout: store.layout)
        let stored = try stored ?? storedRows(db)
        try seen.keepRemovedChildren {
            try forget(db, session.resource)
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_walk (resource, entity, run, highest) VALUES (?, ?, ?, ?)
                    """,
                arguments: [session.resource, session.entity, session.run, highest]
            )
            try seen.save(stored)
        }
    }

    /// Discards a session and its record of rows, for example when its list is no longer read.
    ///
    /// Deletes no rows of the model: what was applied stays. An unknown session is ignored.
    ///
    /// ```swift
    /// try store.writer.write { db in try importer.forget(db, "users") }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - resource: The name under which the session is stored.
    /// - Throws: `DatabaseError`.
    public func forget(_ db: Database, _ resource: String) throws {
        try db.execute(
            sql: "DELETE FROM _tidemark_walk WHERE resource = ?",
            arguments: [resource]
        )
    }

    /// Returns whether a session of this name and run was started and is not finished.
    package func isOpen(_ db: Database, _ resource: String, run: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_walk WHERE resource = ? AND run = ?)",
            arguments: [resource, run]
        ) ?? false
    }
}
