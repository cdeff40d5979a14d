/// A difference between the service's count and the number of rows that the whole list does not
/// explain: the service counts objects that cannot be stored, or that its list does not contain.
struct CountMismatch: Equatable, Sendable {
    /// The number of objects that the service counts, or that its list contains.
    var count: Int

    /// The number of rows after the list was read, not counting pending deletions.
    var rows: Int

    /// Returns whether a later count and number of rows differ by the same amount.
    func explains(count: Int, rows: Int) -> Bool {
        // A damaged store may contain any integers.
        count.subtractingReportingOverflow(rows)
            == self.count.subtractingReportingOverflow(self.rows)
    }
}
