/// A statement that stays open between look-ups, because the next row to be looked up is usually
/// the next one of the statement.
///
/// Measured: 9,700 instructions to find and compare a row by a statement of its own, which starts,
/// searches an index and ends, and 4,200 with a scan.
///
/// SQLite does not define whether an open statement returns rows that were changed after it was
/// started. A scan is therefore valid only until any row is changed on the connection, by whatever
/// statement, trigger or foreign key action: see ``isValid``. ``StoreWriter/scan(_:)`` creates
/// scans, and ends all of them before the transaction does: an open statement would keep the
/// connection from reading what other connections commit.
package final class RowScan {
    /// The statement, whose only parameter is the position at which the scan starts.
    package let statement: RowStatement

    private var isOpen = false

    /// The state of the connection when the scan was started.
    private var changes: Int32 = 0

    init(_ statement: RowStatement) {
        self.statement = statement
    }

    /// Whether the scan was started, and no row was changed since.
    package var isValid: Bool { isOpen && changes == statement.totalChanges }

    /// Starts at a position.
    package func start(at position: Int64) {
        statement.reset()
        statement.bind(position, at: 1)
        changes = statement.totalChanges
        isOpen = true
    }

    /// Advances to the next row.
    ///
    /// - Returns: Whether there is a row. Without one, the scan is ended.
    /// - Throws: `DatabaseError`. The scan is then ended.
    package func next() throws -> Bool {
        isOpen = false
        isOpen = try statement.step()
        if !isOpen { statement.reset() }
        return isOpen
    }

    /// Ends the scan.
    package func end() {
        guard isOpen else { return }
        statement.reset()
        isOpen = false
    }
}

/// The scans of one transaction.
final class OpenScans {
    /// All scans, open or not.
    var rows: [RowScan] = []

    /// The scans of children, each by the column that refers to their parents.
    var children: [ChildScan] = []
}
