import GRDB
import TidemarkStore

/// The rows of a store at one point in time: those up to the highest row number of each table.
///
/// Tables never reuse row numbers, so that rows inserted later have higher ones.
package struct StoredRows: Sendable, Hashable {
    /// The highest row number of each table, by table name.
    let highest: [String: Int64]

    /// Creates the value from row numbers by table index.
    init(_ highest: [Int: Int64], _ layout: StoreLayout) {
        self.highest = Dictionary(
            uniqueKeysWithValues: highest.map { (layout.tables[$0.key].name, $0.value) }
        )
    }

    init(_ db: Database, _ layout: StoreLayout) throws {
        var highest: [String: Int64] = [:]
        for table in layout.tables {
            highest[table.name] = try ImportRun.highestRow(db, in: table)
        }
        self.highest = highest
    }
}
