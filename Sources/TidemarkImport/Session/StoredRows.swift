import GRDB
import TidemarkStore

/// The rows that a store has at one time: those up to the highest row number of each table.
///
/// Row numbers are never used twice, so rows that are inserted later have higher ones.
package struct StoredRows: Sendable, Hashable {
    /// The highest row number of each table, by the table's name.
    let highest: [String: Int64]

    /// The rows up to some numbers, by the tables' places in a layout.
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
