/// A token of a scanned JSON text: a value, or the name of a member.
///
/// Tokens are in the order of the text. An object is followed by its members, each as a string
/// token (the name) and the tokens of its value; an array is followed by its elements.
@usableFromInline package struct JSONToken {
    /// The offset of its first byte.
    ///
    /// For a string, the offset of the byte after the quotation mark.
    @usableFromInline package let start: UInt32

    /// The number of its bytes.
    ///
    /// The quotation marks of a string are not included; the brackets of an object or array are.
    @usableFromInline package internal(set) var length: UInt32

    /// The index of the token after this one and everything it contains.
    @usableFromInline package internal(set) var next: UInt32

    /// The kind of value.
    @usableFromInline package let kind: JSONKind

    /// Whether it is a string with escapes, or a number with a fraction or an exponent.
    @usableFromInline package internal(set) var isComplex: Bool
}
