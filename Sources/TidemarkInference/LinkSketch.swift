import TidemarkModel

/// A sample of pairs of keys: of an object, and of an object that it contains or refers to.
///
/// A pair and its reverse have the same hash, so both are sampled or neither is. Two lists that
/// refer to each other therefore have pairs in common.
struct LinkSketch: Sendable {
    private(set) var sample = Sketch<[Pair]>(limit: 512)

    /// The hash of an object's key, or 0 if it has none, and the hash of the key that it refers to.
    struct Pair: Hashable, Sendable {
        var owner: UInt64
        var member: UInt64

        var reversed: Pair { Pair(owner: member, member: owner) }
        var hash: UInt64 {
            // Symmetric, so that a pair and its reverse are sampled together. For equal keys the
            // exclusive or would always be 0.
            let owner = StableHash.mixed(owner)
            return self.owner == self.member ? owner : owner ^ StableHash.mixed(member)
        }
    }

    /// The maximum number of pairs per hash.
    ///
    /// Normally two share one, each the reverse of the other.
    private static let pairLimit = 8

    /// Adds a pair.
    mutating func add(owner: UInt64, member: UInt64) {
        add(Pair(owner: owner, member: member))
    }

    private mutating func add(_ pair: Pair) {
        sample.add([pair], hash: pair.hash) { pairs in
            Self.add(pair, to: &pairs)
        }
    }

    /// Adds the pairs of another sketch.
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

    /// Whether any key is referred to by two different objects.
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

    /// Returns the number of pairs whose reverse is in the other sketch.
    func reversedPairs(in other: LinkSketch) -> Int {
        pairs.count {
            $0.owner != 0 && other.sample.entries[$0.hash]?.contains($0.reversed) == true
        }
    }

    /// Returns whether the referenced keys are in `keys`: at least one, and at least 90 % of those
    /// within the range that `keys` has sampled.
    func isContained(in keys: KeySketch) -> Bool {
        let known = Set(pairs.map(\.member)).compactMap(keys.has)
        let found = known.count(where: \.self)
        return found > 0 && found * 10 >= known.count * 9
    }
}
