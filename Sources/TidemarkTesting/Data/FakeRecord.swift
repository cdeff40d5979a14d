/// An object of a fake service with the times at which it was created, changed and deleted.
package struct FakeRecord: Sendable {
    /// The key; empty if the object has none, or has the key of an earlier object.
    package let key: String

    /// The object.
    ///
    /// For a deleted object, its last state.
    package internal(set) var object: FakeJSON

    /// The time of creation, in microseconds since 1970.
    package let created: Int64

    /// The time of the last change or of the deletion, in microseconds since 1970.
    package internal(set) var changed: Int64

    /// Whether the object was deleted, so that this is its tombstone.
    package internal(set) var isDeleted = false

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

    mutating func delete(at stamp: Int64) {
        changed = stamp
        isDeleted = true
        bytes = nil
    }
}
