public import GRDB
public import TidemarkModel

extension Store {
    /// Inserts a row, and returns its local name.
    ///
    /// ```swift
    /// let user = try store.writer.write { db in
    ///     try store.insert(db, "User", values: ["name": .string("Ada")])
    /// }
    /// ```
    ///
    /// - Throws: ``StoreError``, or `DatabaseError` when a rule of the database is broken.
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

    /// Changes values and links of a row, and returns its local name and what differs from before.
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

    /// Deletes a row and what goes with it by the model's delete rules.
    ///
    /// - Returns: how many rows went, by entity.
    /// - Throws: ``StoreError/Code/denied`` when a delete rule forbids it; nothing is deleted then.
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

    /// The record that a name means.
    ///
    /// - Throws: ``StoreError/Code/rowNotFound``.
    public func record(_ db: Database, _ name: RecordLocator) throws -> StoredRecord {
        try StoreReader(db, self).record(name)
    }

    /// Removes every row, and what is known of the lists that they came from; the file and the
    /// model stay.
    public func erase(_ db: Database) throws {
        try expectLayout(db)
        let known = try SystemTables.aboutRows.filter { try db.tableExists($0) }
        for table in known + layout.joins.map(\.name) + layout.tables.map(\.name) {
            try db.execute(sql: "DELETE FROM \(table.quotedDatabaseIdentifier)")
        }
    }
}
