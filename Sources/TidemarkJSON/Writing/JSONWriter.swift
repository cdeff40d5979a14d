/// A writer of JSON text, value by value.
///
/// An `Exporter` writes rows into a writer. Use it directly to write the text around them, such as
/// an envelope, or JSON of your own. The writer adds commas, colons and line breaks; the caller
/// must balance the calls that begin and end objects and arrays.
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.key("name")
/// json.string("Ada")
/// json.key("born")
/// json.integer(1815)
/// json.endObject()
/// print(String(decoding: json.bytes, as: UTF8.self))   // {"name":"Ada","born":1815}
/// ```
///
/// If ``drain(_:)`` is called regularly, a text of any length needs little memory. A writer is a
/// value: a copy continues separately.
public struct JSONWriter: Sendable {
    /// The layout of the text.
    package enum Style: Hashable, Sendable {
        /// Without white space.
        case compact
        /// One line for each member and element, indented by two spaces per level.
        case pretty
    }

    /// The bytes written since the last ``drain(_:)``, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    private let style: Style
    private var depth = 0

    /// Whether the current container already has a member or an element.
    private var hasSibling = false
    private var isAfterKey = false

    /// Creates a writer without output, which writes no white space.
    ///
    /// Two values in a row without an array around them are separated by nothing.
    public init() {
        self.init(.compact)
    }

    /// Creates a writer of text with a layout.
    package init(_ style: Style) {
        self.style = style
    }

    /// Calls a closure with the bytes written so far, then discards them.
    ///
    /// The memory is kept for the next bytes. If the closure throws, the bytes are kept.
    ///
    /// ```swift
    /// FileManager.default.createFile(atPath: path, contents: nil)
    /// let file = try FileHandle(forWritingTo: url)
    /// json.beginArray()
    /// for number in 1...1_000_000 {
    ///     json.integer(Int64(number))
    ///     if json.bytes.count > 65_536 { try json.drain { try file.write(contentsOf: Data($0)) } }
    /// }
    /// json.endArray()
    /// try json.drain { try file.write(contentsOf: Data($0)) }
    /// ```
    ///
    /// - Parameter body: A closure that receives the bytes, which are valid only inside it.
    /// - Throws: The error that the closure throws.
    public mutating func drain(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes(body)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Begins an object; its members follow, each as a ``key(_:)`` and a value.
    ///
    /// ```swift
    /// json.beginObject()
    /// json.key("results")
    /// json.beginArray()
    /// json.endArray()
    /// json.endObject()   // {"results":[]}
    /// ```
    public mutating func beginObject() { begin(ASCII.openBrace) }

    /// Ends the innermost object, which ``beginObject()`` began.
    public mutating func endObject() { end(ASCII.closeBrace) }

    /// Begins an array; its elements follow, each as a value.
    ///
    /// ```swift
    /// json.beginArray()
    /// for tag in ["a", "b"] { json.string(tag) }
    /// json.endArray()   // ["a","b"]
    /// ```
    public mutating func beginArray() { begin(ASCII.openBracket) }

    /// Ends the innermost array, which ``beginArray()`` began.
    public mutating func endArray() { end(ASCII.closeBracket) }

    /// Writes the name of a member and a colon; its value must follow.
    ///
    /// Names are not checked for repetition.
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
        if style == .pretty { bytes.append(ASCII.space) }
        isAfterKey = true
    }

    /// Writes a string.
    ///
    /// Only the characters that RFC 8259, section 7, requires are escaped: quotation marks,
    /// backslashes and control characters.
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
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start..<offset]))
            escape(byte)
            start = offset + 1
        }
        // A slice would be copied byte by byte.
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start...]))
        bytes.append(ASCII.quote)
    }

    /// Writes an integer with all its digits.
    ///
    /// JavaScript reads integers beyond 2⁵³ inexactly; write a large key as a string for such a
    /// receiver.
    public mutating func integer(_ number: Int64) {
        raw(String(number))
    }

    /// Writes the shortest number that is read back as the same `Double`.
    ///
    /// Infinities and NaN, which JSON cannot represent, are written as `null`. Write an exact
    /// decimal with ``raw(_:)``.
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
    ///
    /// Use it for numbers that `Double` cannot represent, and for JSON that is stored as text, such
    /// as the value of a `json` attribute. An invalid text makes the whole output invalid.
    ///
    /// ```swift
    /// json.beginArray()
    /// json.raw("12.20")
    /// json.raw(#"{"unit":"kg"}"#)
    /// json.endArray()   // [12.20,{"unit":"kg"}]
    /// ```
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
