import TidemarkModel

extension ModelDraft {
    /// A relationship, as the index of its entity and its index there.
    struct End: Hashable, Comparable {
        var entity: Int
        var place: Int

        static func < (left: End, right: End) -> Bool {
            (left.entity, left.place) < (right.entity, right.place)
        }
    }

    /// The direction of a relationship: the indices of its source and its destination.
    struct Way: Hashable, Comparable {
        var from: Int
        var to: Int

        var back: Way { Way(from: to, to: from) }

        static func < (left: Way, right: Way) -> Bool {
            (left.from, left.to) < (right.from, right.to)
        }
    }

    /// All relationships, in the order of the model.
    var ends: [End] {
        entities.indices.flatMap { entity in
            entities[entity].relationships.indices.map { End(entity: entity, place: $0) }
        }
    }

    /// The relationships without an inverse.
    var openEnds: [End] { ends.filter { relationship($0).inverse == nil } }

    func relationship(_ end: End) -> RelationshipDraft {
        entities[end.entity].relationships[end.place]
    }

    func way(of end: End) -> Way {
        Way(from: end.entity, to: relationship(end).destination)
    }

    // MARK: Pairs

    /// Makes relationships inverses of each other if they link the same pairs of objects.
    ///
    /// Those with the most pairs in common come first.
    mutating func pairByData() {
        var proven: [(found: Int, first: End, second: End)] = []
        for (way, firsts, seconds) in candidates {
            // The comparison of all with each other is quadratic.
            guard max(firsts.count, seconds.count) <= limits.inferredRivals else {
                tellRivals(on: way)
                continue
            }
            let ends = way.from == way.to ? firsts : firsts + seconds
            let links = ends.map { Links(relationship($0).links) }
            for first in firsts.indices {
                let others = way.from == way.to ? first + 1 : firsts.count
                for second in others..<max(others, ends.count) {
                    let evidence = links[first].evidence(links[second])
                    guard evidence.isProof else { continue }
                    proven.append((evidence.found, ends[first], ends[second]))
                }
            }
        }
        // A total order: the result must not depend on the order of a dictionary.
        proven.sort { ($1.found, $0.first, $0.second) < ($0.found, $1.first, $1.second) }
        for (_, first, second) in proven { pair(first, second) }
    }

    /// Makes two relationships inverses of each other if no others connect their entities.
    mutating func pairByNumber() {
        for (way, firsts, seconds) in candidates {
            let ends = way.from == way.to ? firsts : firsts + seconds
            guard ends.count == 2, !firsts.isEmpty, !seconds.isEmpty else { continue }
            let (first, second) = (relationship(ends[0]), relationship(ends[1]))
            // Within one entity, only a to-one and a to-many relationship form a pair by themselves
            // (parent and children). Two of the same kind may be unrelated.
            let isFamily = way.from != way.to || first.isToMany != second.isToMany
            let evidence = Links(first.links).evidence(Links(second.links))
            if isFamily, !evidence.isDisproof { pair(ends[0], ends[1]) }
        }
    }

    /// The relationships without an inverse, grouped by direction, where both directions occur.
    ///
    /// Each pair of opposite directions is listed once, under the lesser of the two.
    private var candidates: [(way: Way, firsts: [End], seconds: [End])] {
        let open = openEnds.filter(isOwnedOnce)
        let ends = Dictionary(grouping: open, by: way)
        return ends.keys.filter { $0.from <= $0.to && ends[$0.back] != nil }.sorted()
            .map { ($0, ends[$0] ?? [], ends[$0.back] ?? []) }
    }

    /// Returns whether a relationship can have an existing one as its inverse.
    ///
    /// Objects without a key cannot be referred to, so a to-many relationship from them cannot.
    private func isOwnedOnce(_ end: End) -> Bool {
        entities[end.entity].key != nil || !relationship(end).isToMany
    }

    private mutating func pair(_ first: End, _ second: End) {
        guard relationship(first).inverse == nil, relationship(second).inverse == nil else {
            return
        }
        entities[first.entity].relationships[first.place].inverse = second.place
        entities[second.entity].relationships[second.place].inverse = first.place
    }

    private mutating func tellRivals(on way: Way) {
        note(
            way.from,
            nil,
            "More than \(limits.inferredRivals) relationships lead to \(entities[way.to].name) or "
                + "back, so none was taken for the inverse of another.",
            true
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

    func evidence(_ other: Links) -> Evidence {
        let found = sketch.reversedPairs(in: other.sketch)
        return Evidence(found: found, possible: max(possible(other), other.possible(self)))
    }

    private func possible(_ other: Links) -> Int {
        pairs.count { other.owners.contains($0.member) && $0.owner != 0 }
    }
}
