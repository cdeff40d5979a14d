/// The difference between two lists of rows, by position without sections.
struct LiveDifference: Hashable, Sendable {
    /// The old positions of rows that are no longer in the list, ascending.
    var deletions: [Int] = []

    /// The new positions of rows that were not in the list, ascending.
    var insertions: [Int] = []

    /// The rows whose order among the others has changed, ascending by new position.
    var moves: [Move] = []

    /// The rows whose values have changed, ascending by new position.
    ///
    /// A row may also be in ``moves``.
    var updates: [Move] = []

    /// The position of a row in the old and in the new list.
    struct Move: Hashable, Sendable {
        let old: Int
        let new: Int
    }

    /// Whether the lists are equal.
    var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }

    init() {}

    /// Compares two lists of rows.
    ///
    /// - Parameters:
    ///   - old: The rows of the first list, each once.
    ///   - new: The rows of the second list, each once.
    ///   - isUpdated: Whether the values of a row that is in both have changed.
    ///   - isDisplaced: Whether a row that is in both has moved, although its order among the
    ///     others is the same.
    init(
        from old: [Int64],
        to new: [Int64],
        isUpdated: (Int64) -> Bool,
        isDisplaced: (Move) -> Bool = { _ in false }
    ) {
        let positions = Dictionary(
            uniqueKeysWithValues: old.enumerated().map { ($1, $0) }
        )
        let kept = Set(new)
        deletions = old.indices.filter { !kept.contains(old[$0]) }
        var both: [Move] = []
        for (index, row) in new.enumerated() {
            guard let position = positions[row] else {
                insertions.append(index)
                continue
            }
            let move = Move(old: position, new: index)
            both.append(move)
            if isUpdated(row) { updates.append(move) }
        }
        let inOrder = Set(both.map(\.old).longestAscendingSubsequence)
        moves = both.enumerated().filter { !inOrder.contains($0) || isDisplaced($1) }.map(\.element)
    }
}

extension [Int] {
    /// The indexes of a longest subsequence of ascending numbers; the numbers differ.
    ///
    /// Patience sorting: n log n steps.
    var longestAscendingSubsequence: [Int] {
        // The index of the smallest last number of the subsequences of each length.
        var lasts: [Int] = []
        var previous = [Int?](repeating: nil, count: count)
        for index in indices {
            let length = lasts.partitioningIndex { self[$0] >= self[index] }
            previous[index] = length > 0 ? lasts[length - 1] : nil
            if length < lasts.count { lasts[length] = index } else { lasts.append(index) }
        }
        var sequence: [Int] = []
        var next = lasts.last
        while let index = next {
            sequence.append(index)
            next = previous[index]
        }
        return sequence.reversed()
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first index whose element satisfies a condition that all elements after it
    /// satisfy too; the end without one.
    func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
