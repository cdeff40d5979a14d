import GRDB

extension StoreWriter {
    /// Deletes all rows, with the unresolved references and the import and sync state that depend
    /// on them.
    ///
    /// Use it when the user signs out, or to pull everything again: the next pull reads all lists
    /// from the start, without cursors, checkpoints and cached validators. The file, the model and
    /// tables of the app are kept. Row numbers are not used again. Delete rules are not consulted,
    /// as no row remains; foreign keys of the app's tables still apply.
    ///
    /// ```swift
    /// try await store.write { writer in try writer.erase() }
    /// _ = try await engine.pull()
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
