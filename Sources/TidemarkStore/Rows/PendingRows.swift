/// The batches of one transaction that contain rows.
///
/// They are written together: as soon as one of them is full, or before any other statement of the
/// ``StoreWriter``.
final class PendingRows {
    /// The batches in the order in which they got their first row.
    ///
    /// A parent gets its row number, and so its position in a batch, before its children. SQLite
    /// would have to search for the children of each row that is inserted after them.
    private var batches: [RowBatch] = []

    /// Adds a batch that contains its first row.
    func add(_ batch: RowBatch) { batches.append(batch) }

    /// Writes all rows.
    @inline(__always)
    func write() throws {
        guard !batches.isEmpty else { return }
        try writeAll()
    }

    @inline(never)
    private func writeAll() throws {
        for batch in batches { try batch.write() }
        batches.removeAll(keepingCapacity: true)
    }
}
