public import GRDB
public import TidemarkModel

extension Store {
    /// Inserts a row and returns its reference.
    ///
    /// Values are converted to the types of their attributes if nothing is lost. Attributes without
    /// a value get their defaults. Unresolved references to the new row become links.
    ///
    /// ```swift
    /// let user = try store.writer.write { db in
    ///     try store.insert(db, "User", values: ["name": .string("Ada")])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: The connection, inside a write transaction.
    ///   - entity: The name of an entity that is not abstract.
    ///   - values: The values by attribute.
    ///   - links: The rows to link to, by relationship; at most one for a to-one relationship.
    /// - Returns: The reference to the row.
    /// - Throws: ``StoreError``, or `DatabaseError` if a constraint of the database is violated.
    @discardableResult
    public func insert(
        _ db: Database,
        _ entity: String,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> RowReference {
        let writer = try StoreWriter(db, self)
        let reference = try writer.insert(layout.entity(entity), values: values, links: links)
        try writer.finish()
        return reference
    }

    /// Updates values and links of a row.
    ///
    /// - Parameters:
    ///   - db: The connection, inside a write transaction.
    ///   - name: The row.
    ///   - values: The new values by attribute. Other attributes do not change.
    ///   - links: The new links by relationship, which replace the existing ones. Other
    ///     relationships do not change.
    /// - Returns: The reference to the row, and the names of the attributes and relationships that
    ///   changed.
    /// - Throws: ``StoreError``, or `DatabaseError` if a constraint of the database is violated.
    @discardableResult
    public func update(
        _ db: Database,
        _ name: RecordLocator,
        values: [String: Value],
        links: [String: [RecordLocator]] = [:]
    ) throws -> (reference: RowReference, changed: [String]) {
        let writer = try StoreWriter(db, self)
        let record = try writer.reader.record(name)
        let entity = try layout.entity(record.reference.entity)
        let changed = try writer.update(
            entity,
            record.reference.number,
            values: values,
            links: links
        )
        try writer.finish()
        return (record.reference, changed)
    }

    /// Deletes a row and applies the delete rules of the model to the rows that are linked to it.
    ///
    /// - Returns: The numbers of deleted rows by entity.
    /// - Throws: ``StoreError/Code/denied`` if a delete rule prevents the deletion, in which case
    ///   nothing is deleted; ``StoreError/Code/rowNotFound``; `DatabaseError`.
    @discardableResult
    public func delete(_ db: Database, _ name: RecordLocator) throws -> [String: Int] {
        let writer = try StoreWriter(db, self)
        let record = try writer.reader.record(name)
        let entity = try layout.entity(record.reference.entity)
        let outcome = try writer.delete(
            [record.reference.number],
            from: entity.table,
            isRemembered: false
        )
        if let denial = outcome.denials.first {
            throw StoreError(
                .denied,
                "\(name) cannot be deleted: \(denial.relationship) has the delete rule deny.",
                hint: "Unlink or delete the rows it is linked to first."
            )
        }
        try writer.finish()
        return outcome.deleted
    }

    /// Returns the record that a locator identifies.
    ///
    /// - Throws: ``StoreError/Code/rowNotFound``, ``StoreError/Code/invalidReference``,
    ///   ``StoreError/Code/unknownEntity``, `DatabaseError`.
    public func record(_ db: Database, _ name: RecordLocator) throws -> StoredRecord {
        try StoreReader(db, self).record(name)
    }

    /// Deletes all rows, with the unresolved references and the import and sync state that depend
    /// on them.
    ///
    /// The file and the model are kept. The next pull reads all lists from the start.
    public func erase(_ db: Database) throws {
        try expectLayout(db)
        // The state of a resource or page is only valid together with the rows that it describes.
        // Its tables exist only in stores that belong to a service.
        let known = try SystemTables.aboutRows.filter { try db.tableExists($0) }
        for table in known + layout.joins.map(\.name) + layout.tables.map(\.name) {
            try db.execute(sql: "DELETE FROM \(table.quotedDatabaseIdentifier)")
        }
    }
}
