import TidemarkStore

/// The rows that an exported list contains: its items, and those that are embedded in them.
///
/// Both are sets of bits, so that a list of any length needs little memory.
final class ExportedRows {
    private let table: Int
    private let items: RowSet
    private var embedded: [Int: RowSet] = [:]

    /// Creates the rows of a list in which nothing is embedded yet.
    ///
    /// - Parameters:
    ///   - entity: The entity of the items.
    ///   - items: The numbers of the items.
    init(_ entity: EntityLayout, _ items: RowSet) {
        table = entity.table
        self.items = items
    }

    /// Whether a row is an item of the list.
    func isItem(_ row: RowReference, _ reader: StoreReader) throws -> Bool {
        try reader.layout.entity(row.entity).table == table && items.contains(row.number)
    }

    /// Whether a row is embedded in full somewhere in the list.
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
