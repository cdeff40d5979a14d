/// The size limit of one transaction of an import session, so that other connections can write in
/// between.
///
/// The first limit that is reached ends the transaction; the next transaction resumes at the next
/// item.
package struct BatchLimit {
    /// The maximum number of rows, including nested ones.
    ///
    /// The transaction ends with the item that reaches it.
    package var rows: Int

    /// Returns whether the transaction has reached its time limit.
    ///
    /// It is called after every eighth item, because reading the clock after each item is too slow.
    package var isOver: () -> Bool

    /// Creates a limit.
    ///
    /// The defaults mean no limit.
    ///
    /// - Parameters:
    ///   - rows: The maximum number of rows, including nested ones.
    ///   - isOver: Returns whether the transaction has reached its time limit.
    package init(rows: Int = .max, isOver: @escaping () -> Bool = { false }) {
        self.rows = rows
        self.isOver = isOver
    }

    /// Returns whether the transaction ends after these numbers of items and rows.
    func isReached(items: Int, rows: Int) -> Bool {
        rows >= self.rows || items > 0 && items.isMultiple(of: 8) && isOver()
    }
}
