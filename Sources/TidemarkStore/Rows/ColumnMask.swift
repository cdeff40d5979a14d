/// A set of columns of a table, by their index in ``TableLayout/columns``.
package struct ColumnMask: Hashable, Sendable {
    private var low: UInt64 = 0
    /// The bits of columns from index 64 on.
    ///
    /// Tables that wide are rare.
    private var high: [UInt64] = []

    /// Creates an empty set.
    package init() {}

    /// Whether no column is in the set.
    package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    /// Inserts a column.
    package mutating func insert(_ column: Int) {
        guard column >= 64 else {
            low |= 1 << UInt64(column)
            return
        }
        let word = column / 64 - 1
        while high.count <= word {
            high.append(0)
        }
        high[word] |= 1 << UInt64(column % 64)
    }

    /// Removes a column.
    package mutating func remove(_ column: Int) {
        guard column >= 64 else {
            low &= ~(1 << UInt64(column))
            return
        }
        let word = column / 64 - 1
        if word < high.count { high[word] &= ~(1 << UInt64(column % 64)) }
    }

    /// Returns whether a column is in the set.
    package func contains(_ column: Int) -> Bool {
        guard column >= 64 else { return low & 1 << UInt64(column) != 0 }
        let word = column / 64 - 1
        return word < high.count && high[word] & 1 << UInt64(column % 64) != 0
    }

    /// Returns whether a column is in both sets.
    func intersects(_ other: ColumnMask) -> Bool {
        low & other.low != 0 || zip(high, other.high).contains { $0 & $1 != 0 }
    }

    /// Inserts the columns of another set.
    package mutating func formUnion(_ other: ColumnMask) {
        low |= other.low
        while high.count < other.high.count {
            high.append(0)
        }
        for (word, bits) in other.high.enumerated() {
            high[word] |= bits
        }
    }
}
