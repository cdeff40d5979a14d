/// One token of a scanned JSON text: a value, or the name of a member.
///
/// Tokens stand in the order of the text. An object is followed by its members, each a string token
/// (the name) and the tokens of its value; an array by its elements.
@frozen public struct JSONToken {
    /// Where its bytes begin.
    ///
    /// Strings begin after the quotation mark.
    public let start: UInt32

    /// How many bytes it has.
    ///
    /// Strings without the quotation marks, objects and arrays from bracket
    /// to bracket.
    public internal(set) var length: UInt32

    /// The index of the token behind it and all it contains.
    public internal(set) var next: UInt32

    /// What it is.
    public let kind: JSONKind

    /// Whether it is a string that has escapes, or a number that has a fraction or an exponent.
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
