extension DatePattern {
    /// Whether the pattern contains a time zone.
    var hasZone: Bool {
        fields.contains { field in
            switch field {
            case .symbol(.zone, _, _), .symbol(.zoneOrZulu, _, _), .symbol(.numericZone, _, _): true
            case .symbol, .literal: false
            }
        }
    }

    /// Writes a date and time.
    ///
    /// The offset is the time zone, in seconds east of UTC.
    func write(_ time: CivilTime, _ offset: Int, into bytes: inout [UInt8]) {
        for field in fields {
            switch field {
            case .literal(let text): bytes += text
            case .symbol(let symbol, let count, _):
                Self.write(symbol, count, time, offset, into: &bytes)
            }
        }
    }

    private static func write(
        _ symbol: Symbol,
        _ count: Int,
        _ time: CivilTime,
        _ offset: Int,
        into bytes: inout [UInt8]
    ) {
        switch symbol {
        case .year: bytes.appendDigits(count == 2 ? time.year % 100 : time.year, count)
        case .month, .standaloneMonth:
            if count < 3 {
                bytes.appendDigits(time.month, count)
            } else {
                bytes.appendName(CalendarNames.name(ofMonth: time.month), count == 3 ? 3 : .max)
            }
        case .weekday:
            bytes.appendName(CalendarNames.name(ofWeekday: time.weekday), count < 4 ? 3 : .max)
        case .day: bytes.appendDigits(time.day, count)
        case .hour: bytes.appendDigits(time.hour, count)
        case .hourOfHalf: bytes.appendDigits((time.hour + 11) % 12 + 1, count)
        case .half: bytes += (time.hour < 12 ? "AM" : "PM").utf8
        case .minute: bytes.appendDigits(time.minute, count)
        case .second: bytes.appendDigits(time.second, count)
        case .fraction:
            var digits: [UInt8] = []
            digits.appendDigits(time.microsecond * 1000, 9)
            bytes += digits.prefix(count)
        case .zone, .zoneOrZulu, .numericZone: writeZone(symbol, count, offset, into: &bytes)
        }
    }

    private static func writeZone(
        _ symbol: Symbol,
        _ count: Int,
        _ offset: Int,
        into bytes: inout [UInt8]
    ) {
        if symbol == .zone {
            // UTS #35: `Z` to `ZZZ` is `+0100`, `ZZZZ` is `GMT+01:00`, `ZZZZZ` is `+01:00` or `Z`.
            if count == 4 { bytes += "GMT".utf8 }
            if count == 4, offset == 0 { return }
            bytes.appendZone(
                offset,
                isZuluAllowed: count == 5,
                hasColon: count > 3,
                hasMinutes: true
            )
        } else {
            bytes.appendZone(
                offset,
                isZuluAllowed: symbol == .zoneOrZulu,
                hasColon: count == 3,
                hasMinutes: count > 1
            )
        }
    }
}
