/// A collection of a fake service: its objects with their timestamps, and tombstones.
package struct FakeCollection: Sendable {
    /// The name of the collection, which is its path.
    package let name: String

    /// The time of the last change in the collection, in microseconds since 1970.
    package private(set) var stamp: Int64

    /// The objects and the tombstones in order.
    ///
    /// Removed elements leave nil, so that indices stay valid.
    package private(set) var slots: [FakeRecord?] = []

    private(set) var positions: [String: Int] = [:]

    private let stamps: FakeStamps

    private var revision = FakeRevision()

    /// The cached results of queries, discarded on every change.
    var cache = FakeQueryCache()

    init(name: String, stamps: FakeStamps, createdAt now: Int64) {
        self.name = name
        self.stamps = stamps
        stamp = stamps.stamp(now: now, after: 0)
    }

    /// The objects in order.
    package var records: [FakeRecord] { slots.compactMap { $0 }.filter { !$0.isDeleted } }

    /// The tombstones of deleted objects.
    package var tombstones: [FakeRecord] { slots.compactMap { $0 }.filter(\.isDeleted) }

    /// The object or the tombstone with a key; nil if it does not exist.
    package subscript(key: String) -> FakeRecord? {
        positions[key].flatMap { slots[$0] }
    }

    mutating func reset(at now: Int64) {
        empty()
        stamp = stamps.stamp(now: now, after: stamp)
    }

    mutating func purgeTombstones() {
        let rest = records
        empty()
        for record in rest { append(record) }
    }

    mutating func keep(_ bytes: [UInt8], at index: Int) {
        slots[index]?.bytes = bytes
    }

    mutating func discardBytes() {
        for index in slots.indices { slots[index]?.bytes = nil }
    }

    private mutating func empty() {
        slots = []
        positions = [:]
        cache = FakeQueryCache()
    }

    private mutating func append(_ record: FakeRecord) {
        if !record.key.isEmpty { positions[record.key] = slots.count }
        slots.append(record)
    }
}

extension FakeCollection {
    /// Compares the collection with the data, and updates and timestamps what differs.
    ///
    /// Returns the revision from which the data records its next changes.
    mutating func update(from data: FakeData.Collection, at now: Int64) -> FakeRevision {
        // If the data was replaced since the last comparison, its list of changed keys is not
        // meaningful.
        let changedKeys = data.revision === revision ? data.changedKeys : nil
        guard changedKeys?.isEmpty != true else { return revision }
        if let changedKeys {
            for key in changedKeys { update(key, to: data[key], at: now) }
        } else {
            updateAll(from: data, at: now)
        }
        revision = FakeRevision()
        return revision
    }

    private mutating func nextStamp(at now: Int64) -> Int64 {
        cache = FakeQueryCache()
        stamp = stamps.stamp(now: now, after: stamp)
        return stamp
    }

    private mutating func update(_ key: String, to object: FakeJSON?, at now: Int64) {
        let index = positions[key].flatMap { slots[$0]?.isDeleted == false ? $0 : nil }
        switch (object, index) {
        case (let object?, let index?):
            guard slots[index]?.object != object else { return }
            let stamp = nextStamp(at: now)
            slots[index]?.change(object, at: stamp)
        case (let object?, nil):
            // An object that is added again replaces its tombstone.
            if let index = positions[key] { slots[index] = nil }
            append(FakeRecord(key: key, object: object, created: nextStamp(at: now)))
        case (nil, let index?):
            let stamp = nextStamp(at: now)
            slots[index]?.delete(at: stamp)
        case (nil, nil): break
        }
    }

    /// Compares all objects, and adopts the order of the data.
    private mutating func updateAll(from data: FakeData.Collection, at now: Int64) {
        let old = self
        var anonymous = Dictionary(grouping: old.records.filter(\.key.isEmpty), by: \.object)
        empty()
        for case let slot? in data.slots {
            let key = slot.key ?? ""
            let known = slot.key.map { old[$0] } ?? anonymous[slot.object]?.popLast()
            guard var record = known, !record.isDeleted else {
                append(FakeRecord(key: key, object: slot.object, created: nextStamp(at: now)))
                continue
            }
            if record.object != slot.object { record.change(slot.object, at: nextStamp(at: now)) }
            append(record)
        }
        for case var record? in old.slots where !record.key.isEmpty && positions[record.key] == nil
        {
            if !record.isDeleted { record.delete(at: nextStamp(at: now)) }
            append(record)
        }
    }
}
