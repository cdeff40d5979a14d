/// The value of a primary key, with one part for each value that forms the key.
public struct RecordKey: Hashable, Sendable {
    /// The parts, in the order in which the model declares them.
    public var parts: [Value]

    /// Creates a key from its parts.
    public init(_ parts: [Value]) {
        self.parts = parts
    }
}
