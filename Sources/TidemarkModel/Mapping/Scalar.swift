import TidemarkJSON

/// A string, number or Boolean to be converted: its kind and its bytes, with escapes resolved.
struct Scalar {
    let kind: JSONKind
    let bytes: UnsafeRawBufferPointer

    /// Whether it is a number in JSON syntax, without fraction and exponent.
    let isPlainNumber: Bool

    /// Whether the bytes may contain U+0000.
    ///
    /// In JSON it can only be written as an escape.
    let mayContainNull: Bool

    /// Creates a scalar from bytes without escapes.
    @inline(__always)
    init(_ kind: JSONKind, bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = bytes
        isPlainNumber = false
        mayContainNull = true
    }

    /// Creates the scalar of a JSON value.
    ///
    /// For an object or an array, only the kind is meaningful.
    @inline(__always)
    init(_ node: JSONNode, in arena: ValueArena) {
        kind = node.kind
        let isComplex = node.isComplex
        isPlainNumber = kind == .number && !isComplex
        mayContainNull = kind == .string && isComplex
        bytes = mayContainNull ? Self.resolve(node.text, in: arena) : node.text
    }

    @inline(never)
    private static func resolve(
        _ text: UnsafeRawBufferPointer,
        in arena: ValueArena
    ) -> UnsafeRawBufferPointer {
        let target = arena.allocate(text.count)
        return arena.trim(target, to: JSONEscapes.resolve(text, into: target))
    }

    /// Converts the value to a type that stores a single scalar.
    ///
    /// - Throws: ``CoercionFailure`` if it cannot be converted, and for types that are not scalar.
    @inline(__always)
    func stored(
        _ type: AttributeType,
        in arena: ValueArena
    ) throws(CoercionFailure) -> StoredValue {
        switch type {
        case .integer16, .integer32, .integer64: .integer(try integer(type))
        case .double: .real(try double())
        case .float: .real(try float())
        case .decimal: .text(try number().canonical(in: arena))
        case .boolean: .integer(try boolean() ? 1 : 0)
        case .string: .text(try text())
        case .uuid: .text(try uuid(in: arena))
        case .uri: .text(try uri())
        case .date, .binary, .transformable, .json: throw .notTransformed
        }
    }

    @inline(__always)
    func integer(_ type: AttributeType) throws(CoercionFailure) -> Int64 {
        // 18 digits cannot overflow 64 bits.
        let value = isPlainNumber && bytes.count <= 18 ? shortInteger : try number().wholeNumber()
        let fits =
            switch type {
            case .integer16: Int64(Int16(truncatingIfNeeded: value)) == value
            case .integer32: Int64(Int32(truncatingIfNeeded: value)) == value
            default: true
            }
        guard fits else { throw .outOfRange(type) }
        return value
    }

    /// The value of a number of at most 18 characters: digits and an optional minus sign.
    private var shortInteger: Int64 {
        let isNegative = bytes[0] == ASCII.minus
        var value: Int64 = 0
        for offset in (isNegative ? 1 : 0)..<bytes.count {
            value = value &* 10 &+ Int64(bytes[offset] &- ASCII.zero)
        }
        return isNegative ? -value : value
    }

    @inline(__always)
    private func double() throws(CoercionFailure) -> Double {
        // Integers of up to 15 digits are exact. "-0" is excluded: only a double keeps its sign.
        if isPlainNumber, bytes.count <= 15, bytes[0] != ASCII.minus { return Double(shortInteger) }
        guard let double = try number().double(bytes) else { throw .outOfRange(.double) }
        return double
    }

    private func float() throws(CoercionFailure) -> Double {
        guard let float = try number().float(bytes) else { throw .outOfRange(.float) }
        return float
    }

    @inline(__always)
    private func number() throws(CoercionFailure) -> DecimalNumber {
        guard kind == .number || kind == .string, let number = DecimalNumber(bytes) else {
            throw .notANumber
        }
        return number
    }

    private func boolean() throws(CoercionFailure) -> Bool {
        switch kind {
        case .true: return true
        case .false: return false
        case .number:
            switch try number().wholeNumber() {
            case 0: return false
            case 1: return true
            default: throw .notABoolean
            }
        case .string:
            for text in ["true", "yes", "1"] as [StaticString] where bytes.equalsIgnoringCase(text)
            {
                return true
            }
            for text in ["false", "no", "0"] as [StaticString] where bytes.equalsIgnoringCase(text)
            {
                return false
            }
            throw .notABoolean
        case .object, .array, .null: throw .notABoolean
        }
    }

    @inline(__always)
    private func text() throws(CoercionFailure) -> UnsafeRawBufferPointer {
        guard kind != .object, kind != .array else { throw .notAText }
        if mayContainNull, bytes.contains(0) { throw .containsNull }
        return bytes
    }

    /// Returns a UUID of 8-4-4-4-12 hexadecimal digits, converted to capitals if necessary.
    private func uuid(in arena: ValueArena) throws(CoercionFailure) -> UnsafeRawBufferPointer {
        guard kind == .string, bytes.count == 36 else { throw .notAUUID }
        var isCanonical = true
        for (offset, byte) in bytes.enumerated() {
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == ASCII.minus else { throw .notAUUID }
            } else {
                guard ASCII.hexadecimal(byte) < 16 else { throw .notAUUID }
                if byte >= 0x61 { isCanonical = false }
            }
        }
        guard !isCanonical else { return bytes }
        let target = arena.allocate(36)
        for (offset, byte) in bytes.enumerated() {
            target[offset] = byte >= 0x61 ? byte & 0xDF : byte
        }
        return UnsafeRawBufferPointer(target)
    }

    private func uri() throws(CoercionFailure) -> UnsafeRawBufferPointer {
        guard kind == .string, !bytes.isEmpty else { throw .notAURI }
        for byte in bytes where byte <= ASCII.space || byte == 0x7F {
            throw byte == 0 ? .containsNull : .notAURI
        }
        return bytes
    }
}
