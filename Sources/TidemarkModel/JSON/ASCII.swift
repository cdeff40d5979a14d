/// Names of ASCII characters, and tests for bytes.
enum ASCII {
    static var lineFeed: UInt8 { 0x0A }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var apostrophe: UInt8 { 0x27 }
    static var closeParenthesis: UInt8 { 0x29 }
    static var plus: UInt8 { 0x2B }
    static var comma: UInt8 { 0x2C }
    static var minus: UInt8 { 0x2D }
    static var point: UInt8 { 0x2E }
    static var slash: UInt8 { 0x2F }
    static var zero: UInt8 { 0x30 }
    static var nine: UInt8 { 0x39 }
    static var colon: UInt8 { 0x3A }
    static var openBracket: UInt8 { 0x5B }
    static var backslash: UInt8 { 0x5C }
    static var closeBracket: UInt8 { 0x5D }
    static var openBrace: UInt8 { 0x7B }
    static var closeBrace: UInt8 { 0x7D }

    /// Returns whether the byte is a decimal digit.
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    /// Returns whether the byte is an ASCII letter.
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { lowercase(byte) &- 0x61 < 26 }

    /// Returns the byte in lowercase if it is an ASCII capital letter; otherwise the byte itself.
    @inline(__always)
    static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Returns the value of a hexadecimal digit, or 255 for any other byte.
    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt8 {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : 255
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether both buffers contain the same bytes.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
        var offset = 0
        while offset &+ 8 <= count {
            let left = mine.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard left == theirs.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
                return false
            }
            offset &+= 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset &+= 1
        }
        return true
    }

    /// Returns whether the bytes equal a lowercase string, ignoring the case of ASCII letters.
    func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        guard count == lowercase.utf8CodeUnitCount else { return false }
        for offset in 0..<count where ASCII.lowercase(self[offset]) != lowercase.utf8Start[offset] {
            return false
        }
        return true
    }
}
