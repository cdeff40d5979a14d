/// The objects that were seen under some of the values of a member that may be their key.
///
/// Of each value it knows what texts the objects had: objects of one key that differ are not one
/// object, and objects of two places that agree are the same kind of thing.
struct KeySketch: Sendable {
    private(set) var sample = Sketch<Sighting>(limit: 256)

    /// What was seen under one value.
    struct Sighting: Sendable {
        /// The list it was last seen in.
        var list: Int

        /// Whether one list had it twice.
        var isRepeated = false

        /// The hashes of texts by the hashes of their names; 0 where they vary.
        var texts: [UInt64: UInt64]

        /// Whether objects of this key differ.
        var varies: Bool { texts.values.contains(0) }
    }

    /// How many texts of an object are kept: those whose names have the least hashes.
    private static let textLimit = 8

    /// Adds an object.
    mutating func add(_ key: UInt64, list: Int, texts: [UInt64: UInt64]) {
        sample.add(key, Sighting(list: list, texts: Self.trimmed(texts))) { sighting in
            if list != 0, sighting.list == list { sighting.isRepeated = true }
            sighting.list = list
            Self.merge(&sighting.texts, texts)
        }
    }

    /// Adds what another has seen.
    mutating func merge(_ other: KeySketch) {
        sample.merge(other.sample) { sighting, more in
            sighting.isRepeated = sighting.isRepeated || more.isRepeated
            Self.merge(&sighting.texts, more.texts)
        }
    }

    /// Whether no two objects of a list have the same key, and all of one key are alike.
    var isUnambiguous: Bool {
        sample.entries.values.allSatisfy { !$0.isRepeated && !$0.varies }
    }

    /// Whether a key was seen; nil where the sample cannot tell.
    func has(_ key: UInt64) -> Bool? {
        key <= sample.bound ? sample.entries[key] != nil : nil
    }

    /// How many keys both have seen, with texts that are the same and with texts that differ.
    func compared(with other: KeySketch) -> (alike: Int, different: Int) {
        var alike = 0
        var different = 0
        for (key, sighting) in sample.entries {
            guard let texts = other.sample.entries[key]?.texts else { continue }
            let shared = sighting.texts.filter { texts[$0.key] != nil && $0.value != 0 }
            guard !shared.isEmpty else { continue }
            let isAlike = shared.allSatisfy { texts[$0.key] == $0.value }
            if isAlike { alike += 1 } else { different += 1 }
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

    private static func trimmed(_ texts: [UInt64: UInt64]) -> [UInt64: UInt64] {
        guard texts.count > textLimit else { return texts }
        let last = texts.keys.sorted()[textLimit - 1]
        return texts.filter { $0.key <= last }
    }
}
