import TidemarkStore

/// The rows that an exported list contains: its items, and the rows that are embedded in them.
///
/// Both are bit sets, so that memory hardly grows with the length of the list.
final class ExportedRows {
    private let table: Int
    private let items: RowSet
    private var embedded: [Int: RowSet] = [:]

    /// Creates the rows of a list without embedded rows.
    ///
    /// - Parameters:
    ///   - entity: The entity of the items.
    ///   - items: The row numbers of the items.
    init(_ entity: EntityLayout, _ items: RowSet) {
        table = entity.table
        self.items = items
    }

    /// Returns whether a row is an item of the list.
    func isItem(_ row: RowReference, _ reader: StoreReader) throws -> Bool {
        try reader.layout.entity(row.entity).table == table && items.contains(row.number)
    }

    /// Returns whether a row is embedded in full somewhere in the list.
    func isEmbedded(_ row: RowReference, _ reader: StoreReader) throws -> Bool {
        let table = try reader.layout.entity(row.entity).table
        return embedded[table]?.contains(row.number) ?? false
    }

    /// Records that a row is embedded in full.
    func insert(_ row: RowReference, _ reader: StoreReader) throws {
        let table = try reader.layout.entity(row.entity).table
        let rows = embedded[table] ?? RowSet()
        rows.insert(row.number)
        embedded[table] = rows
    }
}
