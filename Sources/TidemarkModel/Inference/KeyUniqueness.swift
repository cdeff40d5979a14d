/// Every value of a member that may be the key: the proof that it tells objects apart.
///
/// It holds hashes of all values up to a limit; beyond that it proves nothing, and holds nothing.
struct KeyUniqueness: Sendable {
    private let limit: Int
    private var sightings: [UInt64: Sighting] = [:]

    /// How many objects had a value.
    private(set) var count = 0

    /// Whether there were too many values.
    private(set) var isFull = false

    /// Whether a list had a value twice.
    private var isRepeated = false

    /// How many values stand in objects that differ.
    private var varying = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether no two objects of a list have the same value, and all of one value are alike.
    var isProof: Bool { !isFull && !isRepeated && varying == 0 }

    /// Adds an object that stands in the list of a number, 0 where it stands in none.
    mutating func add(_ key: UInt64, list: Int, texts: [UInt64: UInt64]) {
        count += 1
        let sighting = Sighting(list: list, texts: texts)
        if list != 0, sightings[key]?.list == sighting.list { isRepeated = true }
        add(key, sighting)
    }

    /// Adds what another has seen.
    mutating func merge(_ other: KeyUniqueness) {
        count += other.count
        isRepeated = isRepeated || other.isRepeated
        guard !other.isFull else { return overflow() }
        for (key, sighting) in other.sightings { add(key, sighting) }
    }

    private mutating func add(_ key: UInt64, _ sighting: Sighting) {
        guard !isFull else { return }
        guard let place = sightings.index(forKey: key) else {
            sightings[key] = sighting
            varying += sighting.varies ? 1 : 0
            if sightings.count > limit { overflow() }
            return
        }
        varying -= sightings.values[place].varies ? 1 : 0
        sightings.values[place].merge(sighting)
        varying += sightings.values[place].varies ? 1 : 0
    }

    private mutating func overflow() {
        isFull = true
        sightings = [:]
    }
}

/// What was seen under one value, in few bytes.
private struct Sighting: Sendable {
    /// Parts of the hashes of the texts' names and of the texts, by name; behind them the list.
    private var lanes = SIMD8<UInt32>(repeating: unused)

    private static let unused = UInt32.max
    private static let listLane = 7

    init(list: Int, texts: [UInt64: UInt64]) {
        lanes[Self.listLane] = UInt32(truncatingIfNeeded: list)
        var lane = 0
        for name in texts.keys.sorted() where lane < Self.listLane {
            let tag = UInt32(truncatingIfNeeded: name >> 48) << 16
            let isNew = lane == 0 || Self.tag(lanes[lane - 1]) != tag
            guard isNew, tag != Self.tag(Self.unused), let text = texts[name] else { continue }
            lanes[lane] = tag | max(1, UInt32(truncatingIfNeeded: text >> 48))
            lane += 1
        }
    }

    /// The list it was last seen in.
    var list: UInt32 { lanes[Self.listLane] }

    /// Whether a text differs.
    var varies: Bool {
        (0..<Self.listLane).contains { Self.tag(lanes[$0]) == lanes[$0] }
    }

    /// Adds another object: of a name that both have, the text or that it varies.
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
