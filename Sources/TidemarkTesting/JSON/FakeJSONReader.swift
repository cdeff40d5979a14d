/// A JSON parser that preserves the order of members and the digits of numbers.
///
/// Numbers are accepted more liberally than RFC 8259 permits, such as `+1` and `01`.
struct FakeJSONReader {
    /// The offset of the first byte that is not valid JSON.
    struct Failure: Error {
        var offset: Int
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws -> FakeJSON {
        let value = try value()
        skipBlanks()
        guard offset == bytes.count else { throw Failure(offset: offset) }
        return value
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard current == byte else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard take(byte) else { throw Failure(offset: offset) }
    }

    private mutating func value() throws -> FakeJSON {
        skipBlanks()
        depth += 1
        defer { depth -= 1 }
        guard depth < 500, let byte = current else { throw Failure(offset: offset) }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", as: .bool(true))
        case UInt8(ascii: "f"): return try word("false", as: .bool(false))
        case UInt8(ascii: "n"): return try word("null", as: .null)
        default: return try number()
        }
    }

    private mutating func word(_ text: String, as value: FakeJSON) throws -> FakeJSON {
        guard bytes[offset...].starts(with: text.utf8) else { throw Failure(offset: offset) }
        offset += text.utf8.count
        return value
    }

    private mutating func number() throws -> FakeJSON {
        let text = bytes[offset...].prefix { "+-.0123456789eE".utf8.contains($0) }
        let digits = String(decoding: text, as: UTF8.self)
        guard Double(digits) != nil else { throw Failure(offset: offset) }
        offset += text.count
        return .number(digits)
    }

    private mutating func array() throws -> FakeJSON {
        try expect(UInt8(ascii: "["))
        var elements: [FakeJSON] = []
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return .array(elements)
    }

    private mutating func object() throws -> FakeJSON {
        try expect(UInt8(ascii: "{"))
        var members: [FakeJSON.Member] = []
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipBlanks()
            let name = try string()
            try expect(UInt8(ascii: ":"))
            members.append(FakeJSON.Member(name, try value()))
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        return .object(members)
    }
}

extension FakeJSONReader {
    private mutating func string() throws -> String {
        guard current == UInt8(ascii: "\"") else { throw Failure(offset: offset) }
        offset += 1
        var text: [UInt8] = []
        while let byte = current {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try escaped().utf8
            case 0..<0x20: throw Failure(offset: offset - 1)
            default: text.append(byte)
            }
        }
        throw Failure(offset: offset)
    }

    private mutating func escaped() throws -> String {
        guard let byte = current else { throw Failure(offset: offset) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default: throw Failure(offset: offset - 1)
        }
    }

    private mutating func unicode() throws -> String {
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]) {
            guard bytes[offset...].starts(with: #"\u"#.utf8) else { throw Failure(offset: offset) }
            offset += 2
            units.append(try unit())
        }
        let isWhole =
            units.count == 2
            ? UTF16.isTrailSurrogate(units[1]) : Unicode.Scalar(units[0]) != nil
        guard isWhole else { throw Failure(offset: offset) }
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func unit() throws -> UInt16 {
        let digits = bytes[offset...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Failure(offset: offset) }
        offset += 4
        return unit
    }
}
