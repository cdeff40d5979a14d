/// The order in which local changes are sent: waves of changes that do not depend on each other.
///
/// A change that creates a row comes before those that refer to the row. A change that removes a
/// link to a row, or deletes a row that refers to it, comes before the deletion of that row.
///
/// ```
/// create Project#3 ─► create Task#12 (project: Project#3)
/// update Task#4 (project: none) ─► delete Project#1
/// ```
///
/// Rows that refer to each other cannot both come first: one of the references is omitted, and sent
/// afterwards. A change that cannot be sent now, because it was rejected or its outcome is unknown,
/// blocks those that depend on it, and nothing else.
struct PushPlan: Sendable {
    /// The changes to send, in this order.
    ///
    /// All of a wave may be sent at the same time.
    private(set) var waves: [[PlannedChange]] = []

    /// The changes that cannot be sent now, by their number, with the row whose change they wait
    /// for.
    private(set) var blocked: [Int64: PlannedChange.Row] = [:]

    /// Plans the order of changes.
    init(_ changes: [PlannedChange]) {
        var open = Dependencies(changes)
        while true {
            let wave = open.takeReady()
            if !wave.isEmpty {
                waves.append(wave)
            } else if !open.cut() {
                break
            }
        }
        blocked = open.blocked()
    }
}

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

    /// The relationships whose links the request has to omit.
    var omitted: Set<String> = []
}

/// The changes that are not planned yet, and which of them each waits for.
private struct Dependencies {
    /// The changes by their number.
    private var open: [Int64: PlannedChange]

    /// The changes that each change waits for, with the reference that makes it wait; nil for a
    /// reason that cannot be omitted.
    private var waiting: [Int64: [Int64: PlannedChange.Reference?]] = [:]

    init(_ changes: [PlannedChange]) {
        open = Dictionary(changes.map { ($0.number, $0) }) { first, _ in first }
        let creations = Self.byRow(changes.filter { $0.kind == .create })
        let ofRow = Dictionary(grouping: changes, by: \.row)
        let deletions = changes.filter { $0.kind == .delete }
        let deleted = Self.byRow(deletions)
        let keys = Dictionary(
            deletions.compactMap { deletion in
                deletion.key.map { ("\(deletion.row.table) \($0)", deletion.number) }
            }
        ) { first, _ in first }
        for change in changes {
            if change.kind != .delete {
                for reference in change.references {
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
        guard let change, let other, change != other else { return }
        // Of two reasons, the one that cannot be omitted counts.
        if let known = waiting[change]?[other], known == nil { return }
        waiting[change, default: [:]].updateValue(reference, forKey: other)
    }

    /// Removes the changes that wait for no other, and returns them in the order of their rows.
    mutating func takeReady() -> [PlannedChange] {
        let ready = open.values
            .filter { $0.isSendable && (waiting[$0.number] ?? [:]).isEmpty }
            .sorted { ($0.row, $0.number) < ($1.row, $1.number) }
        guard !ready.isEmpty else { return [] }
        let numbers = Set(ready.map(\.number))
        for number in numbers { open[number] = nil }
        for number in open.keys {
            waiting[number] = waiting[number]?.filter { !numbers.contains($0.key) }
        }
        return ready
    }

    /// Lets a change go first that is one of several which wait for each other, and returns whether
    /// there are such changes.
    ///
    /// Its request omits the reference for which it waits.
    mutating func cut() -> Bool {
        guard let cycle = cycle() else { return false }
        let edges = cycle.indices.compactMap { index -> (Int64, Int64, PlannedChange.Reference)? in
            let (change, other) = (cycle[index], cycle[(index + 1) % cycle.count])
            return (waiting[change]?[other]).flatMap(\.self).map { (change, other, $0) }
        }
        let chosen = edges.min { one, other in
            (one.2.isOptional ? 0 : 1, one.2.relationship, one.0)
                < (other.2.isOptional ? 0 : 1, other.2.relationship, other.0)
        }
        guard let (change, other, reference) = chosen else {
            // Deletions of rows that referred to each other.
            waiting[cycle[0]]?[cycle[1 % cycle.count]] = nil
            return true
        }
        waiting[change]?[other] = nil
        open[change]?.omitted.insert(reference.relationship)
        return true
    }

    /// Returns changes of which each waits for the next, and the last for the first; nil without
    /// such changes that could be sent.
    private func cycle() -> [Int64]? {
        let blocked = blocked()
        for start in open.keys.sorted() where blocked[start] == nil {
            var path: [Int64] = []
            var current = start
            while let next = waiting[current]?.keys.min() {
                if let index = path.firstIndex(of: current) { return Array(path[index...]) }
                path.append(current)
                current = next
            }
        }
        return nil
    }

    /// Returns the changes that wait, directly or not, for one that cannot be sent, with its row.
    func blocked() -> [Int64: PlannedChange.Row] {
        var found: [Int64: PlannedChange.Row] = [:]
        var next = open.values.filter { !$0.isSendable }.sorted { $0.number < $1.number }
        let dependents = Dictionary(
            grouping: waiting.flatMap { change, others in others.keys.map { ($0, change) } },
            by: \.0
        )
        while let change = next.popLast() {
            let row = found[change.number] ?? change.row
            for (_, dependent) in dependents[change.number] ?? [] where found[dependent] == nil {
                guard let waiting = open[dependent], waiting.isSendable else { continue }
                found[dependent] = row
                next.append(waiting)
            }
        }
        return found
    }
}
