/// A value in a scanned JSON text.
///
/// A node borrows its memory: it is valid only as long as the document or item that it belongs to.
@frozen public struct JSONNode {
    /// The text to which the offsets of the tokens refer.
    public let bytes: UnsafePointer<UInt8>

    /// The tokens of the text.
    public let tokens: UnsafePointer<JSONToken>

    /// The index of this value's token.
    public let index: Int
}

@available(*, unavailable)
extension JSONNode: Sendable {}
