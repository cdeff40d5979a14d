/// The value of a primary key, with one part for each value that forms the key.
///
/// The changes of a store contain the keys of changed rows, for example to update a search index.
/// If a key is unique only within a parent, the key of the parent comes first.
///
/// ```swift
/// for try await batch in try await store.changes() {
///     for change in batch.changes where change.key == 6 {
///         print("\(change.entity) 6: \(change.kind)")
///     }
/// }
/// ```
public struct RecordKey: Hashable, Sendable {
    /// The parts, in the order in which the model declares them.
    ///
    /// None of them is null: a row without a value for a part has no key.
    public var parts: [Value]

    /// Creates a key from its parts, for example to compare it with that of a changed row.
    ///
    /// ```swift
    /// let parts: [Value] = [.string("A"), .integer(12)]
    /// let seat = RecordKey(parts)
    /// ```
    ///
    /// - Parameter parts: The values, in the order in which the model declares the parts.
    public init(_ parts: [Value]) {
        self.parts = parts
    }
}

/// A key of one integer or string, or of several values, can be written as a literal.
extension RecordKey: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral
{
    /// Creates the key of one integer.
    public init(integerLiteral value: Int64) { self.init([.integer(value)]) }

    /// Creates the key of one string.
    public init(stringLiteral value: String) { self.init([.string(value)]) }

    /// Creates a key from its parts.
    public init(arrayLiteral parts: Value...) { self.init(parts) }
}
