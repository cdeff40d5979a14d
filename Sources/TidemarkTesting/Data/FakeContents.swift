/// The contents of a fake service: its data, and the times at which each object was created,
/// changed and deleted.
///
/// A test does not set these times. They are derived by comparing the data before and after a
/// change.
public struct FakeContents: Sendable {
    /// The current data.
    public private(set) var data: FakeData

    /// The collections with timestamps, in the order of the data.
    public private(set) var collections: [FakeCollection] = []

    /// The time of the service's clock, in microseconds since 1970.
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

    /// The collection with a name; nil if it does not exist.
    public subscript(name: String) -> FakeCollection? {
        places[name].map { collections[$0] }
    }

    /// Changes the data, and timestamps the objects that differ afterwards.
    public mutating func change<Result>(
        _ body: (inout FakeData) throws -> Result
    ) rethrows -> Result {
        defer { settle() }
        return try body(&data)
    }

    /// Queries a collection by name, or by a path below an existing parent such as
    /// `posts/7/comments`.
    ///
    /// Returns nil if the collection or the parent does not exist.
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

    /// Queries a collection, which may cache results.
    ///
    /// Returns nil if the collection does not exist.
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

    /// Applies the changes of the data to the collections.
    private mutating func settle() {
        // A test may have assigned data that identifies objects by other members.
        data = FakeData(data, keys: keys)
        if data.collections.map(\.name) != collections.map(\.name) { arrange() }
        for place in data.collections.indices {
            let mark = collections[place].settle(data.collections[place], stamps, now)
            data.collections[place].settle(mark)
        }
    }

    /// Puts the collections into the order of the data's collections.
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
