import GRDB
import TidemarkStore

extension ImportRun {
    /// Calls the app's hook for each row that was inserted or updated.
    func reportRows() throws {
        guard let didImport = hooks.didImport else { return }
        for (table, layout) in layout.tables.enumerated() {
            let changes = writer.changes.table(ifChanged: layout.name)
            func tell(
                _ rows: RowSet?,
                _ change: ImportHooks.RowChange,
                but known: [RowSet?]
            ) throws {
                guard let rows else { return }
                let known = known + [changes?.deleted]
                for row in rows.rows where !known.contains(where: { $0?.contains(row) == true }) {
                    try self.tell(row, table, change, didImport)
                }
            }
            // Each row is reported once: an inserted row not as updated, too.
            try tell(changes?.inserted, .inserted, but: [])
            try tell(changes?.updated, .updated, but: [changes?.inserted])
            try tell(relinked[table], .updated, but: [changes?.inserted, changes?.updated])
        }
    }

    private func tell(
        _ row: Int64,
        _ table: Int,
        _ change: ImportHooks.RowChange,
        _ didImport: (Database, RowReference, ImportHooks.RowChange) throws -> Void
    ) throws {
        guard let entity = try reader.entity(of: row, in: table) else { return }
        try didImport(writer.db, RowReference(entity.name, row), change)
    }
}
