import TidemarkStore

/// The rows that an exported list contains: its items, and the rows that are embedded in them.
///
/// Both are bit sets, so that memory hardly grows with the length of the list.
final class ExportedRows {
    private let layout: StoreLayout
    private let table: Int
    private let items: RowSet
    private var embedded: [Int: RowSet] = [:]

    /// Creates the rows of a list without embedded rows.
    ///
    /// - Parameters:
    ///   - items: The row numbers of the items.
    ///   - entity: The entity of the items.
    ///   - layout: The layout of the store.
    init(_ items: RowSet, of entity: EntityLayout, in layout: StoreLayout) {
        self.layout = layout
        table = entity.table
        self.items = items
    }

    /// Returns whether a row is an item of the list.
    func isItem(_ row: RowReference) throws -> Bool {
        try layout.entity(row.entity).table == table && items.contains(row.number)
    }

    /// Returns whether a row is embedded in full somewhere in the list.
    func isEmbedded(_ row: RowReference) throws -> Bool {
        let table = try layout.entity(row.entity).table
        return embedded[table]?.contains(row.number) ?? false
    }

    /// Records that a row is embedded in full.
    func insert(_ row: RowReference) throws {
        let table = try layout.entity(row.entity).table
        let rows = embedded[table] ?? RowSet()
        rows.insert(row.number)
        embedded[table] = rows
    }
}
