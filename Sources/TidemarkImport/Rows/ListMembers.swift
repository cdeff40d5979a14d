import TidemarkModel

/// The rows that a list contains.
///
/// Values are reused for the next list, so that short lists allocate no memory.
struct ListMembers {
    /// The row numbers in the order of the list, each once.
    private(set) var rows: [Int64] = []

    /// The position of each row in the list.
    private(set) var positions: [Int64] = []

    /// The keys of rows that are not stored, and their positions.
    private(set) var missing: [[StoredValue]] = []
    private(set) var missingPositions: [Int64] = []

    private var known: Set<Int64> = []

    mutating func add(_ row: Int64, at position: Int) {
        // Most lists are short: a linear search is faster than hashing.
        if rows.count < 16 {
            if rows.contains(row) { return }
        } else {
            if known.isEmpty { known.formUnion(rows) }
            guard known.insert(row).inserted else { return }
        }
        rows.append(row)
        positions.append(Int64(position))
    }

    mutating func add(missing key: [StoredValue], at position: Int) {
        missing.append(key)
        missingPositions.append(Int64(position))
    }

    /// Removes the rows of the previous list.
    mutating func clear() {
        rows.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        if !known.isEmpty { known.removeAll() }
        if !missing.isEmpty {
            missing.removeAll()
            missingPositions.removeAll()
        }
    }
}
