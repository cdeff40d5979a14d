/// Names of ASCII characters, and tests for bytes.
package enum ASCII {
    @inlinable package static var lineFeed: UInt8 { 0x0A }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var apostrophe: UInt8 { 0x27 }
    @inlinable package static var closeParenthesis: UInt8 { 0x29 }
    @inlinable package static var plus: UInt8 { 0x2B }
    @inlinable package static var comma: UInt8 { 0x2C }
    @inlinable package static var minus: UInt8 { 0x2D }
    @inlinable package static var point: UInt8 { 0x2E }
    @inlinable package static var slash: UInt8 { 0x2F }
    @inlinable package static var zero: UInt8 { 0x30 }
    @inlinable package static var nine: UInt8 { 0x39 }
    @inlinable package static var colon: UInt8 { 0x3A }
    @inlinable package static var openBracket: UInt8 { 0x5B }
    @inlinable package static var backslash: UInt8 { 0x5C }
    @inlinable package static var closeBracket: UInt8 { 0x5D }
    @inlinable package static var openBrace: UInt8 { 0x7B }
    @inlinable package static var closeBrace: UInt8 { 0x7D }

    /// Returns whether the byte is a decimal digit.
    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    /// Returns whether the byte is an ASCII letter.
    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { lowercase(byte) &- 0x61 < 26 }

    /// Returns the byte in lowercase if it is an ASCII capital letter; otherwise the byte itself.
    @inlinable @inline(__always)
    package static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Returns the value of a hexadecimal digit, or 255 for any other byte.
    @inlinable @inline(__always)
    package static func hexadecimal(_ byte: UInt8) -> UInt8 {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : 255
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether both buffers contain the same bytes.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
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
    package func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        guard count == lowercase.utf8CodeUnitCount else { return false }
        for offset in 0..<count where ASCII.lowercase(self[offset]) != lowercase.utf8Start[offset] {
            return false
        }
        return true
    }
}
