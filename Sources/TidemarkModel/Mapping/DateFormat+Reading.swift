import TidemarkJSON

extension DateFormat {
    /// Reads a date in any supported format.
    ///
    /// The format is recognized by the first characters.
    static func automatic(_ text: UnsafeRawBufferPointer, unit: Unit? = nil) -> Int64? {
        guard let first = text.first else { return nil }
        if ASCII.isDigit(first) {
            if text.count > 4, text[4] == ASCII.minus { return common(text) ?? iso8601(text) }
            if text.count > 8, text[8] | 0x20 == 0x74 { return iso8601(text) }  // T, t
            if text.prefix(3).contains(ASCII.space) { return rfc1123(text) }
            return unit == nil ? number(text) : unix(text, unit: unit)
        }
        if first == ASCII.slash { return wrapped(text) }
        return ASCII.isLetter(first) ? rfc1123(text) : unix(text, unit: unit)
    }

    /// Reads the most common format, `2016-01-09T12:40:08Z` with or without milliseconds.
    ///
    /// This is a fast path: it returns nil for all other text, even if it is a date.
    @inline(__always)
    private static func common(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 20 || text.count == 24, text[4] == ASCII.minus,
            text[7] == ASCII.minus, text[10] == 0x54, text[13] == ASCII.colon,
            text[16] == ASCII.colon, text[text.count - 1] == 0x5A,
            text.count == 20 || text[19] == ASCII.point
        else { return nil }
        var isNumeric = true
        func digit(_ offset: Int) -> Int {
            let digit = text[offset] &- ASCII.zero
            isNumeric = isNumeric && digit < 10
            return Int(digit)
        }
        func pair(_ offset: Int) -> Int { digit(offset) &* 10 &+ digit(offset + 1) }
        var time = CivilTime()
        time.year = pair(0) &* 100 &+ pair(2)
        (time.month, time.day) = (pair(5), pair(8))
        (time.hour, time.minute, time.second) = (pair(11), pair(14), pair(17))
        if text.count == 24 {
            time.microsecond = (pair(20) &* 10 &+ digit(22)) &* 1_000
        }
        return isNumeric ? time.microseconds() : nil
    }

    /// Reads ISO 8601, either extended (`2016-01-09T12:40:08Z`) or basic with a time
    /// (`20160109T124008Z`).
    static func iso8601(_ text: UnsafeRawBufferPointer) -> Int64? {
        var reader = DateReader(text)
        var time = CivilTime()
        guard let year = reader.number(4) else { return nil }
        let isExtended = reader.skip(ASCII.minus)
        guard let month = reader.number(2), !isExtended || reader.skip(ASCII.minus),
            let day = reader.number(2)
        else { return nil }
        time.year = year
        time.month = month
        time.day = day
        if reader.isAtEnd { return isExtended ? time.microseconds() : nil }
        let separator = reader.byte
        guard separator | 0x20 == 0x74 || separator == ASCII.space && isExtended else { return nil }
        reader.offset += 1
        guard reader.readTime(into: &time, isExtended: isExtended) else { return nil }
        if reader.isAtEnd { return time.microseconds() }
        let zone = reader.skip(ASCII.space) ? reader.namedZone() : reader.zone()
        guard let zone, reader.isAtEnd else { return nil }
        return time.microseconds(offset: zone)
    }

    /// Reads a date of RFC 1123, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// As RFC 5322 allows, the weekday and the seconds may be missing, the day may have one digit,
    /// and other time zones are accepted. The weekday is not compared with the date.
    static func rfc1123(_ text: UnsafeRawBufferPointer) -> Int64? {
        var reader = DateReader(text)
        var time = CivilTime()
        let weekday = reader.word()
        if !weekday.isEmpty {
            guard CalendarNames.weekday(weekday) != nil, reader.skip(", ") else { return nil }
        }
        guard let day = reader.number(upTo: 2), reader.skip(ASCII.space) else { return nil }
        let monthName = reader.word()
        guard monthName.count == 3, let month = CalendarNames.month(monthName),
            reader.skip(ASCII.space), let year = reader.number(4), reader.skip(ASCII.space),
            let hour = reader.number(2), reader.skip(ASCII.colon), let minute = reader.number(2)
        else { return nil }
        (time.year, time.month, time.day) = (year, month, day)
        (time.hour, time.minute) = (hour, minute)
        if reader.skip(ASCII.colon) {
            guard let second = reader.number(2) else { return nil }
            time.second = second
        }
        guard reader.skip(ASCII.space), let zone = reader.namedZone(), reader.isAtEnd else {
            return nil
        }
        return time.microseconds(offset: zone)
    }

    /// Reads a number without a unit: a calendar date if its integer part has 4 to 8 or 14 digits,
    /// otherwise a Unix timestamp.
    private static func number(_ text: UnsafeRawBufferPointer) -> Int64? {
        let digits = UnsafeRawBufferPointer(rebasing: text.prefix(while: ASCII.isDigit))
        guard digits.count < text.count else {
            return isCalendarDate(digits.count)
                ? calendarDate(digits, fraction: nil) : unix(text, unit: nil)
        }
        var reader = DateReader(text)
        reader.offset = digits.count
        if reader.skip(ASCII.point), let fraction = reader.fraction() {
            // Nine digits suffice for rounding to microseconds; the others are skipped.
            while ASCII.isDigit(reader.byte) { reader.offset += 1 }
            if reader.isAtEnd, isCalendarDate(digits.count) {
                return calendarDate(digits, fraction: fraction)
            }
        }
        guard let number = DecimalNumber(text), !number.isGrouped else { return nil }
        // A number with an exponent, such as `2.0160109e7`, has no digits to read as a date.
        return isCalendarDate(number.count + number.exponent) ? nil : unix(number, unit: nil)
    }

    /// Returns whether an integer with that many digits must be a calendar date.
    private static func isCalendarDate(_ digits: Int) -> Bool {
        (4...8).contains(digits) || digits == 14
    }

    /// Reads the basic forms of ISO 8601 `2016` and `20160109`, and `20160109124008` without the
    /// `T`.
    ///
    /// Numbers with 5, 6 or 7 digits have no unambiguous form and are rejected.
    ///
    /// Read as Unix timestamps they would be days in 1970 or years after 2286, which no service
    /// means.
    private static func calendarDate(
        _ text: UnsafeRawBufferPointer,
        fraction: Int?
    ) -> Int64? {
        var reader = DateReader(text)
        var time = CivilTime()
        guard let year = reader.number(4), year > 0 else { return nil }
        time.year = year
        if text.count > 4 {
            guard let month = reader.number(2), let day = reader.number(2) else { return nil }
            (time.month, time.day) = (month, day)
        }
        if text.count == 14 {
            guard reader.readTime(into: &time, isExtended: false) else { return nil }
            time.microsecond = fraction ?? 0
        } else if let fraction, fraction > 0 {
            return nil
        }
        return reader.isAtEnd ? time.microseconds() : nil
    }

    /// Reads a Unix timestamp.
    ///
    /// Without a unit, the number of digits determines it.
    static func unix(_ text: UnsafeRawBufferPointer, unit: Unit?) -> Int64? {
        guard let number = DecimalNumber(text), !number.isGrouped else { return nil }
        return unix(number, unit: unit)
    }

    private static func unix(_ number: DecimalNumber, unit: Unit?) -> Int64? {
        let unit = unit ?? Unit(digits: number.count + number.exponent)
        guard let moment = number.scaled(by: unit.rawValue),
            CivilTime.range.contains(moment)
        else { return nil }
        return moment
    }

    /// Reads `/Date(1198908717056)/`.
    ///
    /// A time zone after the number only specifies how the sender displays it.
    private static func wrapped(_ text: UnsafeRawBufferPointer) -> Int64? {
        var reader = DateReader(text)
        guard reader.skip("/Date(") else { return nil }
        let start = reader.offset
        _ = reader.skip(ASCII.minus)
        while ASCII.isDigit(reader.byte) { reader.offset += 1 }
        let number = UnsafeRawBufferPointer(rebasing: text[start..<reader.offset])
        if reader.byte != ASCII.closeParenthesis, reader.numericZone() == nil { return nil }
        guard reader.skip(")/"), reader.isAtEnd else { return nil }
        return unix(number, unit: .milliseconds)
    }
}

extension DateFormat.Unit {
    /// Guesses the unit of a timestamp by the number of digits before its point.
    init(digits: Int) {
        self = digits <= 11 ? .seconds : digits <= 14 ? .milliseconds : .microseconds
    }
}

extension DateReader {
    /// Reads hours and minutes, and optionally seconds and their fraction.
    fileprivate mutating func readTime(into time: inout CivilTime, isExtended: Bool) -> Bool {
        guard let hour = number(2), !isExtended || skip(ASCII.colon), let minute = number(2) else {
            return false
        }
        time.hour = hour
        time.minute = minute
        guard isExtended ? skip(ASCII.colon) : ASCII.isDigit(byte) else { return true }
        guard let second = number(2) else { return false }
        time.second = second
        guard skip(ASCII.point) || skip(ASCII.comma) else { return true }
        guard let fraction = fraction() else { return false }
        time.microsecond = fraction
        return true
    }
}
