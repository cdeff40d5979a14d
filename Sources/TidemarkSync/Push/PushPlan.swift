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
///
/// Changes are added once, and outcomes are reported to the plan: what each of them makes possible
/// is found without a look at the others.
struct PushPlan: Sendable {
    /// The changes that others wait for, with the reference that makes them wait; nil for a reason
    /// that cannot be omitted.
    typealias Predecessors = [Int64: PlannedChange.Reference?]

    private struct Entry {
        var change: PlannedChange

        /// What it waits for; not all of it is in the plan.
        var predecessors: Predecessors
    }

    /// The changes that were not taken yet, by number.
    private var open: [Int64: Entry] = [:]

    /// The changes in the plan that wait for a change, by its number.
    private var dependents: [Int64: Set<Int64>] = [:]

    /// Those that wait for nothing.
    private var ready: Set<Int64> = []

    /// Creates an empty plan.
    init() {}

    /// The number of changes that were not taken yet.
    var count: Int { open.count }

    /// Adds changes.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - predecessors: What each of them waits for, by its number.
    mutating func add(_ changes: [PlannedChange], after predecessors: [Int64: Predecessors] = [:]) {
        for change in changes {
            let entry = Entry(change: change, predecessors: predecessors[change.number] ?? [:])
            open[change.number] = entry
            for other in entry.predecessors.keys {
                dependents[other, default: []].insert(change.number)
            }
            if entry.predecessors.isEmpty, change.isSendable { ready.insert(change.number) }
        }
    }

    /// Whether new objects wait for others to which a list of theirs links.
    var waitsForLinks: Bool {
        open.values.contains { entry in
            entry.change.isSendable && entry.predecessors.values.contains { $0?.mayBeOwed == true }
        }
    }

    /// Takes the changes that can be sent now, in the order of their rows.
    ///
    /// Changes of which each waits for another one are taken only if there are no others. Of them,
    /// some go first without the reference for which they wait.
    ///
    /// - Returns: The changes; empty if all that are left wait for changes that are not in the
    ///   plan, or cannot be sent.
    mutating func takeReady() -> [PlannedChange] {
        if ready.isEmpty { cutCycles() }
        defer { ready = [] }
        return ready.compactMap { open.removeValue(forKey: $0)?.change }
            .sorted { ($0.row, $0.number) < ($1.row, $1.number) }
    }

    /// Records that no change waits for another one any more, because that was applied, or does not
    /// exist any more.
    ///
    /// - Parameter number: The number of the other change.
    mutating func finish(_ number: Int64) {
        for dependent in dependents.removeValue(forKey: number) ?? [] {
            release(dependent, from: number)
        }
    }

    private mutating func release(_ number: Int64, from predecessor: Int64) {
        open[number]?.predecessors[predecessor] = nil
        guard let entry = open[number], entry.predecessors.isEmpty, entry.change.isSendable else {
            return
        }
        ready.insert(number)
    }

    /// Returns whether changes of the plan wait for nothing.
    func isReady(_ numbers: [Int64]) -> Bool { numbers.allSatisfy(ready.contains) }

    /// Removes changes that were not taken.
    ///
    /// Those that wait for them continue to.
    ///
    /// - Parameter numbers: The numbers of the changes.
    /// - Returns: Whether any of them was in the plan.
    mutating func remove(_ numbers: [Int64]) -> Bool {
        let before = open.count
        for number in numbers {
            guard let entry = open.removeValue(forKey: number) else { continue }
            ready.remove(number)
            for other in entry.predecessors.keys { dependents[other]?.remove(number) }
        }
        dependents = dependents.filter { !$0.value.isEmpty }
        return open.count < before
    }

    /// Takes all changes that can be sent, wave by wave, as if the service applied each of them.
    ///
    /// - Returns: The waves.
    mutating func takeAll() -> [[PlannedChange]] {
        var waves: [[PlannedChange]] = []
        while true {
            let wave = takeReady()
            guard !wave.isEmpty else { return waves }
            waves.append(wave)
            for change in wave { finish(change.number) }
        }
    }

    /// The changes that wait, directly or not, for one of the plan that cannot be sent, by their
    /// number, with its row.
    var blocked: [Int64: PlannedChange.Row] {
        let obstacles = open.values.map(\.change).filter { !$0.isSendable }
        var found: [Int64: PlannedChange.Row] = [:]
        var next = obstacles.sorted { $0.number < $1.number }
        while let change = next.popLast() {
            let row = found[change.number] ?? change.row
            for dependent in dependents[change.number] ?? [] where found[dependent] == nil {
                guard let waiting = open[dependent]?.change, waiting.isSendable else { continue }
                found[dependent] = row
                next.append(waiting)
            }
        }
        return found
    }

    // MARK: Cycles

    /// Lets changes go first that wait for each other: one of each group that is connected.
    private mutating func cutCycles() {
        let held = held
        let candidates = open.keys.filter { !held.contains($0) }.sorted()
        guard !candidates.isEmpty else { return }
        let entries = open
        var search = CycleSearch { number in
            entries[number].map { Array($0.predecessors.keys) } ?? []
        }
        for number in candidates { search.visit(number) }
        for group in search.groups { cut(group) }
    }

    /// The changes that wait, directly or not, for one that is not in the plan, or cannot be sent.
    private var held: Set<Int64> {
        var next = dependents.filter { open[$0.key] == nil }.flatMap(\.value)
        next += open.values.filter { !$0.change.isSendable }.map(\.change.number)
        var held = Set(next)
        while let number = next.popLast() {
            for dependent in dependents[number] ?? [] where held.insert(dependent).inserted {
                next.append(dependent)
            }
        }
        return held
    }

    /// Lets one change of a group go first in which each waits for another one.
    ///
    /// Its request omits the reference for which it waits.
    private mutating func cut(_ group: Set<Int64>) {
        var chosen: (change: Int64, other: Int64, reference: PlannedChange.Reference)?
        func rank(_ change: Int64, _ reference: PlannedChange.Reference) -> (Int, String, Int64) {
            (reference.isOptional ? 0 : 1, reference.relationship, change)
        }
        for change in group {
            for case (let other, let reference?) in open[change]?.predecessors ?? [:]
            where group.contains(other) {
                let isBetter =
                    chosen.map { rank(change, reference) < rank($0.change, $0.reference) } ?? true
                if isBetter { chosen = (change, other, reference) }
            }
        }
        if let (change, other, reference) = chosen {
            open[change]?.change.omitted.insert(reference.relationship)
            dependents[other]?.remove(change)
            return release(change, from: other)
        }
        // Deletions of rows that referred to each other.
        guard let change = group.min(),
            let other = open[change]?.predecessors.keys.filter(group.contains).min()
        else { return }
        dependents[other]?.remove(change)
        release(change, from: other)
    }
}
