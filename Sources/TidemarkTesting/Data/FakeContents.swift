/// The contents of a fake service: its data, and the times at which each object was created,
/// changed and deleted.
///
/// A test does not set these times. They are derived by comparing the data before and after a
/// change.
package struct FakeContents: Sendable {
    /// The current data.
    package private(set) var data: FakeData

    /// The collections with timestamps, in the order of the data.
    package private(set) var collections: [FakeCollection] = []

    /// The time of the service's clock, in microseconds since 1970.
    package internal(set) var now: Int64

    /// The changes that clients have made, in order.
    package internal(set) var audit: [FakeEffect] = []

    /// The responses to changes, by the idempotency keys of the requests.
    var responses: [String: FakeResponse] = [:]

    /// The files, by their paths below the service's URL.
    package internal(set) var files: [String: FakeFile] = [:]

    /// The number of files that clients have uploaded.
    var uploads = 0

    /// The last number that was a key, by collection: keys are not used again.
    var lastNumbers: [String: Int] = [:]

    /// The state of the generator of keys.
    var keySeed: UInt32 = 1

    let keys: [String]
    private let stamps: FakeStamps
    private var positions: [String: Int] = [:]

    init(_ data: FakeData, keys: [String], stamps: FakeStamps, now: Int64) {
        self.data = FakeData(data, keys: keys)
        self.keys = keys
        self.stamps = stamps
        self.now = now
        update()
    }

    package static let empty = FakeContents(FakeData(), keys: [], stamps: FakeStamps(), now: 0)

    /// The collection with a name; nil if it does not exist.
    package subscript(name: String) -> FakeCollection? {
        positions[name].map { collections[$0] }
    }

    /// Changes the data, and timestamps the objects that differ afterwards.
    package mutating func change<Result>(
        _ body: (inout FakeData) throws -> Result
    ) rethrows -> Result {
        defer { update() }
        return try body(&data)
    }

    /// Calls a closure with the collection at a path, which may be below an existing parent, such
    /// as `posts/7/comments`.
    ///
    /// Returns nil if the collection or the parent does not exist.
    package mutating func withCollection<Result>(
        at steps: [String],
        _ body: (inout FakeCollection) -> Result
    ) -> Result? {
        if steps.count > 2 {
            let parent = steps.dropLast(2).joined(separator: "/")
            guard let record = self[parent]?[steps[steps.count - 2]], !record.isDeleted else {
                return nil
            }
        }
        return withCollection(named: steps.joined(separator: "/"), body)
    }

    /// Calls a closure with a collection, which may cache the results of queries.
    ///
    /// Returns nil if the collection does not exist.
    package mutating func withCollection<Result>(
        named name: String,
        _ body: (inout FakeCollection) -> Result
    ) -> Result? {
        positions[name].map { body(&collections[$0]) }
    }

    mutating func reset() {
        for index in collections.indices {
            data.collections[index].objects = []
            collections[index].reset(at: now)
        }
        update()
    }

    mutating func purgeTombstones() {
        for index in collections.indices { collections[index].purgeTombstones() }
    }

    /// Applies the changes of the data to the collections.
    private mutating func update() {
        // A test may have assigned data that identifies objects by other members.
        data = FakeData(data, keys: keys)
        if data.collections.map(\.name) != collections.map(\.name) { reorder() }
        for index in data.collections.indices {
            let revision = collections[index].update(from: data.collections[index], at: now)
            data.collections[index].finishUpdate(revision)
        }
    }

    /// Puts the collections into the order of the data's collections.
    private mutating func reorder() {
        var known = collections
        collections = data.collections.map { collection in
            let index = known.firstIndex { $0.name == collection.name }
            return index.map { known.remove(at: $0) }
                ?? FakeCollection(name: collection.name, stamps: stamps, createdAt: now)
        }
        positions = [:]
        for (index, collection) in collections.enumerated() where positions[collection.name] == nil
        {
            positions[collection.name] = index
        }
    }
}
