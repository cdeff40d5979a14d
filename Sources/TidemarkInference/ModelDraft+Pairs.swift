import TidemarkModel

extension ModelDraft {
    /// A relationship, as the index of its entity and its index there.
    struct End: Hashable, Comparable {
        var entity: Int
        var position: Int

        static func < (left: End, right: End) -> Bool {
            (left.entity, left.position) < (right.entity, right.position)
        }
    }

    /// The direction of a relationship: the indices of its source and its destination.
    struct Direction: Hashable, Comparable {
        var from: Int
        var to: Int

        var back: Direction { Direction(from: to, to: from) }

        static func < (left: Direction, right: Direction) -> Bool {
            (left.from, left.to) < (right.from, right.to)
        }
    }

    /// All relationships, in the order of the model.
    var ends: [End] {
        entities.indices.flatMap { entity in
            entities[entity].relationships.indices.map { End(entity: entity, position: $0) }
        }
    }

    /// The relationships without an inverse.
    var openEnds: [End] { ends.filter { relationship($0).inverse == nil } }

    func relationship(_ end: End) -> RelationshipDraft {
        entities[end.entity].relationships[end.position]
    }

    func direction(of end: End) -> Direction {
        Direction(from: end.entity, to: relationship(end).destination)
    }

    // MARK: Pairs

    /// Makes relationships inverses of each other if they link the same pairs of objects.
    ///
    /// Those with the most pairs in common come first.
    mutating func pairByData() {
        var proven: [(found: Int, first: End, second: End)] = []
        for (direction, firsts, seconds) in candidates {
            // The comparison of all with each other is quadratic.
            guard max(firsts.count, seconds.count) <= limits.rivals else {
                explainRivals(on: direction)
                continue
            }
            let ends = direction.from == direction.to ? firsts : firsts + seconds
            let links = ends.map { Links(relationship($0).links) }
            for first in firsts.indices {
                let others = direction.from == direction.to ? first + 1 : firsts.count
                for second in others..<max(others, ends.count) {
                    let evidence = links[first].evidence(from: links[second])
                    guard evidence.isProof else { continue }
                    proven.append((evidence.found, ends[first], ends[second]))
                }
            }
        }
        // A total order: the result must not depend on the order of a dictionary.
        proven.sort { ($1.found, $0.first, $0.second) < ($0.found, $1.first, $1.second) }
        for (_, first, second) in proven { pair(first, with: second) }
    }

    /// Makes two relationships inverses of each other if no others connect their entities.
    mutating func pairByNumber() {
        for (direction, firsts, seconds) in candidates {
            let ends = direction.from == direction.to ? firsts : firsts + seconds
            guard ends.count == 2, !firsts.isEmpty, !seconds.isEmpty else { continue }
            let (first, second) = (relationship(ends[0]), relationship(ends[1]))
            // Within one entity, only a to-one and a to-many relationship form a pair by themselves
            // (parent and children). Two of the same kind may be unrelated.
            let isFamily = direction.from != direction.to || first.isToMany != second.isToMany
            let evidence = Links(first.links).evidence(from: Links(second.links))
            if isFamily, !evidence.isDisproof { pair(ends[0], with: ends[1]) }
        }
    }

    /// The relationships without an inverse, grouped by direction, where both directions occur.
    ///
    /// Each pair of opposite directions is listed once, under the lesser of the two.
    private var candidates: [(direction: Direction, firsts: [End], seconds: [End])] {
        let open = openEnds.filter(isOwnedOnce)
        let ends = Dictionary(grouping: open, by: direction)
        return ends.keys.filter { $0.from <= $0.to && ends[$0.back] != nil }.sorted()
            .map { ($0, ends[$0] ?? [], ends[$0.back] ?? []) }
    }

    /// Returns whether a relationship can have an existing one as its inverse.
    ///
    /// Objects without a key cannot be referred to, so a to-many relationship from them cannot.
    private func isOwnedOnce(_ end: End) -> Bool {
        entities[end.entity].key != nil || !relationship(end).isToMany
    }

    private mutating func pair(_ first: End, with second: End) {
        guard relationship(first).inverse == nil, relationship(second).inverse == nil else {
            return
        }
        entities[first.entity].relationships[first.position].inverse = second.position
        entities[second.entity].relationships[second.position].inverse = first.position
    }

    private mutating func explainRivals(on direction: Direction) {
        addNote(
            "More than \(limits.rivals) relationships lead to \(entities[direction.to].name) or "
                + "back, so none was taken for the inverse of another.",
            on: direction.from,
            needsReview: true
        )
    }
}

/// The number of pairs that two relationships have in common, out of those that both could have.
private struct Evidence {
    var found = 0
    var possible = 0
    var isProof: Bool { found > 0 && found * 2 >= possible }
    var isDisproof: Bool { found == 0 && possible > 1 }
}

/// The links of a relationship, prepared for comparison.
private struct Links {
    private let sketch: LinkSketch
    private let pairs: [LinkSketch.Pair]
    private let owners: Set<UInt64>

    init(_ sketch: LinkSketch) {
        self.sketch = sketch
        pairs = sketch.pairs
        owners = Set(pairs.map(\.owner))
    }

    func evidence(from other: Links) -> Evidence {
        let found = sketch.reversedPairs(in: other.sketch)
        return Evidence(found: found, possible: max(possible(other), other.possible(self)))
    }

    private func possible(_ other: Links) -> Int {
        pairs.count { other.owners.contains($0.member) && $0.owner != 0 }
    }
}
