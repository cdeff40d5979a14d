extension JSONScan {
    /// Scans the string that begins at the cursor.
    ///
    /// Eight bytes are tested at a time. Only a quotation mark, a backslash, a control character or
    /// a byte beyond ASCII is examined individually.
    @inline(__always)
    mutating func string() throws(JSONFault) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let start = cursor + 1
        var end = start
        var isComplex = false
        while true {
            let word = UInt64(littleEndian: UnsafeRawPointer(end).loadUnaligned(as: UInt64.self))
            // A borrow can mark a byte wrongly, but only one after a byte that is marked correctly.
            let quotes = (word ^ (ones &* 0x22)) &- ones
            let backslashes = (word ^ (ones &* 0x5C)) &- ones
            let controls = word &- (ones &* 0x20)
            let found = (quotes | backslashes | controls | word) & (ones &* 0x80)
            guard found != 0 else {
                end += 8
                continue
            }
            end += found.trailingZeroBitCount &>> 3
            if end.pointee == ASCII.quote { break }
            if end.pointee == ASCII.backslash { isComplex = true }
            end = try Self.afterUncommon(end, in: text)
        }
        tape.append(.string, start: start - text, length: end - start, isComplex: isComplex)
        cursor = end + 1
    }

    /// Validates an escape or a run of bytes beyond ASCII.
    ///
    /// Returns the position after it.
    @inline(never)
    private static func afterUncommon(
        _ start: UnsafePointer<UInt8>,
        in text: UnsafePointer<UInt8>
    ) throws(JSONFault) -> UnsafePointer<UInt8> {
        if start.pointee == ASCII.backslash { return try afterEscape(start, in: text) }
        guard start.pointee >= 0x80 else { throw JSONFault(.control, at: start - text) }
        var cursor = start
        while cursor.pointee >= 0x80 {
            let length = UTF8Check.length(of: cursor)
            guard length > 0 else { throw JSONFault(.encoding, at: cursor - text) }
            cursor += length
        }
        return cursor
    }

    private static func afterEscape(
        _ start: UnsafePointer<UInt8>,
        in text: UnsafePointer<UInt8>
    ) throws(JSONFault) -> UnsafePointer<UInt8> {
        switch start[1] {
        case 0x22, 0x2F, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74:  // " / \ b f n r t
            return start + 2
        case 0x75:  // u
            break
        default:
            throw JSONFault(.escape, at: start - text)
        }
        guard let unit = hexadecimal(start + 2) else {
            throw JSONFault(.hexadecimal, at: start - text)
        }
        // Half of a surrogate pair has no UTF-8 encoding, so the other half must follow.
        guard unit & 0xF800 == 0xD800 else { return start + 6 }
        guard
            unit < 0xDC00, start[6] == ASCII.backslash, start[7] == 0x75,
            let second = hexadecimal(start + 8), second & 0xFC00 == 0xDC00
        else { throw JSONFault(.surrogate, at: start - text) }
        return start + 12
    }

    /// Returns the value of four hexadecimal digits; nil if one is not a hexadecimal digit.
    static func hexadecimal(_ digits: UnsafePointer<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for index in 0..<4 {
            let digit = ASCII.hexadecimal(digits[index])
            guard digit < 16 else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

/// The validation of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// Returns the length of the multi-byte sequence that begins here, or 0 if it is not
    /// well-formed.
    ///
    /// Reads no byte after the first invalid one, so a zero byte after the text stops it.
    @inline(__always)
    static func length(of bytes: UnsafePointer<UInt8>) -> Int {
        let first = bytes[0]
        switch first {
        case 0xC2...0xDF:
            return isContinuation(bytes[1]) ? 2 : 0
        case 0xE0...0xEF:
            let least: UInt8 = first == 0xE0 ? 0xA0 : 0x80
            let greatest: UInt8 = first == 0xED ? 0x9F : 0xBF
            guard bytes[1] >= least, bytes[1] <= greatest else { return 0 }
            return isContinuation(bytes[2]) ? 3 : 0
        case 0xF0...0xF4:
            let least: UInt8 = first == 0xF0 ? 0x90 : 0x80
            let greatest: UInt8 = first == 0xF4 ? 0x8F : 0xBF
            guard bytes[1] >= least, bytes[1] <= greatest else { return 0 }
            return isContinuation(bytes[2]) && isContinuation(bytes[3]) ? 4 : 0
        default:
            return 0
        }
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
