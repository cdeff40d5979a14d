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
    func write(_ time: CivilTime, offset: Int, into bytes: inout [UInt8]) {
        for field in fields {
            switch field {
            case .literal(let text): bytes += text
            case .symbol(let symbol, let count, _):
                Self.write(symbol, count: count, of: time, offset: offset, into: &bytes)
            }
        }
    }

    private static func write(
        _ symbol: Symbol,
        count: Int,
        of time: CivilTime,
        offset: Int,
        into bytes: inout [UInt8]
    ) {
        switch symbol {
        case .year: bytes.appendDigits(of: count == 2 ? time.year % 100 : time.year, count: count)
        case .month, .standaloneMonth:
            if count < 3 {
                bytes.appendDigits(of: time.month, count: count)
            } else {
                bytes.appendName(
                    CalendarNames.months[time.month - 1],
                    count: count == 3 ? 3 : .max
                )
            }
        case .weekday:
            bytes.appendName(
                CalendarNames.weekdays[time.weekday],
                count: count < 4 ? 3 : .max
            )
        case .day: bytes.appendDigits(of: time.day, count: count)
        case .hour: bytes.appendDigits(of: time.hour, count: count)
        case .hourOfHalf: bytes.appendDigits(of: (time.hour + 11) % 12 + 1, count: count)
        case .half: bytes += (time.hour < 12 ? "AM" : "PM").utf8
        case .minute: bytes.appendDigits(of: time.minute, count: count)
        case .second: bytes.appendDigits(of: time.second, count: count)
        case .fraction:
            var digits: [UInt8] = []
            digits.appendDigits(of: time.microsecond * 1000, count: 9)
            bytes += digits.prefix(count)
        case .zone, .zoneOrZulu, .numericZone:
            writeZone(offset, symbol: symbol, count: count, into: &bytes)
        }
    }

    private static func writeZone(
        _ offset: Int,
        symbol: Symbol,
        count: Int,
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
