extension DecimalNumber {
    /// Returns ten to the power of an exponent from 0 to 19, the range that fits into 64 bits.
    package static func power(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }

    /// The number as an integer; nil if it has a fraction or does not fit into 64 bits.
    package var integer: Int64? {
        guard isWhole, count + exponent <= Self.half else { return nil }
        let (magnitude, overflow) = leading.multipliedReportingOverflow(by: Self.power(exponent))
        let greatest = UInt64(Int64.max) + (isNegative ? 1 : 0)
        guard !overflow, magnitude <= greatest else { return nil }
        return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    }

    /// Returns the number times a power of ten, rounded to an integer with halves away from zero.
    ///
    /// Returns nil if the result does not fit into 64 bits.
    package func scaled(by power: Int) -> Int64? {
        let shift = exponent + power
        guard count + shift <= Self.half else { return nil }
        guard count + shift >= 0 else { return 0 }
        // The rounding digit is among the first 19, so the digits after those do not affect the
        // result.
        let shown = exponent + max(0, count - Self.half) + power
        var magnitude = leading
        if shown >= 0 {
            magnitude = magnitude &* Self.power(shown)
        } else {
            let divisor = Self.power(-shown)
            let (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: divisor)
            magnitude = quotient + (rest >= divisor - rest ? 1 : 0)
        }
        guard magnitude <= UInt64(Int64.max) else { return nil }
        return isNegative ? -Int64(magnitude) : Int64(magnitude)
    }

    /// Returns the nearest `Double`, or nil if it is out of range.
    ///
    /// `text` must be the text from which the number was read.
    package func double(_ text: UnsafeRawBufferPointer) -> Double? {
        let magnitude: Double
        if count == 0 {
            magnitude = 0
        } else if count <= Self.half, exponent >= -Self.half, exponent <= Self.half {
            // Exact in 128 bits, and without the allocation of a string.
            magnitude = Self.nearest(leading, exponent: exponent)
        } else {
            magnitude = abs(Double(plain(text)) ?? .infinity)
        }
        guard magnitude.isFinite else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// Returns the nearest `Float`, as a `Double`, or nil if it is out of range.
    package func float(_ text: UnsafeRawBufferPointer) -> Double? {
        guard let double = double(text) else { return nil }
        var float = Float(double)
        // If the double was rounded to the midpoint of two floats, rounding it again could be
        // wrong.
        if double.significandBitPattern & 0x1FFF_FFFF == 0x1000_0000 {
            float = Float(plain(text)) ?? float
        }
        return float.isFinite ? Double(float) : nil
    }

    /// Returns the text without the commas between groups of digits.
    private func plain(_ text: UnsafeRawBufferPointer) -> String {
        guard isGrouped else { return String(decoding: text, as: UTF8.self) }
        return String(decoding: text.filter { $0 != ASCII.comma }, as: UTF8.self)
    }

    /// Returns the `Double` nearest to `digits` × 10^`exponent`, ties to even.
    ///
    /// The exponent must be in −19…19.
    ///
    /// The product or quotient is computed in 128 bits with a remainder, so the result is rounded
    /// only once.
    static func nearest(_ digits: UInt64, exponent: Int) -> Double {
        let power = power(abs(exponent))
        if exponent >= 0 {
            let (high, low) = digits.multipliedFullWidth(by: power)
            if high == 0 { return Double(low) }
            let shift = high.leadingZeroBitCount
            let top = shift == 0 ? high : high << UInt64(shift) | low >> UInt64(64 - shift)
            return rounded(top, isInexact: low << UInt64(shift) != 0, binary: 64 - shift)
        }
        let digitShift = digits.leadingZeroBitCount
        let powerShift = power.leadingZeroBitCount
        var high = digits << UInt64(digitShift)
        let divisor = power << UInt64(powerShift)
        var low: UInt64 = 0
        var binary = powerShift - digitShift - 64
        if high >= divisor {
            low = high << 63
            high >>= 1
            binary += 1
        }
        let (quotient, rest) = divisor.dividingFullWidth((high, low))
        return rounded(quotient, isInexact: rest != 0, binary: binary)
    }

    /// Returns `top` × 2^`binary` rounded to 53 bits.
    ///
    /// The highest bit of `top` must be set.
    private static func rounded(_ top: UInt64, isInexact: Bool, binary: Int) -> Double {
        var significand = top >> 11
        let dropped = top & 0x7FF
        let isAbove = dropped > 0x400 || dropped == 0x400 && (isInexact || significand & 1 == 1)
        if isAbove { significand += 1 }
        return Double(sign: .plus, exponent: binary + 11, significand: Double(significand))
    }

    /// The canonical text as a string; nil if it has more than ``longest`` digits or an exponent
    /// outside of ``exponents``.
    package var canonicalText: String? {
        guard count <= Self.longest, Self.exponents.contains(exponent) else { return nil }
        return String(unsafeUninitializedCapacity: Self.canonicalCapacity) { buffer in
            writeCanonical(to: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Writes the canonical text: without an exponent, without insignificant zeros, and without a
    /// sign for zero.
    ///
    /// The number must have at most ``longest`` digits and an exponent in ``exponents``.
    ///
    /// - Parameter buffer: Memory for ``canonicalCapacity`` bytes.
    /// - Returns: The number of bytes written.
    package func writeCanonical(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        var length = 0
        func put(_ byte: UInt8) {
            buffer[length] = byte
            length += 1
        }
        if isNegative, count > 0 { put(ASCII.minus) }
        if count + exponent <= 0 { put(ASCII.zero) }
        if exponent < 0, count + exponent <= 0 {
            put(ASCII.point)
            for _ in 0..<(-exponent - count) { put(ASCII.zero) }
        }
        for index in 0..<count {
            if index > 0, index == count + exponent { put(ASCII.point) }
            put(digit(index))
        }
        if count > 0 {
            for _ in 0..<max(0, exponent) { put(ASCII.zero) }
        }
        return length
    }

    private func digit(_ index: Int) -> UInt8 {
        let isLeading = index < Self.half
        let length = isLeading ? min(count, Self.half) : count - Self.half
        let weight = length - 1 - (isLeading ? index : index - Self.half)
        let digits = isLeading ? leading : trailing
        return ASCII.zero + UInt8(truncatingIfNeeded: digits / Self.power(weight) % 10)
    }
}
