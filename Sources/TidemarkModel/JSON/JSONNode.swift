/// A value in a scanned JSON text, borrowed: valid only while its document or item is.
@frozen public struct JSONNode {
    /// The text that the tokens point into.
    public let bytes: UnsafePointer<UInt8>

    /// The tape.
    public let tokens: UnsafePointer<JSONToken>

    /// The place of this value on the tape.
    public let index: Int
}

@available(*, unavailable)
extension JSONNode: Sendable {}
