import TidemarkJSON

/// A cursor in the text of a date, with methods to read its components.
struct DateReader {
    let text: UnsafeRawBufferPointer
    var offset = 0

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    @inline(__always)
    var isAtEnd: Bool { offset == text.count }

    /// The current byte; 0 at the end.
    @inline(__always)
    var byte: UInt8 { offset < text.count ? text[offset] : 0 }

    /// Advances past the expected byte.
    ///
    /// Returns false if it does not follow.
    @inline(__always)
    mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        offset += 1
        return true
    }

    /// Advances past the expected text.
    ///
    /// Returns false if it does not follow.
    mutating func skip(_ expected: StaticString) -> Bool {
        let end = offset + expected.utf8CodeUnitCount
        guard end <= text.count else { return false }
        for index in offset..<end where text[index] != expected.utf8Start[index - offset] {
            return false
        }
        offset = end
        return true
    }

    /// Reads a number with exactly `count` digits.
    @inline(__always)
    mutating func number(_ count: Int) -> Int? {
        guard offset + count <= text.count else { return nil }
        var value = 0
        for index in offset..<(offset + count) {
            guard ASCII.isDigit(text[index]) else { return nil }
            value = value &* 10 &+ Int(text[index] &- ASCII.zero)
        }
        offset += count
        return value
    }

    /// Reads a number with one to `count` digits.
    mutating func number(upTo count: Int) -> Int? {
        var digits = 0
        while digits < count, offset + digits < text.count, ASCII.isDigit(text[offset + digits]) {
            digits += 1
        }
        return digits == 0 ? nil : number(digits)
    }

    /// Reads one to nine digits of a fraction and returns microseconds, rounded.
    ///
    /// Further digits are not read.
    mutating func fraction() -> Int? {
        let start = offset
        guard let value = number(upTo: 9) else { return nil }
        let digits = offset - start
        if digits <= 6 { return value * Int(DecimalNumber.power(6 - digits)) }
        let divisor = Int(DecimalNumber.power(digits - 6))
        return (value + divisor / 2) / divisor
    }

    /// Reads a possibly empty sequence of letters.
    mutating func word() -> UnsafeRawBufferPointer {
        let start = offset
        while ASCII.isLetter(byte) { offset += 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<offset])
    }

    /// Reads `Z`, `±hh`, `±hhmm` or `±hh:mm` and returns seconds east of UTC.
    @inline(__always)
    mutating func zone() -> Int? {
        if byte | 0x20 == 0x7A {  // Z, z
            offset += 1
            return 0
        }
        return numericZone()
    }

    /// Reads `±hh`, `±hhmm` or `±hh:mm` and returns seconds east of UTC.
    mutating func numericZone() -> Int? {
        let isWest = byte == ASCII.minus
        guard isWest || byte == ASCII.plus else { return nil }
        offset += 1
        guard let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if skip(ASCII.colon) || ASCII.isDigit(byte) {
            guard let number = number(2), number < 60 else { return nil }
            minutes = number
        }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    /// Reads a time zone name of RFC 5322 or a numeric zone and returns seconds east of UTC.
    mutating func namedZone() -> Int? {
        let name = word()
        if name.isEmpty { return numericZone() }
        for zone in ["gmt", "utc", "ut", "z"] as [StaticString] where name.equalsIgnoringCase(zone)
        {
            return 0
        }
        guard name.count == 3, ASCII.lowercase(name[2]) == 0x74 else { return nil }  // …t
        let isSummer = ASCII.lowercase(name[1]) == 0x64
        guard isSummer || ASCII.lowercase(name[1]) == 0x73 else { return nil }  // d, s
        let hours: Int
        switch ASCII.lowercase(name[0]) {
        case 0x65: hours = -5  // Eastern
        case 0x63: hours = -6  // Central
        case 0x6D: hours = -7  // Mountain
        case 0x70: hours = -8  // Pacific
        default: return nil
        }
        return (hours + (isSummer ? 1 : 0)) * 3600
    }
}
