/// A token of a scanned JSON text: a value, or the name of a member.
///
/// Tokens are in the order of the text. An object is followed by its members, each as a string
/// token (the name) and the tokens of its value; an array is followed by its elements.
@frozen public struct JSONToken {
    /// The offset of its first byte.
    ///
    /// For a string, the offset of the byte after the quotation mark.
    public let start: UInt32

    /// The number of its bytes.
    ///
    /// The quotation marks of a string are not included; the brackets of an object or array are.
    public internal(set) var length: UInt32

    /// The index of the token after this one and everything it contains.
    public internal(set) var next: UInt32

    /// The kind of value.
    public let kind: JSONKind

    /// Whether it is a string with escapes, or a number with a fraction or an exponent.
    public internal(set) var isComplex: Bool
}

/// The kinds of JSON values.
@frozen public enum JSONKind: UInt8, Sendable {
    /// `{…}`
    case object
    /// `[…]`
    case array
    /// `"…"`
    case string
    /// A number.
    case number
    /// `true`
    case `true`
    /// `false`
    case `false`
    /// `null`
    case null
}
