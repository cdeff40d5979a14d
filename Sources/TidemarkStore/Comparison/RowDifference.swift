public import TidemarkModel

/// A row that differs between two stores of one model.
///
/// It contains the whole row as each store has it. Its description names the differing properties,
/// never their values, so it can be logged.
///
/// ```swift
/// let copy = try store.temporaryCopy()
/// for row in try store.differences(from: copy).rows {
///     for property in row.properties {
///         print(row.row, property, row.stored?[property] ?? .null, row.other?[property] ?? .null)
///     }
/// }
/// ```
public struct RowDifference: Sendable, Hashable {
    /// The row's entity and number, which are the same in both stores.
    ///
    /// If the entity differs, it is that of this store.
    public let row: RowReference

    /// The row's primary key, including that of a parent within which it is unique; nil if the row
    /// has none.
    public let key: RecordKey?

    /// The row in this store, with all its links; nil if only the other store has it.
    public let stored: StoredRecord?

    /// The row in the other store; nil if only this store has it.
    ///
    /// In a verification it is the row as the service has it: values and links that no document
    /// contained are left out.
    public let other: StoredRecord?

    /// The names of the differing attributes and relationships, in the order of the model; empty if
    /// only one store has the row.
    public let properties: [String]
}

/// The differences between two stores of one model, a diff of their rows.
///
/// ``Store/differences(from:limit:)`` returns them, and a verification of a store against its
/// service contains them. All differing rows are counted; the first ones, up to the limit, are also
/// listed.
///
/// ```swift
/// let differences = try store.differences(from: store.temporaryCopy())
/// if !differences.isEmpty {
///     print("\(differences.count) rows differ, the first is \(differences.rows[0])")
/// }
/// ```
public struct StoreDifferences: Sendable, Hashable {
    /// The number of differing rows of an entity.
    package struct Counts: Sendable, Hashable {
        /// Rows that only this store has.
        package var onlyStored = 0
        /// Rows that only the other store has.
        package var onlyOther = 0
        /// Rows that both stores have, with different values or links.
        package var differing = 0
    }

    /// The counts by entity.
    ///
    /// An entity without differences is not included.
    package private(set) var counts: [String: Counts] = [:]

    /// The differing rows, table by table and in the order of row numbers, up to the limit of the
    /// comparison.
    ///
    /// ``count`` minus the number of these is the number of rows that are not listed.
    public private(set) var rows: [RowDifference] = []

    /// Whether the stores are equal: all rows, values, links and the order of ordered lists.
    public var isEmpty: Bool { counts.isEmpty }

    /// The total number of differing rows, of which ``rows`` lists the first.
    public var count: Int {
        counts.values.reduce(0) { $0 + $1.onlyStored + $1.onlyOther + $1.differing }
    }

    mutating func count(_ entity: String, as kind: WritableKeyPath<Counts, Int>) {
        counts[entity, default: Counts()][keyPath: kind] += 1
    }

    mutating func add(_ row: RowDifference) {
        rows.append(row)
    }
}
