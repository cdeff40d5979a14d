/// A text that equals only what has the same bytes, as JSON names do.
///
/// `String` takes é and e with a combining accent for the same: `"\u{e9}" == "e\u{301}"`.
public struct ByteExactString: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// Creates one of a text.
    public init(_ text: String) {
        self.text = text
    }

    /// Creates one of a literal.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether both have the same bytes.
    public static func == (left: ByteExactString, right: ByteExactString) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Whether the left one's bytes come before the right one's.
    public static func < (left: ByteExactString, right: ByteExactString) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }
}
