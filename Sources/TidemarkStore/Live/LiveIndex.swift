/// The rows of a live result in their order, with what determines whether they have changed.
///
/// A value that knows neither the database nor the records.
struct LiveIndex: Sendable {
    /// A row of the result.
    struct Entry: Sendable {
        var row: Int64 { key.row }

        let key: OrderKey

        /// A hash of the values that the request loads with the row.
        let fingerprint: Int

        /// The title of the section; empty without sections.
        var section = ""
    }

    /// The row numbers, in the order of the result.
    private(set) var rows: [Int64] = []

    private var entries: [Entry] = []

    /// The number of rows.
    var count: Int { rows.count }

    /// The titles of the sections in their order, each with its number of rows.
    var sections: [(title: String, count: Int)] {
        var sections: [(title: String, count: Int)] = []
        for entry in entries {
            if sections.last?.title == entry.section {
                sections[sections.count - 1].count += 1
            } else {
                sections.append((entry.section, 1))
            }
        }
        return sections
    }

    /// Returns the entry at a position.
    func entry(at position: Int) -> Entry { entries[position] }

    /// Returns the entries of some rows, by row number.
    func entries(of rows: Set<Int64>) -> [Int64: Entry] {
        var found: [Int64: Entry] = [:]
        for position in positions(of: rows) { found[self.rows[position]] = entries[position] }
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
            let (old, new) = (entries[position], fresh[rows[position]] ?? nil)
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

    /// Replaces all entries.
    ///
    /// - Parameter entries: The entries in their order.
    /// - Returns: What leads from the old rows to the new ones.
    mutating func replace(with entries: [Entry]) -> LiveDifference {
        guard !rows.isEmpty else {
            self.entries = entries
            rows = entries.map(\.row)
            var difference = LiveDifference()
            difference.insertions = Array(rows.indices)
            return difference
        }
        var fresh: [Int64: Entry?] = [:]
        let old = Dictionary(uniqueKeysWithValues: self.entries.map { ($0.row, $0) })
        for entry in entries {
            if let known = old[entry.row], known.key == entry.key,
                known.section == entry.section, known.fingerprint == entry.fingerprint
            {
                continue
            }
            fresh[entry.row] = .some(entry)
        }
        if old.count + fresh.count > entries.count {
            let kept = Set(entries.map(\.row))
            for row in old.keys where !kept.contains(row) { fresh[row] = .some(nil) }
        }
        return apply(fresh)
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
                rows.remove(at: position)
            }
            for (index, entry) in incoming.enumerated() {
                entries.insert(entry, at: ranks[index] + index)
                rows.insert(entry.row, at: ranks[index] + index)
            }
            return
        }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count - removed.count + incoming.count)
        var (nextRemoved, nextIncoming) = (0, 0)
        for (position, entry) in entries.enumerated() {
            if nextRemoved < removed.count, removed[nextRemoved] == position {
                nextRemoved += 1
                continue
            }
            while nextIncoming < incoming.count, ranks[nextIncoming] == position - nextRemoved {
                merged.append(incoming[nextIncoming])
                nextIncoming += 1
            }
            merged.append(entry)
        }
        merged += incoming[nextIncoming...]
        entries = merged
        rows = merged.map(\.row)
    }

    /// Returns the positions of the rows that the index contains, ascending.
    private func positions(of wanted: Set<Int64>) -> [Int] {
        guard !wanted.isEmpty else { return [] }
        // Most rows are not wanted, which a bit determines faster than a lookup in the set.
        let bits = 1 << 16
        var filter = [Bool](repeating: false, count: bits)
        for row in wanted { filter[Int(truncatingIfNeeded: row) & (bits - 1)] = true }
        return rows.indices.filter { position in
            let row = rows[position]
            return filter[Int(truncatingIfNeeded: row) & (bits - 1)] && wanted.contains(row)
        }
    }
}
