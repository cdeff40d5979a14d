package import GRDB

/// The rows and columns that a transaction changed, by table.
package final class StoreChanges {
    /// The changes of one table.
    package final class Table {
        /// The inserted rows.
        package let inserted = RowSet()
        /// The rows with changed values.
        package let updated = RowSet()
        /// The columns that changed in any updated row.
        package private(set) var updatedColumns = ColumnMask()
        /// The deleted rows.
        package let deleted = RowSet()
        /// Whether the primary key of a row that existed before changed.
        private var hasKeyChange = false
        /// The rows whose entity changed, each with its entity before the transaction.
        ///
        /// These rows are also in ``updated``.
        package private(set) var retyped: [Int64: String] = [:]

        /// Whether the table still has all rows that it had before, with the keys that they had.
        package var keepsKeys: Bool { !hasKeyChange && deleted.count == 0 }

        /// Records that the primary key of a row changed.
        func recordKeyChange() { hasKeyChange = true }

        /// Records that columns of a row changed.
        package func update(_ row: Int64, columns: ColumnMask) {
            updated.insert(row)
            updatedColumns.formUnion(columns)
        }

        /// Records that the entity of a row changed.
        ///
        /// - Parameters:
        ///   - row: The row number.
        ///   - entity: The previous entity.
        ///   - columns: The columns that were set to NULL, because the new entity lacks them.
        package func retype(_ row: Int64, from entity: String, clearing columns: ColumnMask) {
            update(row, columns: columns)
            // Only the first change starts from the entity before the transaction.
            if retyped[row] == nil { retyped[row] = entity }
        }

        /// Whether nothing changed.
        var isEmpty: Bool { inserted.count == 0 && updated.count == 0 && deleted.count == 0 }
    }

    private var tables: [String: Table] = [:]

    /// Creates an empty collection.
    package init() {}

    /// The names of the tables that changed.
    package var tableNames: [String] { tables.filter { !$0.value.isEmpty }.keys.sorted() }

    /// Whether nothing changed.
    package var isEmpty: Bool { tables.values.allSatisfy(\.isEmpty) }

    /// Returns the recorded changes of a table, to add to them.
    package func table(_ name: String) -> Table {
        if let table = tables[name] { return table }
        let table = Table()
        tables[name] = table
        return table
    }

    /// Returns the changes of a table; nil if the table did not change.
    package func table(ifChanged name: String) -> Table? {
        tables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Notifies GRDB's observers of the tables that changed.
    ///
    /// Statements that bypass GRDB are invisible to its observers. Call this before the commit of
    /// every transaction that ran such statements.
    package func notify(_ db: Database) throws {
        for name in tableNames {
            try db.notifyChanges(in: GRDB.Table(name))
        }
    }
}
