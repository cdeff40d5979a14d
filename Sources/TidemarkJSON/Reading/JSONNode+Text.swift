extension JSONNode {
    /// The value as a string: a JSON string with its escapes resolved, or the JSON text of any
    /// other value.
    ///
    /// A number therefore keeps all its digits, as a price or a large key requires. Check ``kind``
    /// if a number and a string that contains digits must be distinguished.
    ///
    /// ```swift
    /// let document = try JSONDocument(Array(#"["caf\u00e9", 12.50, true, null]"#.utf8))
    /// let texts = document.withRoot { $0.elements.map(\.string) }
    /// // ["café", "12.50", "true", "null"]
    /// ```
    public var string: String {
        guard kind == .string, isComplex else { return String(decoding: text, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: text.count) { buffer in
            JSONEscapes.resolve(text, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Appends the JSON text without white space.
    ///
    /// Digits and escapes are not changed.
    package func compactText(into bytes: inout [UInt8]) {
        Self.eachRun(of: source) { bytes.append(contentsOf: $0) }
    }

    /// Calls `body` with each run of bytes between white space outside of strings.
    package static func eachRun(
        of text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        var cursor = 0
        while cursor < text.count {
            if text[cursor] == ASCII.quote {
                cursor = afterString(text, from: cursor)
            } else if text[cursor] <= ASCII.space {
                body(UnsafeRawBufferPointer(rebasing: text[start..<cursor]))
                while cursor < text.count, text[cursor] <= ASCII.space { cursor += 1 }
                start = cursor
            } else {
                cursor += 1
            }
        }
        body(UnsafeRawBufferPointer(rebasing: text[start..<cursor]))
    }

    private static func afterString(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var cursor = start + 1
        while cursor < text.count, text[cursor] != ASCII.quote {
            cursor += text[cursor] == ASCII.backslash ? 2 : 1
        }
        return min(cursor + 1, text.count)
    }
}

/// The escapes of JSON strings (RFC 8259, section 7).
package enum JSONEscapes {
    /// Writes a scanned string with its escapes resolved.
    ///
    /// The target must be at least as long as the source: every escape is longer than what it
    /// denotes.
    ///
    /// - Returns: The number of bytes written.
    package static func resolve(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard
            let from = source.baseAddress?.assumingMemoryBound(to: UInt8.self),
            var to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return 0 }
        let start = to
        var cursor = from
        let end = from + source.count
        while cursor < end {
            guard cursor.pointee == ASCII.backslash else {
                to.pointee = cursor.pointee
                to += 1
                cursor += 1
                continue
            }
            if cursor[1] == 0x75 {
                (cursor, to) = character(at: cursor, into: to)
            } else {
                to.pointee = single(cursor[1])
                to += 1
                cursor += 2
            }
        }
        return to - start
    }

    private static func single(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08  // b
        case 0x66: 0x0C  // f
        case 0x6E: 0x0A  // n
        case 0x72: 0x0D  // r
        case 0x74: 0x09  // t
        default: letter
        }
    }

    private static func character(
        at source: UnsafePointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>
    ) -> (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) {
        let unit = UInt32(JSONScan.hexadecimal(source + 2) ?? 0)
        var length = 6
        var code = unit
        if unit & 0xFC00 == 0xD800 {
            let second = UInt32(JSONScan.hexadecimal(source + 8) ?? 0)
            code = 0x10000 + ((unit & 0x3FF) << 10) + (second & 0x3FF)
            length = 12
        }
        var target = target
        for byte in UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? .init() {
            target.pointee = byte
            target += 1
        }
        return (source + length, target)
    }
}
