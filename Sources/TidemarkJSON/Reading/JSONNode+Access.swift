extension JSONNode {
    /// Creates another node of the same text.
    @inlinable
    init(_ other: JSONNode, index: Int) {
        bytes = other.bytes
        tokens = other.tokens
        self.index = index
    }

    /// The kind of value.
    ///
    /// It is read from the scanned token, without looking at the text again.
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
    ///
    /// `12.0` and `1e3` are integers, `1.5` and `9223372036854775808` are not. A string such as
    /// `"12"` is nil.
    ///
    /// ```swift
    /// let document = try JSONDocument(Array("[12.0, 1e3, 1.5]".utf8))
    /// let numbers = document.withRoot { $0.elements.map(\.integer) }   // [12, 1000, nil]
    /// ```
    public var integer: Int64? {
        kind == .number ? DecimalNumber(text)?.integer : nil
    }

    /// The number, rounded to the nearest `Double`; nil if it is not a number or out of range.
    ///
    /// Use ``string`` to read a decimal such as a price without rounding: it returns all digits.
    public var double: Double? {
        kind == .number ? DecimalNumber(text)?.double(text) : nil
    }

    /// The Boolean value of `true` or `false`; nil for other values, also for `1` and `"true"`.
    ///
    /// ```swift
    /// if node.member("archived")?.boolean ?? false { print("archived") }
    /// ```
    @inlinable
    public var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        case .object, .array, .string, .number, .null: nil
        }
    }
}
