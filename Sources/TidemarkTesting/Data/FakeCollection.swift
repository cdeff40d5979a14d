/// A collection of a fake service: its objects with their timestamps, and tombstones.
public struct FakeCollection: Sendable {
    /// The name of the collection, which is its path.
    public let name: String

    /// The time of the last change in the collection, in microseconds since 1970.
    public private(set) var stamp: Int64

    /// The objects and the tombstones in order.
    ///
    /// Removed elements leave nil, so that indices stay valid.
    private(set) var slots: [FakeRecord?] = []

    private(set) var places: [String: Int] = [:]

    private var mark = FakeMark()

    /// The cached results of queries, discarded on every change.
    var found = FakeFindings()

    init(name: String, stamp: Int64) {
        self.name = name
        self.stamp = stamp
    }

    /// The objects in order.
    public var records: [FakeRecord] { slots.compactMap { $0 }.filter { !$0.isGone } }

    /// The tombstones of deleted objects.
    public var tombstones: [FakeRecord] { slots.compactMap { $0 }.filter(\.isGone) }

    /// The object or the tombstone with a key; nil if it does not exist.
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
    /// Compares the collection with the data, and updates and timestamps what differs.
    ///
    /// Returns the mark from which the data records its next changes.
    mutating func settle(
        _ data: FakeData.Collection,
        _ stamps: FakeStamps,
        _ now: Int64
    ) -> FakeMark {
        // If the data was replaced since the last comparison, its list of touched keys is not
        // meaningful.
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
            // An object that is added again replaces its tombstone.
            if let place = places[key] { slots[place] = nil }
            append(FakeRecord(key: key, object: object, created: next(stamps, now)))
        case (nil, let place?):
            let stamp = next(stamps, now)
            slots[place]?.go(at: stamp)
        case (nil, nil): break
        }
    }

    /// Compares all objects, and adopts the order of the data.
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
