/// A string that is compared by its UTF-8 bytes, as JSON member names are.
///
/// `String` compares by canonical equivalence: `"\u{e9}" == "e\u{301}"` is true.
package struct ByteExactString: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The string.
    package let text: String

    /// Creates a byte-exact string from a string.
    package init(_ text: String) {
        self.text = text
    }

    /// Creates a byte-exact string from a literal.
    package init(stringLiteral text: String) {
        self.init(text)
    }

    /// Returns whether both strings have the same bytes.
    package static func == (left: ByteExactString, right: ByteExactString) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Returns whether the bytes of the left string precede those of the right one
    /// lexicographically.
    package static func < (left: ByteExactString, right: ByteExactString) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // `combine(bytes:)` adds no terminator: without the length, (“ab”, “c”) and (“a”, “bc”)
        // collide.
        hasher.combine(text.utf8.count)
    }
}
