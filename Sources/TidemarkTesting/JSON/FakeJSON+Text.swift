extension FakeJSON: CustomStringConvertible {
    /// The value as JSON text, without white space.
    ///
    /// Members are in their order, and numbers have their digits.
    ///
    /// ```swift
    /// let film: FakeJSON = ["id": 4, "title": "A New Hope"]
    /// print(film)  // {"id":4,"title":"A New Hope"}
    /// ```
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The value as JSON text in UTF-8, without white space.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let digits): bytes += digits.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            Self.writeList(elements, brackets: "[]", to: &bytes) { $0.write(to: &$1) }
        case .object(let members):
            Self.writeList(members, brackets: "{}", to: &bytes) { member, bytes in
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        }
    }

    private static func writeList<Item>(
        _ items: [Item],
        brackets: String,
        to bytes: inout [UInt8],
        _ write: (Item, inout [UInt8]) -> Void
    ) {
        bytes += brackets.utf8.prefix(1)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(item, &bytes)
        }
        bytes += brackets.utf8.suffix(1)
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
            case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
            case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
            case 0..<0x20:
                bytes += (byte < 16 ? #"\u000"# : #"\u001"#).utf8
                bytes += String(byte % 16, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
