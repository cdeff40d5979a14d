/// The difference between two successive snapshots of a live result.
///
/// Apply it in this order, which is that of collection views: remove the items of ``deletions`` and
/// those of ``moves`` at their old positions; remove ``deletedSections``; insert
/// ``insertedSections``; insert the items of ``insertions`` and those of ``moves`` at their new
/// positions, in ascending order. Then show the items of ``updates`` again.
///
/// ```swift
/// func describe(_ changes: LiveChanges) -> String {
///     "+\(changes.insertions.count) -\(changes.deletions.count) ~\(changes.updates.count)"
/// }
/// ```
public struct LiveChanges: Hashable, Sendable {
    /// The old positions of sections that no longer exist, ascending.
    public let deletedSections: [Int]

    /// The old positions of items that are no longer in the result, ascending.
    public let deletions: [LivePosition]

    /// The new positions of sections that did not exist before, ascending.
    public let insertedSections: [Int]

    /// The new positions of items that were not in the result before, ascending.
    public let insertions: [LivePosition]

    /// The items whose order among the others or whose section has changed, ascending by new
    /// position.
    public let moves: [LiveMove]

    /// The items whose values have changed, ascending by new position.
    ///
    /// An item that has also moved is in ``moves``, too.
    public let updates: [LiveMove]

    /// Whether nothing differs.
    var isEmpty: Bool {
        deletedSections.isEmpty && deletions.isEmpty && insertedSections.isEmpty
            && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }

    /// Creates the changes between two lists with sections.
    init(_ difference: LiveDifference, from old: SectionRuns, to new: SectionRuns) {
        let kept = Set(old.titles).intersection(new.titles)
        guard old.titles.filter(kept.contains) == new.titles.filter(kept.contains) else {
            // Sections do not move: another request has them in another order.
            deletedSections = Array(old.titles.indices)
            insertedSections = Array(new.titles.indices)
            deletions = (0..<old.count).map(old.position)
            insertions = (0..<new.count).map(new.position)
            moves = []
            updates = []
            return
        }
        deletedSections = old.titles.indices.filter { !kept.contains(old.titles[$0]) }
        insertedSections = new.titles.indices.filter { !kept.contains(new.titles[$0]) }
        deletions = difference.deletions.map(old.position)
        insertions = difference.insertions.map(new.position)
        moves = difference.moves.map { LiveMove($0, from: old, to: new) }
        updates = difference.updates.map { LiveMove($0, from: old, to: new) }
    }
}

/// The position of an item in a live result, by section.
public struct LivePosition: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The position of the section; 0 in a result without sections.
    public let section: Int

    /// The position of the item in its section.
    public let item: Int

    /// Returns whether a position precedes another one.
    public static func < (left: LivePosition, right: LivePosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }

    /// The positions, such as `0.12`.
    public var description: String { "\(section).\(item)" }
}

/// The old and the new position of an item in a live result.
public struct LiveMove: Hashable, Sendable, CustomStringConvertible {
    /// The position in the previous snapshot.
    public let old: LivePosition

    /// The position in this snapshot.
    public let new: LivePosition

    init(_ move: LiveDifference.Move, from old: SectionRuns, to new: SectionRuns) {
        self.old = old.position(move.old)
        self.new = new.position(move.new)
    }

    /// Both positions, such as `0.1→0.12`.
    public var description: String { "\(old)→\(new)" }
}

/// The sections of a list: their titles, and the positions at which they begin.
struct SectionRuns: Hashable, Sendable {
    let titles: [String]

    /// The position of the first item of each section, without sections.
    let starts: [Int]

    /// The number of items.
    let count: Int

    /// Creates the sections of a list without sections: one, even if the list is empty.
    init(single count: Int) {
        titles = [""]
        starts = [0]
        self.count = count
    }

    init(_ sections: [(title: String, count: Int)]) {
        var (starts, count) = ([Int](), 0)
        for section in sections {
            starts.append(count)
            count += section.count
        }
        titles = sections.map(\.title)
        self.starts = starts
        self.count = count
    }

    /// Returns the position of an item.
    func position(_ position: Int) -> LivePosition {
        let section = starts.partitioningIndex { $0 > position } - 1
        return LivePosition(section: section, item: position - starts[section])
    }

    /// Returns the title of the section of an item.
    func title(at position: Int) -> String { titles[self.position(position).section] }

    /// Returns the positions of the items of a section, without sections.
    func items(of section: Int) -> Range<Int> {
        starts[section]..<(section + 1 < starts.count ? starts[section + 1] : count)
    }
}
