import TidemarkStore

extension ImportRun {
    /// Calls the app's hook for each row that was inserted or updated.
    func callDidImport() throws {
        guard let didImport = importer.hooks.didImport else { return }
        // What the hook changes is not reported as changed by the import.
        let hookWriter = StoreWriter.sharing(writer)
        for (table, layout) in layout.tables.enumerated() {
            let changes = writer.changes.table(ifChanged: layout.name)
            func call(
                _ change: RowChange.Kind,
                for rows: RowSet?,
                except known: [RowSet?]
            ) throws {
                guard let rows else { return }
                let known = (known + [changes?.deleted]).compactMap(\.self)
                for row in rows.rows where !known.contains(where: { $0.contains(row) }) {
                    guard let entity = try reader.entity(of: row, in: table) else { continue }
                    try didImport(hookWriter, RowReference(entity.name, row), change)
                }
            }
            // Each row is reported once: an inserted row not as updated, too.
            try call(.insert, for: changes?.inserted, except: [])
            try call(.update, for: changes?.updated, except: [changes?.inserted])
            let reported = [changes?.inserted, changes?.updated]
            try call(.update, for: progress(ofTable: table)?.relinked, except: reported)
        }
        try hookWriter.finish()
    }
}
