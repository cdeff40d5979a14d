/// The table and the number of a row.
struct TableRow: Hashable, Comparable {
    /// The table's index in the layout.
    let table: Int

    /// The row number.
    let number: Int64

    static func < (one: TableRow, other: TableRow) -> Bool {
        (one.table, one.number) < (other.table, other.number)
    }
}
