/// Base64 as specified in RFC 4648.
enum Base64 {
    /// Decodes a text into an arena.
    ///
    /// Returns nil if the text is not valid base64.
    ///
    /// Both alphabets of RFC 4648 (sections 4 and 5) are accepted, line breaks are ignored as in
    /// MIME, and padding is optional.
    static func decode(
        _ text: UnsafeRawBufferPointer,
        in arena: ValueArena
    ) -> UnsafeRawBufferPointer? {
        let target = arena.allocate(text.count / 4 * 3 + 3)
        var length = 0
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text where byte != 0x0A && byte != 0x0D {
            if byte == 0x3D {
                padding += 1
                continue
            }
            let value = value(of: byte)
            guard value < 64, padding == 0 else { return nil }
            group = group << 6 | UInt32(value)
            digits += 1
            guard digits == 4 else { continue }
            target[length] = UInt8(truncatingIfNeeded: group >> 16)
            target[length + 1] = UInt8(truncatingIfNeeded: group >> 8)
            target[length + 2] = UInt8(truncatingIfNeeded: group)
            length += 3
            digits = 0
        }
        // A single digit has only six bits, which is less than a byte.
        guard padding == 0 || digits + padding == 4, padding < 3, digits != 1 else { return nil }
        if digits > 1 {
            let spare = UInt32(digits == 2 ? 4 : 2)
            // RFC 4648, section 3.5: encoders set unused bits to zero. Other bits indicate
            // truncated text.
            guard group & (1 << spare - 1) == 0 else { return nil }
            group >>= spare
            if digits == 3 {
                target[length] = UInt8(truncatingIfNeeded: group >> 8)
                length += 1
            }
            target[length] = UInt8(truncatingIfNeeded: group)
            length += 1
        }
        return arena.trim(target, to: length)
    }

    private static func value(of digit: UInt8) -> UInt8 {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case 0x30...0x39: digit - 0x30 + 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: 255
        }
    }
}
