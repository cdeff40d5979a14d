/// An object of a fake service with the times at which it was created, changed and deleted.
public struct FakeRecord: Sendable {
    /// The key; empty if the object has none, or has the key of an earlier object.
    public let key: String

    /// The object.
    ///
    /// For a deleted object, its last state.
    public internal(set) var object: FakeJSON

    /// The time of creation, in microseconds since 1970.
    public let created: Int64

    /// The time of the last change or of the deletion, in microseconds since 1970.
    public internal(set) var changed: Int64

    /// Whether the object was deleted, so that this is its tombstone.
    public internal(set) var isGone = false

    /// The cached JSON of the object in responses.
    var bytes: [UInt8]?

    init(key: String, object: FakeJSON, created: Int64) {
        self.key = key
        self.object = object
        self.created = created
        changed = created
    }

    mutating func change(_ object: FakeJSON, at stamp: Int64) {
        self.object = object
        changed = stamp
        bytes = nil
    }

    mutating func go(at stamp: Int64) {
        changed = stamp
        isGone = true
        bytes = nil
    }
}
