extension JSONNode {
    /// Creates another node of the same text.
    @inlinable
    init(_ other: JSONNode, index: Int) {
        bytes = other.bytes
        tokens = other.tokens
        self.index = index
    }

    /// The kind of value.
    @inlinable
    public var kind: JSONKind { tokens[index].kind }

    /// Whether it is a string with escapes, or a number with a fraction or an exponent.
    @inlinable
    package var isComplex: Bool { tokens[index].isComplex }

    /// The bytes of the value as they appear in the text.
    ///
    /// For a string, the bytes between the quotation marks, with escapes unresolved. For an object
    /// or an array, everything from bracket to bracket.
    @inlinable
    package var text: UnsafeRawBufferPointer {
        let token = tokens + index
        return UnsafeRawBufferPointer(
            start: bytes + Int(token.pointee.start),
            count: Int(token.pointee.length)
        )
    }

    /// The bytes of the value as they appear in the text, including the quotation marks of a
    /// string.
    @inlinable
    package var source: UnsafeRawBufferPointer {
        guard kind == .string else { return text }
        return UnsafeRawBufferPointer(
            start: bytes + Int(tokens[index].start) - 1,
            count: Int(tokens[index].length) + 2
        )
    }

    /// The index of the token after this value and everything it contains: that of the next element
    /// in an array, or of the next member's name in an object.
    @inlinable
    package var next: Int { Int(tokens[index].next) }

    /// The index of the first element or of the first member's name; equal to ``next`` if there is
    /// none.
    @inlinable
    package var firstChild: Int { index + 1 }

    /// Returns the node for another token of the same text.
    @inlinable
    package func node(at index: Int) -> JSONNode {
        JSONNode(self, index: index)
    }

    /// The number, if it is an integer of at most 64 bits; otherwise nil.
    public var integer: Int64? {
        kind == .number ? DecimalNumber(text)?.integer : nil
    }

    /// The number, rounded to the nearest `Double`; nil if it is not a number or out of range.
    public var double: Double? {
        kind == .number ? DecimalNumber(text)?.double(text) : nil
    }

    /// The Boolean value of `true` or `false`; nil for other values.
    @inlinable
    public var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        case .object, .array, .string, .number, .null: nil
        }
    }
}
