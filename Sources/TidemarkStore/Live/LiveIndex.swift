/// The rows of a live result in their order, with what determines whether they have changed.
///
/// A value that knows neither the database nor the records.
struct LiveIndex: Sendable {
    typealias Entry = LiveEntries.Entry

    /// The rows.
    private(set) var entries: LiveEntries

    init(_ entries: LiveEntries = LiveEntries()) {
        self.entries = entries
    }

    /// The row numbers, in the order of the result.
    var rows: [Int64] { entries.map(\.row) }

    /// The number of rows.
    var count: Int { entries.count }

    /// Returns the entries of some rows, by row number.
    func entries(of rows: Set<Int64>) -> [Int64: Entry] {
        var found: [Int64: Entry] = [:]
        for position in positions(of: rows) { found[entries.row(at: position)] = entries[position] }
        return found
    }

    // MARK: Changes

    /// Replaces the entries of some rows.
    ///
    /// - Parameter fresh: The new entries by row number; nil for a row that is not in the result.
    ///   Other rows do not change.
    /// - Returns: What leads from the old rows to the new ones. A row that is removed and inserted
    ///   again has moved only if its order among the others has changed.
    mutating func apply(_ fresh: [Int64: Entry?]) -> LiveDifference {
        var difference = LiveDifference()
        /// The rows with a new position, by the old one.
        var placed: [Int: Entry] = [:]
        var known: Set<Int64> = []
        for position in positions(of: Set(fresh.keys)) {
            let (old, new) = (entries[position], fresh[entries.row(at: position)] ?? nil)
            known.insert(old.row)
            guard let new else {
                difference.deletions.append(position)
                continue
            }
            if new.key == old.key, new.section == old.section {
                guard new.fingerprint != old.fingerprint else { continue }
                entries[position] = new
                difference.updates.append(LiveDifference.Move(old: position, new: position))
            } else {
                placed[position] = new
            }
        }
        let inserted = fresh.values.compactMap(\.self).filter { !known.contains($0.row) }
        place(placed, inserted: inserted, in: &difference)
        return difference
    }

    /// Compares the entries with all those of a later state.
    ///
    /// Both lists are in the order of their keys, so that equal entries meet in one pass. With keys
    /// of another request, more entries than necessary are returned.
    ///
    /// - Parameter later: The entries in their order.
    /// - Returns: What ``apply(_:)`` takes.
    func changes(to later: LiveEntries) -> [Int64: Entry?] {
        var changes: [Int64: Entry?] = [:]
        var (old, new) = (0, 0)
        while old < entries.count || new < later.count {
            if old < entries.count, new < later.count, entries[old].key == later[new].key {
                let (before, after) = (entries[old], later[new])
                if before.fingerprint != after.fingerprint || before.section != after.section {
                    changes[after.row] = .some(after)
                }
                old += 1
                new += 1
            } else if new == later.count
                || old < entries.count && entries[old].key < later[new].key
            {
                // Unless it has moved to a position before.
                if changes[entries[old].row] == nil { changes[entries[old].row] = .some(nil) }
                old += 1
            } else {
                changes[later[new].row] = .some(later[new])
                new += 1
            }
        }
        return changes
    }

    /// Moves and inserts entries, removes deleted ones, and completes a difference.
    private mutating func place(
        _ placed: [Int: Entry],
        inserted: [Entry],
        in difference: inout LiveDifference
    ) {
        let removed = (difference.deletions + placed.keys).sorted()
        var incoming = placed.map { Incoming(entry: $1, old: $0) }
        incoming += inserted.map { Incoming(entry: $0, old: nil) }
        incoming.sort { $0.entry.key < $1.entry.key }
        /// The number of rows that stay before a position of the old list.
        func rank(_ position: Int) -> Int {
            position - removed.partitioningIndex { $0 >= position }
        }
        /// For each incoming entry, the number of rows that stay before it.
        let ranks = incoming.map { entry in
            rank(entries.partitioningIndex { $0.key >= entry.entry.key })
        }
        /// The new position of a row that stays.
        func shifted(_ position: Int) -> Int {
            let rank = rank(position)
            return rank + ranks.partitioningIndex { $0 > rank }
        }
        difference.updates = difference.updates.map { update in
            LiveDifference.Move(old: update.old, new: shifted(update.old))
        }
        var candidates: [(gap: Int, move: LiveDifference.Move)] = []
        for (index, entry) in incoming.enumerated() {
            let new = ranks[index] + index
            guard let old = entry.old else {
                difference.insertions.append(new)
                continue
            }
            let move = LiveDifference.Move(old: old, new: new)
            if entries[old].fingerprint != entry.entry.fingerprint {
                difference.updates.append(move)
            }
            if rank(old) != ranks[index] || entries[old].section != entry.entry.section {
                difference.moves.append(move)
            } else {
                candidates.append((ranks[index], move))
            }
        }
        difference.moves += Self.moves(among: candidates)
        difference.moves.sort { $0.new < $1.new }
        difference.updates.sort { $0.new < $1.new }
        rebuild(without: removed, with: incoming.map(\.entry), at: ranks)
    }

    /// An entry that gets a position, with the one that it had.
    private struct Incoming {
        let entry: Entry
        let old: Int?
    }

    /// Returns the rows that have changed their order among those in the same gap between rows that
    /// stay.
    private static func moves(
        among candidates: [(gap: Int, move: LiveDifference.Move)]
    ) -> [LiveDifference.Move] {
        var moves: [LiveDifference.Move] = []
        var rest = candidates[...]
        while let gap = rest.first?.gap {
            let group = rest.prefix { $0.gap == gap }.map(\.move)
            rest = rest.dropFirst(group.count)
            let inOrder = Set(group.map(\.old).longestAscendingSubsequence)
            moves += group.indices.filter { !inOrder.contains($0) }.map { group[$0] }
        }
        return moves
    }

    private mutating func rebuild(without removed: [Int], with incoming: [Entry], at ranks: [Int]) {
        // One pass, unless moving the rest of the list a few times is faster.
        if removed.count + incoming.count <= 8 {
            for position in removed.reversed() {
                entries.remove(at: position)
            }
            for (index, entry) in incoming.enumerated() {
                entries.insert(entry, at: ranks[index] + index)
            }
            return
        }
        var merged = LiveEntries()
        merged.reserveCapacity(entries.count - removed.count + incoming.count)
        /// The next row that has not been considered.
        var next = 0
        var left = removed[...]
        /// Appends rows that stay, up to a number of them.
        func keep(_ number: Int) {
            while merged.count < number, next < entries.count {
                while left.first == next {
                    left.removeFirst()
                    next += 1
                }
                let end = min(left.first ?? entries.count, next + number - merged.count)
                merged.append(next..<end, of: entries)
                next = end
            }
        }
        for (index, entry) in incoming.enumerated() {
            keep(ranks[index] + index)
            merged.append(entry)
        }
        keep(entries.count - removed.count + incoming.count)
        entries = merged
    }

    /// Returns the positions of the rows that the index contains, ascending.
    private func positions(of wanted: Set<Int64>) -> [Int] {
        guard !wanted.isEmpty else { return [] }
        // Most rows are not wanted, which a bit determines faster than a lookup in the set.
        let bits = 1 << 16
        var filter = [Bool](repeating: false, count: bits)
        for row in wanted { filter[Int(truncatingIfNeeded: row) & (bits - 1)] = true }
        return entries.indices.filter { position in
            let row = entries.row(at: position)
            return filter[Int(truncatingIfNeeded: row) & (bits - 1)] && wanted.contains(row)
        }
    }
}
