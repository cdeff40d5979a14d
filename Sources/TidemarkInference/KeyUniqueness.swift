import TidemarkModel

/// All values of a member that may be the key, as proof that the member identifies the objects.
///
/// Hashes of the values are kept up to a limit. Beyond it nothing is kept and nothing is proven.
struct KeyUniqueness: Sendable {
    private let limit: Int
    private var sightings: [UInt64: Sighting] = [:]

    /// The number of objects that have a value.
    private(set) var count = 0

    /// Whether the number of values exceeded the limit.
    private(set) var isFull = false

    /// Whether a list contained a value twice.
    private var isRepeated = false

    /// The number of values that occur in objects with different texts.
    private var varying = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether no list contains a value twice, and all objects with the same value have equal
    /// texts.
    var isProof: Bool { !isFull && !isRepeated && varying == 0 }

    /// Adds an object.
    ///
    /// - Parameters:
    ///   - key: The hash of the member's value.
    ///   - list: The number of the list that contains the object, or 0 if none does.
    ///   - texts: The hashes of the object's texts, by the hashes of their names.
    mutating func add(_ key: UInt64, list: Int, texts: [UInt64: UInt64]) {
        count += 1
        let sighting = Sighting(list: list, texts: texts)
        if list != 0, sightings[key]?.list == sighting.list { isRepeated = true }
        add(sighting, of: key)
    }

    /// Adds the objects of another instance.
    mutating func merge(_ other: KeyUniqueness) {
        count += other.count
        isRepeated = isRepeated || other.isRepeated
        guard !other.isFull else { return overflow() }
        for (key, sighting) in other.sightings { add(sighting, of: key) }
    }

    private mutating func add(_ sighting: Sighting, of key: UInt64) {
        guard !isFull else { return }
        guard let index = sightings.index(forKey: key) else {
            sightings[key] = sighting
            varying += sighting.varies ? 1 : 0
            if sightings.count > limit { overflow() }
            return
        }
        varying -= sightings.values[index].varies ? 1 : 0
        sightings.values[index].merge(sighting)
        varying += sightings.values[index].varies ? 1 : 0
    }

    private mutating func overflow() {
        isFull = true
        sightings = [:]
    }
}

/// The objects with one value, in 32 bytes: up to a million are kept for each candidate.
private struct Sighting: Sendable {
    /// Seven lanes with 16 bits of a name's hash and 16 bits of its text's hash, sorted by name,
    /// followed by one with the number of the list.
    private var lanes = SIMD8<UInt32>(repeating: unused)

    private static let unused = UInt32.max
    private static let listLane = 7

    init(list: Int, texts: [UInt64: UInt64]) {
        lanes[Self.listLane] = UInt32(truncatingIfNeeded: list)
        var lane = 0
        for name in texts.keys.sorted() where lane < Self.listLane {
            let tag = UInt32(truncatingIfNeeded: name >> 48) << 16
            // Of names with the same 16 bits, only the first is kept.
            let isNew = lane == 0 || Self.tag(lanes[lane - 1]) != tag
            guard isNew, tag != Self.tag(Self.unused), let text = texts[name] else { continue }
            // Not 0, which marks a text that varies.
            lanes[lane] = tag | max(1, UInt32(truncatingIfNeeded: text >> 48))
            lane += 1
        }
    }

    /// The low 32 bits of the number of the list that last contained the value.
    var list: UInt32 { lanes[Self.listLane] }

    /// Whether a text varies: the low 16 bits of its lane are 0.
    var varies: Bool {
        (0..<Self.listLane).contains { Self.tag(lanes[$0]) == lanes[$0] }
    }

    /// Merges another object: a text that differs under a shared name is marked as varying.
    mutating func merge(_ other: Sighting) {
        var merged = other.lanes
        var (left, right) = (0, 0)
        for lane in 0..<Self.listLane {
            let (mine, theirs) = (lanes[left], other.lanes[right])
            let isSame = Self.tag(mine) == Self.tag(theirs)
            if isSame {
                merged[lane] = mine == theirs ? mine : Self.tag(mine)
            } else {
                merged[lane] = min(mine, theirs)
            }
            left += isSame || mine < theirs ? 1 : 0
            right += isSame || theirs < mine ? 1 : 0
        }
        lanes = merged
    }

    private static func tag(_ lane: UInt32) -> UInt32 { lane & 0xFFFF_0000 }
}
