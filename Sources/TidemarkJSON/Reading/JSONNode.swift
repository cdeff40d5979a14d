/// A value in a scanned JSON text.
///
/// A node borrows its memory: it is valid only as long as the document or item that it belongs to.
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
