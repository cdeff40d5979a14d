import GRDB
import TidemarkStore

/// The rows of a store at one point in time: those up to the highest row number of each table.
///
/// Tables never reuse row numbers, so that rows inserted later have higher ones.
package struct StoredRows: Sendable, Hashable {
    /// The highest row number of each table, by table name.
    let highest: [String: Int64]

    /// Creates the value from row numbers by table index.
    init(_ highest: [Int: Int64], in layout: StoreLayout) {
        self.highest = Dictionary(
            uniqueKeysWithValues: highest.map { (layout.tables[$0.key].name, $0.value) }
        )
    }

    /// Returns the rows that are stored now.
    static func current(_ db: Database, in layout: StoreLayout) throws -> StoredRows {
        var rows: [Int: Int64] = [:]
        for (index, table) in layout.tables.enumerated() {
            rows[index] = try highest(db, in: table)
        }
        return StoredRows(rows, in: layout)
    }

    /// Returns the highest row number that a table has ever used; 0 if it has never had a row.
    static func highest(_ db: Database, in table: TableLayout) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
            arguments: [table.name]
        ) ?? 0
    }
}
