/// A collection as a fake service keeps it: its objects with their times, and tombstones.
public struct FakeCollection: Sendable {
    /// The name.
    public let name: String

    /// When anything in it changed last, in microseconds since 1970.
    public private(set) var stamp: Int64

    /// The objects and the tombstones, with gaps.
    private(set) var slots: [FakeRecord?] = []

    private(set) var places: [String: Int] = [:]

    private var mark = FakeMark()

    /// What questions found out.
    var found = FakeFindings()

    init(name: String, stamp: Int64) {
        self.name = name
        self.stamp = stamp
    }

    /// The objects in order.
    public var records: [FakeRecord] { slots.compactMap { $0 }.filter { !$0.isGone } }

    /// What is left of objects that went.
    public var tombstones: [FakeRecord] { slots.compactMap { $0 }.filter(\.isGone) }

    /// The object or the tombstone with a key.
    public subscript(key: String) -> FakeRecord? {
        places[key].flatMap { slots[$0] }
    }

    mutating func flush(_ stamps: FakeStamps, _ now: Int64) {
        empty()
        stamp = stamps.stamp(now: now, after: stamp)
    }

    mutating func purgeTombstones() {
        let rest = records
        empty()
        for record in rest { append(record) }
    }

    mutating func keep(_ bytes: [UInt8], at place: Int) {
        slots[place]?.bytes = bytes
    }

    mutating func forgetBytes() {
        for place in slots.indices { slots[place]?.bytes = nil }
    }

    private mutating func empty() {
        slots = []
        places = [:]
        found = FakeFindings()
    }

    private mutating func append(_ record: FakeRecord) {
        if !record.key.isEmpty { places[record.key] = slots.count }
        slots.append(record)
    }
}

extension FakeCollection {
    /// Compares with the data, stamps what differs, and says with what the next comparison begins.
    mutating func settle(
        _ data: FakeData.Collection,
        _ stamps: FakeStamps,
        _ now: Int64
    ) -> FakeMark {
        let touched = data.mark === mark ? data.touched : nil
        guard touched?.isEmpty != true else { return mark }
        if let touched {
            for key in touched { settle(key, data[key], stamps, now) }
        } else {
            settleAll(data, stamps, now)
        }
        mark = FakeMark()
        return mark
    }

    private mutating func next(_ stamps: FakeStamps, _ now: Int64) -> Int64 {
        found = FakeFindings()
        stamp = stamps.stamp(now: now, after: stamp)
        return stamp
    }

    private mutating func settle(
        _ key: String,
        _ object: FakeJSON?,
        _ stamps: FakeStamps,
        _ now: Int64
    ) {
        let place = places[key].flatMap { slots[$0]?.isGone == false ? $0 : nil }
        switch (object, place) {
        case (let object?, let place?):
            guard slots[place]?.object != object else { return }
            let stamp = next(stamps, now)
            slots[place]?.change(object, at: stamp)
        case (let object?, nil):
            // Who comes back leaves no tombstone.
            if let place = places[key] { slots[place] = nil }
            append(FakeRecord(key: key, object: object, created: next(stamps, now)))
        case (nil, let place?):
            let stamp = next(stamps, now)
            slots[place]?.go(at: stamp)
        case (nil, nil): break
        }
    }

    /// Compares everything, and takes over the order.
    private mutating func settleAll(
        _ data: FakeData.Collection,
        _ stamps: FakeStamps,
        _ now: Int64
    ) {
        let old = self
        var anonymous = Dictionary(grouping: old.records.filter(\.key.isEmpty), by: \.object)
        empty()
        for case let slot? in data.slots {
            let key = slot.key ?? ""
            let known = slot.key.map { old[$0] } ?? anonymous[slot.object]?.popLast()
            guard var record = known, !record.isGone else {
                append(FakeRecord(key: key, object: slot.object, created: next(stamps, now)))
                continue
            }
            if record.object != slot.object { record.change(slot.object, at: next(stamps, now)) }
            append(record)
        }
        for case var record? in old.slots where !record.key.isEmpty && places[record.key] == nil {
            if !record.isGone { record.go(at: next(stamps, now)) }
            append(record)
        }
    }
}
