import GRDB

/// What an operation does that would lose local changes which were not pushed.
///
/// Only stores whose changes are pushed record any.
public enum UnpushedChangePolicy: Hashable, Sendable {
    /// It throws ``StoreError/Code/unpushedChanges``, and changes nothing.
    case reject
    /// It discards the changes.
    case discard
}

extension StoreWriter {
    /// Deletes all rows, with the unresolved references and the import and sync state that depend
    /// on them.
    ///
    /// Use it when the user signs out, or to pull everything again: the next pull reads all lists
    /// from the start, without cursors, checkpoints and cached validators. The file, the model and
    /// tables of the app are kept. Row numbers are not used again. Delete rules are not consulted,
    /// as no row remains; foreign keys of the app's tables still apply. Nothing is deleted at the
    /// service.
    ///
    /// ```swift
    /// try await store.write { writer in try writer.erase() }
    /// _ = try await engine.pull()
    /// ```
    ///
    /// - Parameter changes: What happens if rows have local changes that were not pushed. Defaults
    ///   to an error.
    /// - Throws: ``StoreError/Code/unpushedChanges``; `DatabaseError`.
    public func erase(unpushedChanges changes: UnpushedChangePolicy = .reject) throws {
        guard let capture = try Capture.of(db, layout) else {
            return try eraseTables(SystemTables.aboutRows)
        }
        if changes == .reject { try capture.expectNoChanges(lostBy: "erasing the store") }
        // What is deleted here is not deleted at the service.
        try capture.applyingRemote {
            try eraseTables(SystemTables.aboutRows + CaptureTables.aboutRows)
        }
    }

    private func eraseTables(_ system: [String]) throws {
        // The state of a resource or page is only valid together with the rows that it describes.
        // Its tables exist only in stores that belong to a service.
        let known = try system.filter { try db.tableExists($0) }
        for table in known + layout.joins.map(\.name) + layout.tables.map(\.name) {
            try db.execute(sql: "DELETE FROM \(table.quotedDatabaseIdentifier)")
        }
    }
}
