/// Pairs of keys: of an object, and of another that it holds or names.
///
/// A pair and the same pair the other way round are sampled alike, so that two lists which name
/// each other are found.
struct LinkSketch: Sendable {
    private(set) var sample = Sketch<[Pair]>(limit: 512)

    /// The key of an object, 0 where it has none, and the key it names.
    struct Pair: Hashable, Sendable {
        var owner: UInt64
        var member: UInt64

        var reversed: Pair { Pair(owner: member, member: owner) }
        var hash: UInt64 {
            let owner = StableHash.mixed(owner)
            return self.owner == self.member ? owner : owner ^ StableHash.mixed(member)
        }
    }

    /// How many pairs of one hash are kept: two that are each other's reverse, and hardly another.
    private static let pairLimit = 8

    /// Adds a pair.
    mutating func add(owner: UInt64, member: UInt64) {
        add(Pair(owner: owner, member: member))
    }

    private mutating func add(_ pair: Pair) {
        sample.add(pair.hash, [pair]) { pairs in
            Self.add(pair, to: &pairs)
        }
    }

    /// Adds what another has seen.
    mutating func merge(_ other: LinkSketch) {
        sample.merge(other.sample) { pairs, more in
            for pair in more { Self.add(pair, to: &pairs) }
        }
    }

    private static func add(_ pair: Pair, to pairs: inout [Pair]) {
        if pairs.count < pairLimit, !pairs.contains(pair) { pairs.append(pair) }
    }

    /// The sampled pairs.
    var pairs: [Pair] { sample.entries.values.flatMap(\.self) }

    /// Whether anything was seen under two objects.
    var sharesMembers: Bool {
        var owners: [UInt64: UInt64] = [:]
        for pair in pairs where pair.owner != 0 {
            if let owner = owners.updateValue(pair.owner, forKey: pair.member), owner != pair.owner
            {
                return true
            }
        }
        return false
    }

    /// How many pairs the other has the other way round.
    func reversedPairs(in other: LinkSketch) -> Int {
        pairs.count {
            $0.owner != 0 && other.sample.entries[$0.hash]?.contains($0.reversed) == true
        }
    }

    /// Whether all that is named, as far as can be told, is among some keys, and something is.
    func isContained(in keys: KeySketch) -> Bool {
        let known = Set(pairs.map(\.member)).compactMap(keys.has)
        let found = known.count(where: \.self)
        return found > 0 && found * 10 >= known.count * 9
    }
}
