import TidemarkModel

/// The rows that a list names; used again for the next list, so that short ones allocate nothing.
struct ListMembers {
    /// The rows, each once, in the order of the list.
    private(set) var rows: [Int64] = []

    /// The place of each in the list.
    private(set) var places: [Int64] = []

    /// The keys of rows that are not here, and their places.
    private(set) var missing: [[StoredValue]] = []
    private(set) var missingPlaces: [Int64] = []

    private var known: Set<Int64> = []

    mutating func add(_ row: Int64, at place: Int) {
        // Most lists are short: looking through them is quicker than hashing.
        if rows.count < 16 {
            if rows.contains(row) { return }
        } else {
            if known.isEmpty { known.formUnion(rows) }
            guard known.insert(row).inserted else { return }
        }
        rows.append(row)
        places.append(Int64(place))
    }

    mutating func addMissing(_ key: [StoredValue], at place: Int) {
        missing.append(key)
        missingPlaces.append(Int64(place))
    }

    /// Forgets the list before.
    mutating func clear() {
        rows.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        if !known.isEmpty { known.removeAll() }
        if !missing.isEmpty {
            missing.removeAll()
            missingPlaces.removeAll()
        }
    }
}
