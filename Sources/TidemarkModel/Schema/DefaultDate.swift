import TidemarkJSON

/// The format of dates that are default values in a model: ISO 8601.
enum DefaultDate {
    /// Parses a date such as `2016-05-17` or `2016-05-17T10:20:30.5+02:00` into seconds since 1970.
    ///
    /// A date without a zone is in UTC. Returns nil if the text is not such a date.
    static func seconds(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = DateReader(UnsafeRawBufferPointer(bytes))
            guard var time = date(&reader) else { return nil }
            var zone = 0
            if !reader.isAtEnd {
                guard reader.skip("T") || reader.skip(ASCII.space), read(&reader, into: &time)
                else {
                    return nil
                }
                if !reader.isAtEnd {
                    guard let offset = reader.skip("Z") ? 0 : reader.numericZone() else {
                        return nil
                    }
                    zone = offset
                }
            }
            guard reader.isAtEnd else { return nil }
            return time.microseconds(offset: zone).map(DateFormat.seconds(fromMicroseconds:))
        }
    }

    /// Returns the text of a date in UTC, or nil if no text represents it exactly.
    static func text(_ seconds: Double) -> String? {
        guard abs(seconds) < 10_000_000_000,
            let moment = DateFormat.microseconds(fromSeconds: seconds),
            DateFormat.seconds(fromMicroseconds: moment) == seconds
        else { return nil }
        let time = CivilTime(microseconds: moment)
        var bytes: [UInt8] = []
        bytes.appendDate(time)
        bytes += "T".utf8
        bytes.appendTime(time)
        if time.microsecond != 0 {
            bytes.append(ASCII.point)
            bytes.appendDigits(of: time.microsecond, count: 6)
        }
        return String(decoding: bytes + "Z".utf8, as: UTF8.self)
    }

    private static func date(_ reader: inout DateReader) -> CivilTime? {
        guard let year = reader.number(4), reader.skip(ASCII.minus), let month = reader.number(2),
            reader.skip(ASCII.minus), let day = reader.number(2)
        else { return nil }
        var time = CivilTime()
        (time.year, time.month, time.day) = (year, month, day)
        return time
    }

    /// Reads hours and minutes, and optionally seconds and their fraction.
    ///
    /// Digits beyond microseconds are dropped.
    private static func read(_ reader: inout DateReader, into time: inout CivilTime) -> Bool {
        guard let hour = reader.number(2), reader.skip(ASCII.colon), let minute = reader.number(2)
        else { return false }
        (time.hour, time.minute) = (hour, minute)
        if reader.skip(ASCII.colon) {
            guard let second = reader.number(2), second < 60 else { return false }
            time.second = second
        }
        guard reader.skip(ASCII.point) else { return true }
        let start = reader.offset
        guard let digits = reader.number(upTo: 6) else { return false }
        time.microsecond = digits * Int(DecimalNumber.power(6 - (reader.offset - start)))
        while ASCII.isDigit(reader.byte) { reader.offset += 1 }
        return true
    }
}
