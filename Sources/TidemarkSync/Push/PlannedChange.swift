/// A local change, as far as its order depends on it.
struct PlannedChange: Hashable, Sendable {
    /// A row, by the name of its table and its number.
    struct Row: Hashable, Comparable, Sendable {
        let table: String
        let number: Int64

        static func < (one: Row, other: Row) -> Bool {
            (one.table, one.number) < (other.table, other.number)
        }
    }

    /// What the change does to the object at the service.
    enum Kind: Sendable {
        case create, update, delete
    }

    /// A link to another row that the request contains.
    struct Reference: Hashable, Sendable {
        /// The relationship, as `Entity.name`.
        let relationship: String
        let row: Row

        /// Whether the object may be stored without it.
        let isOptional: Bool

        /// Whether a new object may be sent without it although nothing else is missing: a link of
        /// a list, which is sent afterwards.
        var mayBeOwed = false
    }

    /// The number of the change.
    let number: Int64
    let row: Row
    let kind: Kind

    /// Whether the change may be sent now.
    var isSendable = true

    /// Whether its request was sent, so that a later change of the row waits for its outcome.
    var isFrozen = false

    /// The links that the request contains; for a deletion those that the row had.
    var references: [Reference] = []

    /// The rows that the change does not link to any more.
    var released: Set<Row> = []

    /// The primary key as text, of a row that was deleted, or that is created with a key.
    var key: String?

    /// The identifiers of the relationships whose links the request has to omit.
    var omitted: Set<String> = []

    /// The path of the list that it is sent to.
    var path = ""

    /// How often it was attempted before.
    var attempts = 0
}

extension PushPlan {
    /// Plans the order of changes that depend on each other alone.
    init(_ changes: [PlannedChange]) {
        self.init()
        add(changes, after: ChangeDependencies(changes).predecessors)
    }
}

/// What each of some changes waits for.
private struct ChangeDependencies {
    private(set) var predecessors: [Int64: PushPlan.Predecessors] = [:]

    init(_ changes: [PlannedChange]) {
        let creations = Self.byRow(changes.filter { $0.kind == .create })
        let ofRow = Dictionary(grouping: changes, by: \.row)
        let deletions = changes.filter { $0.kind == .delete }
        let deleted = Self.byRow(deletions)
        let keys = Dictionary(
            deletions.compactMap { deletion in
                deletion.key.map { ("\(deletion.row.table) \($0)", deletion.number) }
            }
        ) { first, _ in first }
        let held = Set(changes.filter { !$0.isSendable }.map(\.row))
        for change in changes {
            if change.kind != .delete {
                for reference in change.references
                where !reference.mayBeOwed || !held.contains(reference.row) {
                    add(change.number, after: creations[reference.row], because: reference)
                }
            } else {
                // The row that it referred to is deleted after it.
                for reference in change.references {
                    add(deleted[reference.row], after: change.number, because: nil)
                }
            }
            for row in change.released { add(deleted[row], after: change.number, because: nil) }
            if change.kind == .create, let key = change.key {
                add(change.number, after: keys["\(change.row.table) \(key)"], because: nil)
            }
            // A row has at most two changes: one whose request was sent, and one that came later.
            for other in ofRow[change.row] ?? [] where other.isFrozen && !change.isFrozen {
                add(change.number, after: other.number, because: nil)
            }
        }
    }

    private static func byRow(_ changes: [PlannedChange]) -> [PlannedChange.Row: Int64] {
        Dictionary(changes.map { ($0.row, $0.number) }) { first, _ in first }
    }

    private mutating func add(
        _ change: Int64?,
        after other: Int64?,
        because reference: PlannedChange.Reference?
    ) {
        guard let change, let other else { return }
        predecessors[change, default: [:]].add(other, of: change, because: reference)
    }
}

extension PushPlan.Predecessors {
    /// Adds a change that another one waits for.
    ///
    /// Of two reasons, the one that cannot be omitted counts.
    mutating func add(
        _ other: Int64,
        of change: Int64,
        because reference: PlannedChange.Reference?
    ) {
        guard change != other else { return }
        if let known = self[other], known == nil { return }
        updateValue(reference, forKey: other)
    }
}
