/// The result of one transaction of an import session, or of several that follow each other.
package struct BatchResult: Sendable, Hashable {
    /// The numbers of changed rows and references, and diagnostics.
    package var report = ImportReport()

    /// The number of items that were imported.
    package var items = 0

    /// Whether the last item of the page was imported.
    package var isLast = true

    /// The number of items that the session had received before: objects moved between pages while
    /// the list was read.
    package var repeated = 0

    /// The number of items that have the key of an earlier item of the same transaction.
    package var duplicates = 0

    /// The number of items that have no stored row.
    package var itemsWithoutRow = 0

    /// The number of items that could not be stored, for example because of their keys.
    package var rejectedItems = 0

    /// The rows that the imported items contain.
    package var rows = PageRows()

    /// Creates a result without changed rows.
    package init(items: Int = 0, repeated: Int = 0, duplicates: Int = 0, itemsWithoutRow: Int = 0) {
        self.items = items
        self.repeated = repeated
        self.duplicates = duplicates
        self.itemsWithoutRow = itemsWithoutRow
    }

    /// Adds the result of the next transaction.
    ///
    /// - Parameters:
    ///   - next: The result of the transaction.
    ///   - limit: The maximum number of different diagnostics.
    package mutating func add(_ next: BatchResult, limit: Int) {
        report.add(next.report, limit: limit)
        items += next.items
        isLast = next.isLast
        repeated += next.repeated
        duplicates += next.duplicates
        itemsWithoutRow += next.itemsWithoutRow
        rejectedItems += next.rejectedItems
        rows.add(next.rows)
    }
}
