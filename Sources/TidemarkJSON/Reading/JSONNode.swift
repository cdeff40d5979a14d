/// A value in a scanned JSON text.
///
/// A node is passed to closures, for example to that of an ``JSONItemReader`` or of a transformer.
/// It is a position in the text: nothing is allocated until a value is read.
///
/// ```swift
/// let body = Array(#"[{"id": 7, "tags": ["a", "b"], "author": {"name": "Ada"}}]"#.utf8)
/// var items = try JSONDocument(body).items()
/// while try items.next({ item in
///     let id = item.member("id")?.integer                        // 7
///     let tags = item.member("tags")?.elements.map(\.string)     // ["a", "b"]
///     let author = item.node(at: "author.name")?.string          // "Ada"
/// }) {}
/// ```
///
/// A node borrows its memory: it is valid only as long as the document or item that it belongs to,
/// which is why it is not `Sendable`. Do not store it; store what you read from it.
@frozen public struct JSONNode {
    /// The text to which the offsets of the tokens refer.
    @usableFromInline package let bytes: UnsafePointer<UInt8>

    /// The tokens of the text.
    @usableFromInline package let tokens: UnsafePointer<JSONToken>

    /// The index of this value's token.
    @usableFromInline package let index: Int
}

@available(*, unavailable)
extension JSONNode: Sendable {}
