/// A decimal number, read from text without loss for up to 38 significant digits.
///
/// Its value is the integer formed by its significant digits times ten to the power of
/// ``exponent``. The digits have no leading or trailing zeros, so equal numbers have equal
/// representations.
package struct DecimalNumber {
    package private(set) var isNegative = false

    /// The number of significant digits; 0 for zero.
    ///
    /// Above 38 the digits themselves are not kept.
    package private(set) var count = 0

    /// The first 19 significant digits.
    private(set) var leading: UInt64 = 0

    /// The significant digits after those.
    private(set) var trailing: UInt64 = 0

    /// The power of ten of the last significant digit.
    package private(set) var exponent = 0

    /// Whether the text has commas between groups of digits, as in `1,358`.
    package private(set) var isGrouped = false

    /// The maximum number of significant digits.
    package static let longest = 38

    /// The exponents for which there is a canonical text.
    package static let exponents = -128...127

    /// The length of the longest canonical texts, in bytes: a sign, and 38 + 127 digits.
    package static let canonicalCapacity = 180

    /// The number of digits in each of ``leading`` and ``trailing``.
    static let half = 19

    /// Reads a JSON number or a numeric string.
    ///
    /// A string may also have a plus sign, leading zeros, and commas between groups of three digits
    /// (`1,358`). A number with commas cannot have an exponent.
    package init?(_ text: UnsafeRawBufferPointer) {
        var offset = 0
        if let first = text.first, first == ASCII.minus || first == ASCII.plus {
            isNegative = first == ASCII.minus
            offset = 1
        }
        var zeros = 0
        guard readInteger(of: text, offset: &offset, zeros: &zeros) else { return nil }
        var fraction = 0
        if offset < text.count, text[offset] == ASCII.point {
            offset += 1
            let start = offset
            while offset < text.count, ASCII.isDigit(text[offset]) {
                add(text[offset] &- ASCII.zero, zeros: &zeros)
                offset += 1
            }
            fraction = offset - start
            guard fraction > 0 else { return nil }
        }
        exponent = zeros - fraction
        if offset < text.count, !isGrouped, text[offset] | 0x20 == 0x65 {
            guard let power = Self.power(of: text, from: offset + 1) else { return nil }
            exponent += power
            offset = text.count
        }
        guard offset == text.count else { return nil }
        if count == 0 { exponent = 0 }
    }

    /// Whether the number has no fraction.
    package var isWhole: Bool { exponent >= 0 }

    private mutating func readInteger(
        of text: UnsafeRawBufferPointer,
        offset: inout Int,
        zeros: inout Int
    ) -> Bool {
        let start = offset
        var group = 0
        while offset < text.count {
            if ASCII.isDigit(text[offset]) {
                add(text[offset] &- ASCII.zero, zeros: &zeros)
                group += 1
            } else if text[offset] == ASCII.comma {
                // Only complete groups are accepted: the comma of `1,35` is a decimal separator.
                let isLeader = !isGrouped && (1...3).contains(group) && text[start] != ASCII.zero
                guard isLeader || isGrouped && group == 3 else { return false }
                isGrouped = true
                group = 0
            } else {
                break
            }
            offset += 1
        }
        return isGrouped ? group == 3 : group > 0
    }

    /// Adds a digit.
    ///
    /// Zeros are counted, and added only when a nonzero digit follows.
    @inline(__always)
    private mutating func add(_ digit: UInt8, zeros: inout Int) {
        guard digit != 0 else {
            if count > 0 { zeros += 1 }
            return
        }
        while zeros > 0 {
            push(0)
            zeros -= 1
        }
        push(UInt64(digit))
    }

    @inline(__always)
    private mutating func push(_ digit: UInt64) {
        if count < Self.half {
            leading = leading &* 10 &+ digit
        } else if count < Self.longest {
            trailing = trailing &* 10 &+ digit
        }
        count &+= 1
    }

    /// Returns the exponent after an `e`.
    ///
    /// It is capped at 10¹², which is out of range for every type.
    private static func power(of text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        var isNegative = false
        if offset < text.count, text[offset] == ASCII.minus || text[offset] == ASCII.plus {
            isNegative = text[offset] == ASCII.minus
            offset += 1
        }
        guard offset < text.count else { return nil }
        var power = 0
        for byte in text[offset...] {
            guard ASCII.isDigit(byte) else { return nil }
            power = min(power * 10 + Int(byte &- ASCII.zero), 1_000_000_000_000)
        }
        return isNegative ? -power : power
    }
}
