/// A sequence of JSON values that are read one after the other.
///
/// The items can be in memory (``JSONDocumentItems``) or read from a text of any length
/// (``JSONItemReader``).
public protocol JSONItems {
    /// Calls `body` with the next item.
    ///
    /// The node is valid only inside `body`.
    ///
    /// - Returns: Whether there was a next item.
    /// - Throws: ``JSONError`` if the text is not valid JSON; errors from reading and from `body`.
    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool
}
