/// Compares the stored children of rows with lists, while the rows are visited in ascending order.
///
/// An import visits parents in the order in which they are stored, mostly. Their children are then
/// consecutive in the index of the reference, which is read once instead of searched for each
/// parent.
final class ChildScan {
    /// The table of the children.
    let table: Int

    /// The column of the reference.
    let column: Int

    /// Selects parents and children, in this order, from a parent on.
    private let scan: RowScan

    /// The parent whose children were compared last.
    private var last = Int64.min

    /// Whether the scan is at a row that has not been compared yet.
    private var isAtRow = false

    /// The number of rows up to which the children of unvisited parents are skipped.
    ///
    /// A search costs more than as many steps.
    private static let skipLimit = 8

    init(_ scan: RowScan, table: Int, column: Int) {
        self.scan = scan
        self.table = table
        self.column = column
    }

    /// Returns whether the children of a parent are exactly these rows, in this order.
    func hasChildren(_ children: [Int64], of parent: Int64) throws -> Bool {
        let isNext = try scan.isValid && parent > last && skip(to: parent)
        if !isNext {
            scan.start(at: parent)
            isAtRow = try scan.next()
        }
        last = parent
        var index = 0
        while isAtRow, scan.statement.integer(at: 0) == parent {
            guard index < children.count, scan.statement.integer(at: 1) == children[index] else {
                scan.end()
                return false
            }
            index += 1
            isAtRow = try scan.next()
        }
        return index == children.count
    }

    /// Skips the children of parents before the given one, and returns whether all are skipped.
    private func skip(to parent: Int64) throws -> Bool {
        var skipped = 0
        while isAtRow, scan.statement.integer(at: 0) < parent {
            guard skipped < Self.skipLimit else { return false }
            skipped += 1
            isAtRow = try scan.next()
        }
        return true
    }
}

extension StoreWriter {
    /// Returns whether a row is linked to exactly these rows, in this order.
    func hasLinks(
        _ relationship: RelationshipLayout,
        of row: Int64,
        toJust others: [Int64]
    ) throws -> Bool {
        // Only the children of an unordered relationship are in the order of their numbers.
        if case .inverse(let table, let column, nil) = relationship.storage {
            return try childScan(of: table, by: column).hasChildren(others, of: row)
        }
        let statement = try statement(
            for: .linked(relationship.storage, table: relationship.table),
            sql: linkedSQL(relationship)
        )
        statement.bind(row, at: 1)
        defer { statement.reset() }
        var index = 0
        while try statement.step() {
            guard index < others.count, statement.integer(at: 0) == others[index] else {
                return false
            }
            index += 1
        }
        return index == others.count
    }

    private func childScan(of table: Int, by column: Int) throws -> ChildScan {
        try writePending()
        // There are few: a search is faster than hashing.
        if let scan = scans.children.first(where: { $0.table == table && $0.column == column }) {
            return scan
        }
        let parent = name(of: column, in: table)
        let rows = try scan(
            """
            SELECT \(parent), _id FROM \(name(of: table)) WHERE \(parent) >= ? \
            ORDER BY \(parent), _id
            """
        )
        let scan = ChildScan(rows, table: table, column: column)
        scans.children.append(scan)
        return scan
    }
}
