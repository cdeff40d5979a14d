import GRDB

/// A local reference that was reset because the row that it refers to is deleted.
package struct ResetReference: Sendable, Hashable {
    package let row: Int64
    package let table: Int
    package let column: Int

    /// The row that the reference had been changed to.
    package let local: Int64

    /// The row that it refers to again; nil for none.
    package let base: Int64?
}

extension StoreWriter {
    /// Resets the references to deleted rows that were made locally and not pushed.
    ///
    /// - Parameters:
    ///   - deleted: The rows that are about to be deleted, by table.
    ///   - unpushed: The rows with local changes.
    /// - Returns: The references; those of rows that are deleted themselves are not among them.
    /// - Throws: `DatabaseError`.
    package func resetReferences(
        to deleted: [Int: RowSet],
        of unpushed: UnpushedRows
    ) throws -> [ResetReference] {
        var references: [ResetReference] = []
        for (table, rows) in try unpushed.rowsByTable.sorted(by: { $0.key < $1.key }) {
            let columns = layout.tables[table].columns.indices.filter { column in
                guard let destination = layout.destination(ofColumn: column, in: table) else {
                    return false
                }
                return deleted[destination] != nil
            }
            guard !columns.isEmpty else { continue }
            for row in rows where deleted[table]?.contains(row) != true {
                for column in columns {
                    let reset = try resetReference(
                        column,
                        in: table,
                        of: row,
                        to: deleted,
                        unpushed
                    )
                    if let reset { references.append(reset) }
                }
            }
        }
        return references
    }

    private func resetReference(
        _ column: Int,
        in table: Int,
        of row: Int64,
        to deleted: [Int: RowSet],
        _ unpushed: UnpushedRows
    ) throws -> ResetReference? {
        guard let destination = layout.destination(ofColumn: column, in: table),
            let changes = try unpushed.changes(of: row, in: table),
            let local = try unpushed.reference(inColumn: column, in: table, of: row),
            deleted[destination]?.contains(local) == true
        else { return nil }
        guard let base = try unpushed.base(ofColumn: column, in: table, of: row) else {
            // The deletion clears the reference of a row that the service does not have.
            guard changes.isCreation else { return nil }
            return ResetReference(row: row, table: table, column: column, local: local, base: nil)
        }
        guard !base.isFrozen else { return nil }
        try unpushed.drop(base)
        try unpushed.removeIfEmpty(base.change, of: row, in: table)
        var former = try unpushed.restorableReference(base, inColumn: column)
        if let known = former, deleted[destination]?.contains(known) == true { former = nil }
        try setReference(column, in: table, of: row, to: former)
        return ResetReference(row: row, table: table, column: column, local: local, base: former)
    }
}

extension StoreLayout {
    /// Returns the index of the table that a column refers to; nil if it contains something else.
    fileprivate func destination(ofColumn column: Int, in table: Int) -> Int? {
        guard case .reference(let reference) = tables[table].columns[column].content else {
            return nil
        }
        return tables.firstIndex { $0.name == reference.table }
    }
}
