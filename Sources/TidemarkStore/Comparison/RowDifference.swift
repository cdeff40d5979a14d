public import TidemarkModel

/// A row that two stores of one model do not have alike.
public struct RowDifference: Sendable, Hashable {
    /// The row's local name, which is the same in both.
    public let row: RowReference

    /// The row's primary key, that of its parent in it included; nil where it has none.
    public let key: RecordKey?

    /// The row as it is here; nil where only the other store has it.
    public let here: StoredRecord?

    /// The row as it is in the other store; nil where only this one has it.
    public let there: StoredRecord?

    /// The attributes and relationships that differ, in the order of the model; empty where only
    /// one store has the row.
    public let properties: [String]
}

/// What two stores of one model do not have alike.
public struct StoreDifferences: Sendable, Hashable {
    /// How many rows of an entity differ, and how.
    public struct Counts: Sendable, Hashable {
        /// Rows that only this store has.
        public var onlyHere = 0
        /// Rows that only the other store has.
        public var onlyThere = 0
        /// Rows that both have, with other values or links.
        public var differing = 0
    }

    /// The counts by entity; an entity whose rows are all alike is not there.
    public private(set) var counts: [String: Counts] = [:]

    /// The rows, table by table and by row number: as many as were asked for.
    public private(set) var rows: [RowDifference] = []

    /// Whether the stores are alike.
    public var isEmpty: Bool { counts.isEmpty }

    /// How many rows differ.
    public var count: Int {
        counts.values.reduce(0) { $0 + $1.onlyHere + $1.onlyThere + $1.differing }
    }

    mutating func count(_ entity: String, _ kind: WritableKeyPath<Counts, Int>) {
        counts[entity, default: Counts()][keyPath: kind] += 1
    }

    mutating func add(_ row: RowDifference) {
        rows.append(row)
    }
}
