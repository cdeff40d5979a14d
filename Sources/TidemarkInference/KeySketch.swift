import TidemarkModel

/// A sample of the objects by the value of a member that may be their key.
///
/// For each sampled value it keeps hashes of the objects' texts. Objects with equal keys but
/// different texts are different objects; objects at two paths that agree are of the same entity.
struct KeySketch: Sendable {
    /// How likely the member's name is that of a key.
    private(set) var rank: KeyName

    private(set) var sample = Sketch<Sighting>(limit: 256)

    /// All values, if the name alone does not make the member the key.
    private var ledger: KeyUniqueness?

    /// The content of all objects that are compared.
    private var contents: ContentLedger

    /// The texts seen with one value.
    struct Sighting: Sendable {
        /// The hashes of the texts, by the hashes of their names; 0 for a text that varies.
        var texts: [UInt64: UInt64]
    }

    /// The maximum number of texts kept per object.
    ///
    /// Those whose names have the smallest hashes are kept.
    static let textLimit = 8

    /// Creates an empty sketch.
    ///
    /// - Parameters:
    ///   - rank: How likely the member's name is that of a key.
    ///   - limit: The maximum number of values to keep in order to prove uniqueness.
    init(_ rank: KeyName, limit: Int) {
        self.rank = rank
        ledger = rank.isCertain ? nil : KeyUniqueness(limit: limit)
        contents = ContentLedger(limit: limit)
    }

    /// Adds an object.
    ///
    /// - Parameters:
    ///   - key: The hash of the member's value.
    ///   - list: The number of the list that contains the object, or 0 if none does.
    ///   - texts: The hashes of the object's texts, by the hashes of their names.
    ///   - content: The content of the object; nil if it is not compared.
    ///   - isWord: Whether the member's value is a word, as opposed to a number or an identifier
    ///     that is unlikely to repeat by chance.
    mutating func add(
        _ key: UInt64,
        list: Int,
        texts: [UInt64: UInt64],
        content: ObjectContent?,
        isWord: Bool
    ) {
        ledger?.add(key, list: list, texts: texts)
        if let content {
            let isWeak = !rank.isAddress && (isWord || !rank.isCertain)
            contents.add(content, of: key, isWeak: isWeak, list: list)
        }
        sample.add(Sighting(texts: Self.trimmed(texts)), hash: key) { sighting in
            Self.merge(texts, into: &sighting.texts)
        }
    }

    /// Adds the objects of another sketch.
    mutating func merge(_ other: KeySketch) {
        rank = min(rank, other.rank)
        if let more = other.ledger { ledger?.merge(more) } else { ledger = nil }
        contents.merge(other.contents)
        sample.merge(other.sample) { sighting, more in Self.merge(more.texts, into: &sighting.texts)
        }
    }

    /// Returns whether this proves that each of `count` objects has the value, that no list
    /// contains it twice, and that objects with the same value are equal.
    func isProof(for count: Int) -> Bool {
        guard let ledger, !isContradicted else { return false }
        return ledger.isProof && ledger.count == count
    }

    /// Whether objects with the same key contradict each other, so that the key does not identify
    /// them.
    var isContradicted: Bool { contents.isContradicted }

    /// Whether objects with the same key contradict each other, but no list contains a key twice.
    var isUniqueWithinLists: Bool { contents.isContradicted && !contents.isRepeated }

    /// Whether there were too many values to prove uniqueness.
    var isFull: Bool { ledger?.isFull ?? false }

    /// Returns whether a key was seen, or nil if the key is outside the sampled range.
    func has(_ key: UInt64) -> Bool? {
        key <= sample.bound ? sample.entries[key] != nil : nil
    }

    /// Returns the number of keys in both samples whose shared texts are all equal, and the number
    /// whose shared texts differ.
    func compared(with other: KeySketch) -> (equal: Int, different: Int) {
        var equal = 0
        var different = 0
        guard sample.entries.count <= other.sample.entries.count else {
            return other.compared(with: self)
        }
        for (key, sighting) in sample.entries {
            guard let texts = other.sample.entries[key]?.texts else { continue }
            let shared = sighting.texts.filter { texts[$0.key] != nil && $0.value != 0 }
            guard !shared.isEmpty else { continue }
            let matches = shared.allSatisfy { texts[$0.key] == $0.value }
            if matches { equal += 1 } else { different += 1 }
        }
        return (equal, different)
    }

    private static func merge(_ more: [UInt64: UInt64], into known: inout [UInt64: UInt64]) {
        for (name, text) in more {
            if let old = known[name], old != text {
                known[name] = 0
            } else {
                known[name] = text
            }
        }
        known = trimmed(known)
    }

    /// Returns at most `limit` texts: those whose names have the smallest hashes.
    static func trimmed(_ texts: [UInt64: UInt64], to limit: Int = textLimit) -> [UInt64: UInt64] {
        guard texts.count > limit else { return texts }
        let last = texts.keys.sorted()[limit - 1]
        return texts.filter { $0.key <= last }
    }
}
