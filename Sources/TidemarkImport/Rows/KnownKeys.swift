import GRDB
import TidemarkModel
import TidemarkStore

/// What is known about the keys of a table's rows without a query: the range of all keys, and the
/// rows of the keys that the import has come across.
///
/// A key outside of the range is not stored, so that its row can be inserted without a search. And
/// most references lead to rows that the document contains, too.
///
/// Only for keys that are one integer. Row numbers are assigned in ascending order, so that rows
/// with ascending keys are stored as runs: a million rows whose keys have no gap are one run.
final class KnownKeys {
    private let plan: ImportPlan
    private let changes: StoreChanges.Table
    private let writer: StoreWriter

    private var state = State.unread(0)

    /// Whether no code of the app can change rows during the import.
    private let isAlone: Bool

    /// The range of the keys, those of new rows included; empty if `smallest` is larger.
    private var smallest = Int64.max
    private var largest = Int64.min

    /// The range of the keys before the first new row; nil if there were none.
    private var stored: ClosedRange<Int64>?

    /// Known rows, in the order of their keys.
    private var runs: [Run] = []

    /// The number of runs up to which rows are kept.
    private static let runLimit = 1 << 15

    private enum State {
        /// The range of the keys was not read yet, because few keys were looked up: the number of
        /// times.
        case unread(Int)
        case read
        /// The keys are not integers, or may be changed by code of the app.
        case unusable
    }

    /// Rows with consecutive keys and consecutive numbers.
    private struct Run {
        let key: Int64
        let row: Int64
        var count: Int64

        /// The row with a key that is not smaller than the first key of the run.
        func row(of other: Int64) -> Int64? {
            // The distance of two keys may be more than the largest integer.
            let distance = other.subtractingReportingOverflow(key)
            guard !distance.overflow, distance.partialValue < count else { return nil }
            return row + distance.partialValue
        }
    }

    /// The result of looking up a key.
    enum Lookup {
        case row(Int64)
        case absent
        /// It may be stored, but it is not the key of a row that is still to be written.
        case written
        case unknown
    }

    /// Creates an object that knows nothing yet.
    ///
    /// - Parameters:
    ///   - plan: The plan of the entity.
    ///   - changes: The changes of its table.
    ///   - writer: The writer.
    ///   - isAlone: Whether no code of the app can change rows during the import.
    init(
        _ plan: ImportPlan,
        changes: StoreChanges.Table,
        writer: StoreWriter,
        isAlone: Bool
    ) {
        self.plan = plan
        self.changes = changes
        self.writer = writer
        self.isAlone = isAlone
    }

    // MARK: Looking up keys

    /// Returns the row with a key.
    func row(of key: StoredValue) throws -> Lookup {
        switch state {
        case .unusable: return .unknown
        case .unread(let count):
            // Reading the range would not pay for a document with a few references.
            guard count >= 16 else {
                state = .unread(count + 1)
                return .unknown
            }
            try read()
            return try row(of: key)
        case .read: break
        }
        guard case .integer(let key) = key, isUpToDate() else { return .unknown }
        guard smallest <= key, key <= largest else { return .absent }
        if let row = run(of: key)?.row(of: key) { return .row(row) }
        // Rows are written together with others only if their keys are outside of the range.
        return stored?.contains(key) == true ? .written : .unknown
    }

    /// Returns whether a row with the key of a frame is certainly not stored.
    func isNew(_ frame: ObjectFrame) throws -> Bool {
        if case .unread = state { try read() }
        guard case .read = state, isUpToDate(), frame.isGiven[plan.key[0]],
            case .integer(let key) = frame.values[plan.key[0]]
        else { return false }
        return key < smallest || key > largest
    }

    /// Returns whether all rows are still stored, with the same keys; otherwise forgets them.
    private func isUpToDate() -> Bool {
        if changes.keepsKeys { return true }
        state = .unusable
        runs = []
        return false
    }

    /// Returns the run with the largest first key that is not larger than a key.
    private func run(of key: Int64) -> Run? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].key <= key { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? runs[low - 1] : nil
    }

    private func read() throws {
        let table = writer.layout.tables[plan.entity.table]
        guard let column = plan.key.first.map({ table.columns[plan.slots[$0].column] }),
            plan.key.count == 1, column.isInteger, table.keys.count == 1, !table.hasEntityColumn,
            try isAlone && !writer.hasTriggers()
        else {
            state = .unusable
            return
        }
        let name = table.name.quotedDatabaseIdentifier
        let key = column.name.quotedDatabaseIdentifier
        // Two queries: SQLite would read all rows for a query with both aggregates.
        let range = try writer.statement(
            "SELECT (SELECT min(\(key)) FROM \(name)), (SELECT max(\(key)) FROM \(name))"
        )
        defer { range.reset() }
        state = .read
        guard try range.step(), !range.isNull(at: 0) else { return }
        smallest = range.integer(at: 0)
        largest = range.integer(at: 1)
        stored = smallest...largest
    }

    // MARK: Recording rows

    /// Records that a row is stored.
    ///
    /// - Parameters:
    ///   - row: The row number.
    ///   - value: Returns the value of a slot.
    func record(_ row: Int64, value: (Int) -> StoredValue) {
        guard case .read = state, case .integer(let key) = value(plan.key[0]) else { return }
        smallest = min(smallest, key)
        largest = max(largest, key)
        guard let last = runs.last else { return runs.append(Run(key: key, row: row, count: 1)) }
        // Keys in another order are looked up in the database.
        guard key > last.key, last.row(of: key) == nil else { return }
        if last.row(of: key - 1) == row - 1 {
            runs[runs.count - 1].count += 1
            return
        }
        // Keys with gaps take as much memory as in a list. The last ones are the most useful.
        if runs.count == Self.runLimit { runs.removeAll(keepingCapacity: true) }
        runs.append(Run(key: key, row: row, count: 1))
    }
}

extension TableLayout.Column {
    /// Whether the values are integers of an attribute.
    fileprivate var isInteger: Bool {
        guard case .attribute(let type) = content else { return false }
        return switch type {
        case .integer16, .integer32, .integer64: true
        default: false
        }
    }
}
