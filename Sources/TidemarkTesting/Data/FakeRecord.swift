/// An object as a fake service keeps it: with the times at which it came, changed, and went.
public struct FakeRecord: Sendable {
    /// The key; empty where the object has none, or that of an earlier one.
    public let key: String

    /// The object; of one that is gone, as it was last.
    public internal(set) var object: FakeJSON

    /// When it came, in microseconds since 1970.
    public let created: Int64

    /// When it changed last, or went, in microseconds since 1970.
    public internal(set) var changed: Int64

    /// Whether it went: what is left is its tombstone.
    public internal(set) var isGone = false

    /// The object as it is served.
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
