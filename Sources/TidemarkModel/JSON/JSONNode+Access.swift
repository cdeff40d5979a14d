extension JSONNode {
    /// Another node of the same text.
    @inlinable
    init(_ other: JSONNode, index: Int) {
        bytes = other.bytes
        tokens = other.tokens
        self.index = index
    }

    /// What kind of value it is.
    @inlinable
    public var kind: JSONKind { tokens[index].kind }

    /// Whether it is a string that has escapes, or a number that has a fraction or an exponent.
    @inlinable
    public var isComplex: Bool { tokens[index].isComplex }

    /// Its bytes as they stand in the text: of a string what is between the quotation marks,
    /// escapes kept; of an object or array everything from bracket to bracket.
    @inlinable
    public var text: UnsafeRawBufferPointer {
        let token = tokens + index
        return UnsafeRawBufferPointer(
            start: bytes + Int(token.pointee.start),
            count: Int(token.pointee.length)
        )
    }

    /// Its bytes as they stand in the text, a string's quotation marks included.
    @inlinable
    public var source: UnsafeRawBufferPointer {
        guard kind == .string else { return text }
        return UnsafeRawBufferPointer(
            start: bytes + Int(tokens[index].start) - 1,
            count: Int(tokens[index].length) + 2
        )
    }

    /// The index behind it and all it contains: of the next element of an array, or of the next
    /// member's name in an object.
    @inlinable
    public var next: Int { Int(tokens[index].next) }

    /// The index of its first element or of its first member's name; ``next`` when it is empty.
    @inlinable
    public var firstChild: Int { index + 1 }

    /// The node of another token of the same text.
    @inlinable
    public func node(at index: Int) -> JSONNode {
        JSONNode(self, index: index)
    }

    /// Its number, if it is a whole one of at most 64 bits.
    public var integer: Int64? {
        guard kind == .number, let number = DecimalNumber(text) else { return nil }
        do { return try number.integer() } catch { return nil }
    }

    /// Its number, rounded to the nearest that a `Double` can hold.
    public var double: Double? {
        guard kind == .number, let number = DecimalNumber(text) else { return nil }
        do { return try number.double(text) } catch { return nil }
    }

    /// Its truth, if it is `true` or `false`.
    @inlinable
    public var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        case .object, .array, .string, .number, .null: nil
        }
    }
}
