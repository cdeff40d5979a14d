/// A list of JSON values that are read one after the other.
///
/// An importer does not care whether the items stand in memory or come from a file of any size.
public protocol JSONItems {
    /// Hands the next item to `body`, and returns whether there was one.
    ///
    /// The node is valid only inside `body`.
    ///
    /// - Throws: ``JSONError`` where the text is no JSON, and what `body` throws.
    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool
}
