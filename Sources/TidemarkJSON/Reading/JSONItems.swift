/// A sequence of JSON values that are read one after the other.
///
/// An import accepts any sequence of items. They can be in memory (``JSONDocumentItems``) or read
/// from a text of any length (``JSONItemReader``). Conform a type of your own to filter or to limit
/// items. A node is borrowed, which is why this is not an `IteratorProtocol`.
///
/// ```swift
/// /// The items of another sequence that are published.
/// struct PublishedItems<Base: JSONItems>: JSONItems {
///     var base: Base
///
///     mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
///         var isFound = false
///         while !isFound {
///             let hasNext = try base.next { item in
///                 isFound = item.member("published")?.boolean == true
///                 if isFound { try body(item) }
///             }
///             guard hasNext else { return false }
///         }
///         return true
///     }
/// }
/// ```
///
/// An import deletes the rows that its items do not contain, unless only an upsert is requested.
/// Filtered items are therefore a complete list only of the rows that match the filter.
public protocol JSONItems {
    /// Calls a closure with the next item, and advances past it.
    ///
    /// - Parameter body: A closure that receives the item. The node is valid only inside it.
    /// - Returns: Whether there was a next item. After the last item every call returns false.
    /// - Throws: ``JSONError`` if the text is not valid JSON; errors from reading and from the
    ///   closure.
    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool
}
