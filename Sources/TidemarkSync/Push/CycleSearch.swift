/// The search for groups of changes of which each waits, directly or not, for all others: strongly
/// connected components of more than one change, by Tarjan's algorithm.
///
/// It takes time in proportion to the changes and what they wait for, however many groups there
/// are. Without recursion: a chain may be longer than the stack of a thread.
struct CycleSearch {
    private struct Step {
        let number: Int64
        var next: ArraySlice<Int64>
    }

    /// The groups that were found.
    private(set) var groups: [Set<Int64>] = []

    private let predecessors: (Int64) -> [Int64]

    /// The order in which changes were reached.
    private var index: [Int64: Int] = [:]

    /// The lowest index that is reached from a change.
    private var lowest: [Int64: Int] = [:]

    /// Changes whose group is not known yet.
    private var candidates: [Int64] = []
    private var isCandidate: Set<Int64> = []

    /// - Parameter predecessors: Returns the changes that a change waits for.
    init(following predecessors: @escaping (Int64) -> [Int64]) {
        self.predecessors = predecessors
    }

    /// Searches for groups that a change belongs to, or waits for.
    mutating func visit(_ start: Int64) {
        guard index[start] == nil else { return }
        var path = [step(to: start)]
        while let last = path.indices.last {
            let number = path[last].number
            guard let next = path[last].next.popFirst() else {
                path.removeLast()
                complete(number)
                if let before = path.last { lower(before.number, to: lowest[number]) }
                continue
            }
            if index[next] == nil {
                path.append(step(to: next))
            } else if isCandidate.contains(next) {
                lower(number, to: index[next])
            }
        }
    }

    private mutating func step(to number: Int64) -> Step {
        index[number] = index.count
        lowest[number] = index[number]
        candidates.append(number)
        isCandidate.insert(number)
        return Step(number: number, next: predecessors(number)[...])
    }

    private mutating func lower(_ number: Int64, to other: Int?) {
        guard let other, let own = lowest[number] else { return }
        lowest[number] = min(own, other)
    }

    /// Takes the group of a change that was left, if it is the one that was reached first of it.
    private mutating func complete(_ number: Int64) {
        guard lowest[number] == index[number] else { return }
        var group: Set<Int64> = []
        while let member = candidates.popLast() {
            isCandidate.remove(member)
            group.insert(member)
            if member == number { break }
        }
        if group.count > 1 { groups.append(group) }
    }
}
