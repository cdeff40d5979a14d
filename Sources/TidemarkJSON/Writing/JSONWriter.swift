/// A writer of JSON text, value by value.
///
/// The writer adds commas, colons and line breaks; the caller must balance the calls that begin and
/// end objects and arrays. If ``drain(_:)`` is called regularly, a text of any length needs little
/// memory.
///
/// ```swift
/// var writer = JSONWriter(.pretty)
/// writer.beginObject()
/// writer.key("name")
/// writer.string("Rex")
/// writer.endObject()
/// print(String(decoding: writer.bytes, as: UTF8.self))
/// ```
public struct JSONWriter: Sendable {
    /// The layout of the text.
    public enum Style: Hashable, Sendable {
        /// Without white space.
        case compact
        /// One line for each member and element, indented by two spaces per level.
        case pretty
    }

    /// The bytes written since the last ``drain(_:)``.
    public private(set) var bytes: [UInt8] = []

    private let style: Style
    private var depth = 0

    /// Whether the current container already has a member or an element.
    private var hasSibling = false
    private var isAfterKey = false

    /// Creates a writer without output.
    public init(_ style: Style = .compact) {
        self.style = style
    }

    /// Calls `body` with the bytes written so far, then discards them.
    public mutating func drain(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes(body)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Begins an object; its members follow.
    public mutating func beginObject() { begin(ASCII.openBrace) }

    /// Ends the innermost object.
    public mutating func endObject() { end(ASCII.closeBrace) }

    /// Begins an array; its elements follow.
    public mutating func beginArray() { begin(ASCII.openBracket) }

    /// Ends the innermost array.
    public mutating func endArray() { end(ASCII.closeBracket) }

    /// Writes the name of a member; its value must follow.
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
        if style == .pretty { bytes.append(ASCII.space) }
        isAfterKey = true
    }

    /// Writes a string.
    ///
    /// Only the characters that RFC 8259 requires are escaped.
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string that is given as well-formed UTF-8.
    package mutating func string(_ utf8: UnsafeRawBufferPointer) {
        separate()
        bytes.append(ASCII.quote)
        var start = 0
        for (offset, byte) in utf8.enumerated()
        where byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash {
            bytes.append(contentsOf: utf8[start..<offset])
            escape(byte)
            start = offset + 1
        }
        bytes.append(contentsOf: utf8[start...])
        bytes.append(ASCII.quote)
    }

    /// Writes an integer.
    public mutating func integer(_ number: Int64) {
        raw(String(number))
    }

    /// Writes the shortest number that is read back as the same `Double`.
    ///
    /// Infinities and NaN, which JSON cannot represent, are written as `null`.
    public mutating func double(_ number: Double) {
        raw(number.isFinite ? "\(number)" : "null")
    }

    /// Writes `true` or `false`.
    public mutating func boolean(_ flag: Bool) {
        raw(flag ? "true" : "false")
    }

    /// Writes `null`.
    public mutating func null() {
        raw("null")
    }

    /// Writes a value that is already JSON text, without validating it.
    public mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
    }

    /// Writes a value that is already JSON text, without validating it.
    package mutating func raw(_ json: UnsafeRawBufferPointer) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        hasSibling = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if hasSibling { breakLine() }
        bytes.append(bracket)
        hasSibling = true
    }

    /// Writes the comma and the line break before a value or a member's name.
    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
            return
        }
        if hasSibling, depth > 0 { bytes.append(ASCII.comma) }
        if depth > 0 { breakLine() }
        hasSibling = true
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(ASCII.lineFeed)
        bytes.append(contentsOf: repeatElement(ASCII.space, count: depth * 2))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case ASCII.quote, ASCII.backslash: bytes += [ASCII.backslash, byte]
        case 0x08: bytes += #"\b"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0C: bytes += #"\f"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        default:
            let digits = "0123456789abcdef".utf8.map(\.self)
            bytes += #"\u00"#.utf8
            bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}
