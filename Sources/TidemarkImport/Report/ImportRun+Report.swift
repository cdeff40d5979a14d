import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Returns the report of the transaction.
    func report() throws -> ImportReport {
        var report = ImportReport()
        for table in layout.tables.indices { try count(rowsOf: table, in: &report) }
        for (entity, count) in unlisted.deleted {
            report.entities[entity, default: .init()].deleted += count
        }
        for (entity, count) in log.skipped {
            report.entities[entity, default: .init()].skipped += count
        }
        try countRetyped(in: &report)
        report.entities = report.entities.filter { !$0.value.isEmpty }
        report.unresolvedReferenceCount = writer.unresolved.current.count
        // An entry whose item was imported again, without the problem, has a count of zero.
        report.diagnostics = log.entries.filter { $0.count > 0 }
        report.diagnosticsOmitted = log.omitted
        report.unlistedRowCount = unlisted.kept.flatMap { $0 > 0 ? $0 : nil }
        return report
    }

    /// Counts rows that were moved to another entity as deleted from the old one and inserted into
    /// the new one, instead of as updated.
    private func countRetyped(in report: inout ImportReport) throws {
        for (index, rows) in usedTables.flatMap({ $0.progress.retyped }) {
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
    private func count(rowsOf table: Int, in report: inout ImportReport) throws {
        let changes = writer.changes.table(ifChanged: layout.tables[table].name)
        if let changes {
            try count(changes.inserted, of: table, as: \.inserted, in: &report)
            try count(changes.updated, of: table, as: \.updated, in: &report) { row in
                !changes.inserted.contains(row) && !changes.deleted.contains(row)
            }
        }
        guard let progress = progress(ofTable: table) else { return }
        func isChanged(_ row: Int64) -> Bool {
            guard let changes else { return false }
            return changes.inserted.contains(row) || changes.updated.contains(row)
                || changes.deleted.contains(row)
        }
        try count(progress.relinked, of: table, as: \.updated, in: &report) { !isChanged($0) }
        try count(progress.firstSeen, of: table, as: \.unchanged, in: &report) { row in
            !isChanged(row) && !progress.relinked.contains(row)
                && !progress.untouched.contains(row)
        }
    }

    private func count(
        _ rows: RowSet,
        of table: Int,
        as field: WritableKeyPath<ImportReport.Counts, Int>,
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
