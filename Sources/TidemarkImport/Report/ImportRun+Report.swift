import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Returns the report of the transaction.
    func report() throws -> ImportReport {
        var report = ImportReport()
        for (table, layout) in layout.tables.enumerated() {
            let changes = writer.changes.table(ifChanged: layout.name)
            try count(table, changes, in: &report)
        }
        for (entity, count) in deleted {
            report.entities[entity, default: .init()].deleted += count
        }
        for (entity, count) in log.skipped {
            report.entities[entity, default: .init()].skipped += count
        }
        try countRetyped(in: &report)
        report.entities = report.entities.filter { !$0.value.isEmpty }
        report.unresolved = writer.currentUnresolved.count
        // An entry whose item was imported again, without the problem, has a count of zero.
        report.diagnostics = log.entries.filter { $0.count > 0 }
        report.diagnosticsOmitted = log.omitted
        return report
    }

    /// Counts rows that were moved to another entity as deleted from the old one and inserted into
    /// the new one, instead of as updated.
    private func countRetyped(in report: inout ImportReport) throws {
        for (index, rows) in retyped {
            let old = layout.entities[index]
            let changes = writer.changes.table(ifChanged: layout.tables[old.table].name)
            // A row inserted in this transaction is already counted with its new entity.
            for row in rows.rows where changes?.inserted.contains(row) != true {
                guard let entity = try reader.entity(of: row, in: old.table),
                    entity.name != old.name
                else { continue }
                report.entities[old.name, default: .init()].deleted += 1
                report.entities[entity.name, default: .init()].inserted += 1
                report.entities[entity.name, default: .init()].updated -= 1
            }
        }
    }

    /// Counts the rows of a table.
    ///
    /// Each row is counted once: inserted before updated, updated before unchanged.
    private func count(
        _ table: Int,
        _ changes: StoreChanges.Table?,
        in report: inout ImportReport
    ) throws {
        let relinked = relinked[table]
        let untouched = untouched[table]
        if let changes {
            try count(changes.inserted, table, \.inserted, in: &report)
            try count(changes.updated, table, \.updated, in: &report) { row in
                !changes.inserted.contains(row) && !changes.deleted.contains(row)
            }
        }
        func isUpdated(_ row: Int64) -> Bool {
            changes?.inserted.contains(row) == true || changes?.updated.contains(row) == true
                || changes?.deleted.contains(row) == true
        }
        if let relinked {
            try count(relinked, table, \.updated, in: &report) { !isUpdated($0) }
        }
        if let counted = counted[table] {
            try count(counted, table, \.unchanged, in: &report) { row in
                !isUpdated(row) && relinked?.contains(row) != true
                    && untouched?.contains(row) != true
            }
        }
    }

    private func count(
        _ rows: RowSet,
        _ table: Int,
        _ field: WritableKeyPath<ImportReport.Counts, Int>,
        in report: inout ImportReport,
        where isCounted: (Int64) -> Bool = { _ in true }
    ) throws {
        let layout = layout.tables[table]
        guard layout.hasEntityColumn else {
            var count = 0
            for row in rows.rows where isCounted(row) { count += 1 }
            report.entities[layout.name, default: .init()][keyPath: field] += count
            return
        }
        for (entity, count) in try reader.countEntities(of: rows, in: table, where: isCounted) {
            report.entities[entity, default: .init()][keyPath: field] += count
        }
    }
}
