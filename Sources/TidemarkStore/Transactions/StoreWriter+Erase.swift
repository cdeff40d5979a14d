import GRDB

extension StoreWriter {
    /// Deletes all rows, with the unresolved references and the import and sync state that depend
    /// on them.
    ///
    /// The file and the model are kept. The next pull reads all lists from the start.
    ///
    /// ```swift
    /// try store.write { db in try db.erase() }
    /// ```
    ///
    /// - Throws: `DatabaseError`.
    public func erase() throws {
        // The state of a resource or page is only valid together with the rows that it describes.
        // Its tables exist only in stores that belong to a service.
        let known = try SystemTables.aboutRows.filter { try db.tableExists($0) }
        for table in known + layout.joins.map(\.name) + layout.tables.map(\.name) {
            try db.execute(sql: "DELETE FROM \(table.quotedDatabaseIdentifier)")
        }
    }
}
