public import GRDB
import TidemarkStore

/// Deletions that exceed the guard of a push.
extension Outbox {
    /// Returns the deletions that await approval before a push sends them, by entity.
    ///
    /// ```swift
    /// let pending = try store.read { reader in
    ///     try Outbox(store).pendingServiceDeletions(reader.db)
    /// }
    /// print(pending.map(\.description))
    /// ```
    ///
    /// - Parameter db: A connection, which may be read-only.
    /// - Returns: The deletions that the last push has left for that reason.
    /// - Throws: `DatabaseError`.
    public func pendingServiceDeletions(_ db: Database) throws -> [PendingServiceDeletion] {
        guard try Capture.isInstalled(db) else { return [] }
        return try approval(db).pending()
    }

    /// Returns the rows whose deletion awaits approval.
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - entity: The entity, ``PendingServiceDeletion/entity``.
    /// - Returns: The changes, with the keys of the objects.
    /// - Throws: `DatabaseError`.
    package func pendingServiceDeletions(_ db: Database, of entity: String) throws -> [LocalChange]
    {
        let numbers = Set(try approval(db).changes(of: entity))
        return try changes(db) { numbers.contains($0.number) }
    }

    /// Lets the next push delete the objects of an entity whose deletion awaits approval.
    ///
    /// Deletions that are made later are subject to the guard again.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     let count = try Outbox(store).approveDeletions(writer.db, of: "Note")
    ///     print(count, "notes will be deleted")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - entity: The entity, ``PendingServiceDeletion/entity``.
    /// - Returns: The number of deletions; 0 if none await approval.
    /// - Throws: `DatabaseError`.
    @discardableResult
    public func approveDeletions(_ db: Database, of entity: String) throws -> Int {
        try approval(db).approve(entity)
    }

    /// Discards the deletions of an entity that await approval: the rows are there again, under
    /// their numbers.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     try Outbox(store).rejectDeletions(writer.db, of: "Note")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - entity: The entity, ``PendingServiceDeletion/entity``.
    /// - Returns: The number of deletions; 0 if none await approval.
    /// - Throws: `StoreError.Code.dependentChange` if a row refers to one that was deleted, and
    ///   whose deletion is not discarded; `DatabaseError`.
    @discardableResult
    public func rejectDeletions(_ db: Database, of entity: String) throws -> Int {
        let numbers = try approval(db).changes(of: entity)
        let reader = try StoreReader.prepare(db, in: store)
        let found = try reader.capturedChanges(numbers)
        for change in found { try takeRemote(of: change, db) }
        _ = try store.write(in: db) { writer in
            // Read again: the decisions have changed base values.
            try writer.discard(writer.capturedChanges(numbers))
        }
        return found.count
    }

    private func approval(_ db: Database) -> DeletionApproval {
        DeletionApproval(db: db, layout: store.layout, environment: environment)
    }
}
