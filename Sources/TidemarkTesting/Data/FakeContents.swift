/// What a fake service knows: its data, and for each object when it came, changed and went.
///
/// Nobody stamps anything: what was changed is compared with what was there before.
public struct FakeContents: Sendable {
    /// The data as it is now.
    public private(set) var data: FakeData

    /// The same with the times, in the same order.
    public private(set) var collections: [FakeCollection] = []

    /// The time by the service's own clock, in microseconds since 1970.
    public internal(set) var now: Int64

    private let keys: [String]
    private let stamps: FakeStamps
    private var places: [String: Int] = [:]

    init(_ data: FakeData, keys: [String], stamps: FakeStamps, now: Int64) {
        self.data = FakeData(data, keys: keys)
        self.keys = keys
        self.stamps = stamps
        self.now = now
        settle()
    }

    static let empty = FakeContents(FakeData(), keys: [], stamps: FakeStamps(), now: 0)

    /// The collection of a name; nil where there is none.
    public subscript(name: String) -> FakeCollection? {
        places[name].map { collections[$0] }
    }

    /// Changes the data, and stamps what differs afterwards.
    public mutating func change<Result>(
        _ body: (inout FakeData) throws -> Result
    ) rethrows -> Result {
        defer { settle() }
        return try body(&data)
    }

    /// Asks the collection of a name, or of a path under a parent that is there, such as
    /// `posts/7/comments`.
    mutating func ask<Result>(
        _ steps: [String],
        _ body: (inout FakeCollection) -> Result
    ) -> Result? {
        if steps.count > 2 {
            let parent = steps.dropLast(2).joined(separator: "/")
            guard let record = self[parent]?[steps[steps.count - 2]], !record.isGone else {
                return nil
            }
        }
        return ask(steps.joined(separator: "/"), body)
    }

    /// Asks a collection, which may keep what it found out.
    mutating func ask<Result>(
        _ name: String,
        _ body: (inout FakeCollection) -> Result
    ) -> Result? {
        places[name].map { body(&collections[$0]) }
    }

    mutating func flush() {
        for place in collections.indices {
            data.collections[place].objects = []
            collections[place].flush(stamps, now)
        }
        settle()
    }

    mutating func purgeTombstones() {
        for place in collections.indices { collections[place].purgeTombstones() }
    }

    /// Takes over what was changed in the data.
    private mutating func settle() {
        // Data that came from elsewhere may be known by other members.
        data = FakeData(data, keys: keys)
        if data.collections.map(\.name) != collections.map(\.name) { arrange() }
        for place in data.collections.indices {
            let mark = collections[place].settle(data.collections[place], stamps, now)
            data.collections[place].settle(mark)
        }
    }

    /// Brings the collections into the order of the data's.
    private mutating func arrange() {
        var known = collections
        collections = data.collections.map { collection in
            let place = known.firstIndex { $0.name == collection.name }
            return place.map { known.remove(at: $0) }
                ?? FakeCollection(name: collection.name, stamp: stamps.stamp(now: now, after: 0))
        }
        places = [:]
        for (place, collection) in collections.enumerated() where places[collection.name] == nil {
            places[collection.name] = place
        }
    }
}
