import TidemarkStore

/// Finds the rows of an entity in the order in which they are stored.
///
/// A document that is imported again contains most objects in the order in which an earlier import
/// inserted them: the row of an object follows that of the previous object. A ``RowScan`` reads it
/// without a search. If it has another key, the row has to be searched for.
final class RowOrder {
    private let statements: EntityStatements

    /// The scan of the rows, created when it is first started.
    private var scan: RowScan?

    /// Whether the current row of the scan has not been found yet.
    private var isAhead = false

    /// The number of the last row found.
    private var last = Int64.min

    /// The number of successive rows that were found by searches.
    private var succession = 0

    /// The number of successive rows after which the scan is started.
    ///
    /// It grows with each scan that finds nothing: a document in an order of its own contains some
    /// successive rows by chance.
    private var threshold = 1

    /// The largest distance of successive rows: those between them may have been deleted.
    private static let gap: Int64 = 16

    init(_ statements: EntityStatements) {
        self.statements = statements
    }

    /// Returns a statement at the row with the key of a frame; nil if the next row has another key.
    ///
    /// The current row of the statement is valid until the next call.
    func row(matching frame: ObjectFrame) throws -> RowStatement? {
        guard let scan, scan.isValid else { return nil }
        if !isAhead {
            guard try scan.next() else { return nil }
            isAhead = true
            threshold = min(threshold * 2, 64)
        }
        for slot in statements.plan.key {
            // A null is not a key: several rows may have it.
            guard !frame.values[slot].isNull,
                scan.statement.holds(frame.values[slot], at: slot + 1)
            else { return nil }
        }
        isAhead = false
        threshold = 1
        last = scan.statement.integer(at: 0)
        return scan.statement
    }

    /// Records a row that was found by a search, and starts the scan after it if it is the
    /// successor of the row found before.
    func recordFound(_ row: Int64) throws {
        // An object may be searched for twice.
        guard row != last else { return }
        let isSuccessor = row > last && row - Self.gap <= last
        last = row
        succession = isSuccessor ? succession + 1 : 0
        isAhead = false
        guard succession >= threshold else {
            scan?.end()
            return
        }
        let scan = try self.scan ?? statements.scan()
        self.scan = scan
        scan.start(at: row)
    }
}
