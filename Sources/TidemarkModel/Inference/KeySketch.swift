/// The objects that were seen under some of the values of a member that may be their key.
///
/// Of each value it knows what texts the objects had: objects of one key that differ are not one
/// object, and objects of two places that agree are the same kind of thing.
struct KeySketch: Sendable {
    /// How likely the member's name is that of the key.
    private(set) var rank: KeyName

    private(set) var sample = Sketch<Sighting>(limit: 256)

    /// All values, where the name alone does not make the member the key.
    private var ledger: KeyUniqueness?

    /// The content of all objects, where the name alone makes the member the key.
    private var contents: ContentLedger?

    /// What was seen under one value.
    struct Sighting: Sendable {
        /// The hashes of texts by the hashes of their names; 0 where they vary.
        var texts: [UInt64: UInt64]
    }

    /// How many texts of an object are kept: those whose names have the least hashes.
    static let textLimit = 8

    /// Creates a sketch of a member's values, of which a number may be held.
    init(_ rank: KeyName, limit: Int) {
        self.rank = rank
        ledger = rank.isCertain ? nil : KeyUniqueness(limit: limit)
        contents = rank.isCertain ? ContentLedger(limit: limit) : nil
    }

    /// Adds an object that stands in the list of a number, 0 where it stands in none.
    ///
    /// The content is that of an object inside another.
    mutating func add(
        _ key: UInt64,
        list: Int,
        texts: [UInt64: UInt64],
        content: ObjectContent?
    ) {
        ledger?.add(key, list: list, texts: texts)
        if let content { contents?.add(key, content, list: list) }
        sample.add(key, Sighting(texts: Self.trimmed(texts))) { sighting in
            Self.merge(&sighting.texts, texts)
        }
    }

    /// Adds what another has seen.
    mutating func merge(_ other: KeySketch) {
        rank = min(rank, other.rank)
        if let more = other.ledger { ledger?.merge(more) } else { ledger = nil }
        if let more = other.contents { contents?.merge(more) } else { contents = nil }
        sample.merge(other.sample) { sighting, more in Self.merge(&sighting.texts, more.texts) }
    }

    /// Whether it is proven that no two of so many objects of a list have the same key, and all of
    /// one key are alike.
    func isProof(for count: Int) -> Bool { ledger.map { $0.isProof && $0.count == count } ?? false }

    /// Whether objects of one key contradict each other, so that it does not identify them.
    var isContradicted: Bool { contents?.isContradicted ?? false }

    /// Whether objects of one key contradict each other, though never in one list.
    var isUniqueWithinLists: Bool {
        contents.map { $0.isContradicted && !$0.isRepeated } ?? false
    }

    /// Whether there were too many values to prove anything.
    var isFull: Bool { ledger?.isFull ?? false }

    /// Whether a key was seen; nil where the sample cannot tell.
    func has(_ key: UInt64) -> Bool? {
        key <= sample.bound ? sample.entries[key] != nil : nil
    }

    /// How many keys both have seen, with texts that are the same and with texts that differ.
    func compared(with other: KeySketch) -> (alike: Int, different: Int) {
        var alike = 0
        var different = 0
        guard sample.entries.count <= other.sample.entries.count else {
            return other.compared(with: self)
        }
        for (key, sighting) in sample.entries {
            guard let texts = other.sample.entries[key]?.texts else { continue }
            let shared = sighting.texts.filter { texts[$0.key] != nil && $0.value != 0 }
            guard !shared.isEmpty else { continue }
            let matches = shared.allSatisfy { texts[$0.key] == $0.value }
            if matches { alike += 1 } else { different += 1 }
        }
        return (alike, different)
    }

    private static func merge(_ known: inout [UInt64: UInt64], _ more: [UInt64: UInt64]) {
        for (name, text) in more {
            if let old = known[name], old != text {
                known[name] = 0
            } else {
                known[name] = text
            }
        }
        known = trimmed(known)
    }

    /// The texts that are kept of an object, or more of them.
    static func trimmed(_ texts: [UInt64: UInt64], to limit: Int = textLimit) -> [UInt64: UInt64] {
        guard texts.count > limit else { return texts }
        let last = texts.keys.sorted()[limit - 1]
        return texts.filter { $0.key <= last }
    }
}
