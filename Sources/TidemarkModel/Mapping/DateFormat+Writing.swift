package import TidemarkJSON

extension DateFormat {
    /// Returns the text for a timestamp.
    ///
    /// - Parameters:
    ///   - microseconds: Microseconds since 1970-01-01T00:00:00Z.
    ///   - offset: The time zone in which to write, in seconds east of UTC. Defaults to 0. It is
    ///     ignored for HTTP dates, which are always in GMT, and for Unix timestamps.
    /// - Returns: The date in this format.
    package func string(from microseconds: Int64, offset: Int = 0) -> String {
        var bytes: [UInt8] = []
        write(microseconds, offset: offset, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a timestamp as a JSON value: a number for Unix timestamps, otherwise a string.
    package func write(_ microseconds: Int64, offset: Int = 0, into writer: inout JSONWriter) {
        let text = string(from: microseconds, offset: offset)
        switch form {
        case .unix: writer.raw(text)
        case .automatic, .rfc1123, .pattern: writer.string(text)
        }
    }

    /// Whether text in this format contains its time zone or does not need one.
    ///
    /// Text without a time zone is read as UTC.
    package var hasZone: Bool {
        switch form {
        case .automatic, .rfc1123, .unix: true
        case .pattern(let pattern): pattern.hasZone
        }
    }

    private func write(_ moment: Int64, offset: Int, into bytes: inout [UInt8]) {
        switch form {
        case .automatic(let fraction):
            let time = CivilTime(microseconds: moment, offset: offset)
            Self.writeISO8601(time, fraction: fraction, offset: offset, into: &bytes)
        case .rfc1123:
            Self.writeRFC1123(CivilTime(microseconds: moment), into: &bytes)
        case .unix(let unit):
            bytes += unit.text(moment).utf8
        case .pattern(let pattern):
            pattern.write(
                CivilTime(microseconds: moment, offset: offset),
                offset: offset,
                into: &bytes
            )
        }
    }

    private static func writeISO8601(
        _ time: CivilTime,
        fraction: Fraction,
        offset: Int,
        into bytes: inout [UInt8]
    ) {
        bytes.appendDate(time)
        bytes.append(0x54)  // T
        bytes.appendTime(time)
        let isShown =
            switch fraction {
            case .never: false
            case .whenNeeded: time.microsecond != 0
            case .always: true
            }
        if isShown {
            bytes.append(ASCII.point)
            let isCoarse = time.microsecond % 1000 == 0
            bytes.appendDigits(
                of: isCoarse ? time.microsecond / 1000 : time.microsecond,
                count: isCoarse ? 3 : 6
            )
        }
        bytes.appendZone(offset, isZuluAllowed: true, hasColon: true, hasMinutes: true)
    }

    private static func writeRFC1123(_ time: CivilTime, into bytes: inout [UInt8]) {
        bytes.appendName(CalendarNames.weekdays[time.weekday], count: 3)
        bytes += [ASCII.comma, ASCII.space]
        bytes.appendDigits(of: time.day, count: 2)
        bytes.append(ASCII.space)
        bytes.appendName(CalendarNames.months[time.month - 1], count: 3)
        bytes.append(ASCII.space)
        bytes.appendDigits(of: time.year, count: 4)
        bytes.append(ASCII.space)
        bytes.appendTime(time)
        bytes += " GMT".utf8
    }
}

extension DateFormat.Unit {
    /// Returns the text of a timestamp, with a fraction only if it is not zero.
    func text(_ moment: Int64) -> String {
        let divisor = DecimalNumber.power(rawValue)
        let (whole, fraction) = moment.magnitude.quotientAndRemainder(dividingBy: divisor)
        var bytes: [UInt8] = moment < 0 ? [ASCII.minus] : []
        bytes += String(whole).utf8
        if fraction != 0 {
            bytes.append(ASCII.point)
            bytes.appendDigits(of: Int(fraction), count: rawValue)
            while bytes.last == ASCII.zero { bytes.removeLast() }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a number, padded with zeros to at least `count` digits.
    mutating func appendDigits(of number: Int, count: Int) {
        let digits = String(number.magnitude).utf8
        if number < 0 { append(ASCII.minus) }
        append(contentsOf: repeatElement(ASCII.zero, count: Swift.max(0, count - digits.count)))
        append(contentsOf: digits)
    }

    /// Appends the first `count` letters of a name, or all of them if it is shorter.
    mutating func appendName(_ name: StaticString, count: Int) {
        append(
            contentsOf: UnsafeBufferPointer(
                start: name.utf8Start,
                count: Swift.min(count, name.utf8CodeUnitCount)
            )
        )
    }

    /// Appends the year, the month and the day, with hyphens.
    mutating func appendDate(_ time: CivilTime) {
        appendDigits(of: time.year, count: 4)
        append(ASCII.minus)
        appendDigits(of: time.month, count: 2)
        append(ASCII.minus)
        appendDigits(of: time.day, count: 2)
    }

    /// Appends hours, minutes and seconds.
    mutating func appendTime(_ time: CivilTime) {
        appendDigits(of: time.hour, count: 2)
        append(ASCII.colon)
        appendDigits(of: time.minute, count: 2)
        append(ASCII.colon)
        appendDigits(of: time.second, count: 2)
    }

    /// Appends a time zone, given in seconds east of UTC.
    mutating func appendZone(
        _ offset: Int,
        isZuluAllowed: Bool,
        hasColon: Bool,
        hasMinutes: Bool
    ) {
        if isZuluAllowed, offset == 0 {
            append(0x5A)  // Z
            return
        }
        let minutes = abs(offset) / 60
        append(offset < 0 ? ASCII.minus : ASCII.plus)
        appendDigits(of: minutes / 60, count: 2)
        guard hasMinutes || minutes % 60 != 0 else { return }
        if hasColon { append(ASCII.colon) }
        appendDigits(of: minutes % 60, count: 2)
    }
}
