/// The changes that are sent next, by list.
struct ChangeQueue: Sendable {
    /// How many of them are stored at a time.
    var pace = SendingPace()

    private var lists: ArraySlice<(path: String, changes: ArraySlice<PlannedChange>)> = []

    var isEmpty: Bool { lists.isEmpty }

    /// Adds changes of a list.
    mutating func append(_ changes: [PlannedChange], to path: String) {
        if !changes.isEmpty { lists.append((path, changes[...])) }
    }

    /// Takes the next changes, all of one list.
    ///
    /// - Parameter size: Returns how many changes of a list may be taken at a pace.
    /// - Returns: The changes; nil if none is left.
    mutating func popGroup(
        of size: (_ pace: SendingPace, _ path: String) -> Int
    ) -> ChangeGroup? {
        guard let (path, changes) = lists.popFirst() else { return nil }
        let group = ChangeGroup(path: path, changes: Array(changes.prefix(size(pace, path))))
        let left = changes.dropFirst(group.changes.count)
        if !left.isEmpty { lists.insert((path, left), at: lists.startIndex) }
        return group
    }
}

/// Changes of one list whose requests are stored in one transaction.
struct ChangeGroup: Sendable {
    let path: String
    let changes: [PlannedChange]
}
