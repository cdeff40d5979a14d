/// The value of a primary key: one part for each of its attributes.
public struct RecordKey: Hashable, Sendable {
    /// The parts, in the order the model declares them.
    public var parts: [Value]

    /// Creates a key of the given parts.
    public init(_ parts: [Value]) {
        self.parts = parts
    }
}
