import TidemarkModel

/// Date formats: every date that is parsed can be formatted, and the formatted date parses to the
/// same date.
enum DateTexts {
    /// Checks an input.
    ///
    /// The first byte selects the format. A pattern ends at the first line feed.
    static func check(_ bytes: [UInt8]) throws {
        var bytes = FuzzBytes(bytes)
        switch bytes.number(below: 9) {
        case 0: try checkExact(.automatic, &bytes)
        case 1: try checkExact(.iso8601(.always), &bytes)
        case 2: try checkExact(DateFormat("seconds"), &bytes)
        case 3: try checkExact(DateFormat("milliseconds"), &bytes)
        case 4: try checkExact(DateFormat("microseconds"), &bytes)
        case 5: try checkStable(.rfc1123, &bytes)
        case 6: checkMoment(&bytes)
        case 7: try checkPattern(&bytes)
        default: try checkGeneratedPattern(&bytes)
        }
    }

    /// Checks that an arbitrary pattern does not crash.
    ///
    /// A pattern may omit fields or write digits without separators, so no result is required.
    private static func checkPattern(_ bytes: inout FuzzBytes) throws {
        let format: DateFormat
        do {
            format = try DateFormat(String(decoding: bytes.line(), as: UTF8.self))
        } catch {
            return
        }
        guard let moment = read(bytes.remainder(), format) else { return }
        _ = format.microseconds(from: format.string(from: moment))
    }

    /// Checks that a pattern with all fields, in any order, parses what it formats.
    private static func checkGeneratedPattern(_ bytes: inout FuzzBytes) throws {
        let years = CalendarRange.written
        let moment =
            years.lowerBound
            + Int64(bytes.integer().magnitude % (years.upperBound - years.lowerBound).magnitude)
        var fields = [
            ["yyyy", "y"], ["M", "MM", "MMM", "MMMM", "L", "LLLL"], ["d", "dd"], ["m", "mm"],
            ["s", "ss"], ["SSSSSS", "SSSSSSSSS"], ["EEE", "EEEE"], ["X", "XXX", "Z", "ZZZZ", "xx"],
        ]
        fields += bytes.byte() < 128 ? [["H", "HH"]] : [["h", "hh"], ["a"]]
        var pattern = ""
        while !fields.isEmpty {
            pattern += bytes.pick(fields.remove(at: bytes.number(below: fields.count)))
            pattern += bytes.pick([" ", "/", ", ", ":", "'.'", "''", "é"])
        }
        let format = try DateFormat(pattern)
        let text = format.string(from: moment)
        try Violation.unlessEqual(format.microseconds(from: text), moment, "\(text) by \(pattern)")
    }

    /// Checks that a formatted date parses to the same moment, in any time zone.
    private static func checkExact(_ format: DateFormat, _ bytes: inout FuzzBytes) throws {
        let zone = (Int(bytes.byte()) - 128) * 11 * 60
        guard let moment = read(bytes.remainder(), format) else { return }
        let isInDay = abs(zone) < 86_400
        for offset in isInDay ? [0, zone] : [0] {
            let text = format.string(from: moment, offset: offset)
            let again = format.microseconds(from: text)
            // A local date outside the years 0 to 9999 cannot be formatted exactly.
            guard offset == 0 || CalendarRange.holds(moment, offset: offset) else { continue }
            try Violation.unlessEqual(again, moment, "\(text) read again")
        }
        // Within these years, the number of seconds in the store is exact to the microsecond.
        guard CalendarRange.exact.contains(moment) else { return }
        let stored = DateFormat.seconds(fromMicroseconds: moment)
        let back = DateFormat.microseconds(fromSeconds: stored)
        try Violation.unlessEqual(back, moment, "the stored date")
    }

    /// Checks that a format that omits fields is stable after one round trip.
    private static func checkStable(_ format: DateFormat, _ bytes: inout FuzzBytes) throws {
        guard let moment = read(bytes.remainder(), format) else { return }
        guard let once = format.microseconds(from: format.string(from: moment)) else { return }
        let twice = format.microseconds(from: format.string(from: once))
        try Violation.unlessEqual(twice, once, "\(format.string(from: moment)) written twice")
    }

    /// Checks that any moment can be formatted, and any number of seconds converted, without a
    /// crash.
    private static func checkMoment(_ bytes: inout FuzzBytes) {
        let moment = bytes.integer()
        let offset = Int(Int32(truncatingIfNeeded: bytes.integer()))
        _ = DateFormat.microseconds(fromSeconds: Double(bitPattern: UInt64(bitPattern: moment)))
        for format in [DateFormat.automatic, .iso8601(.always), .rfc1123] {
            _ = format.string(from: moment, offset: offset)
        }
    }

    private static func read(_ text: [UInt8], _ format: DateFormat) -> Int64? {
        text.withUnsafeBytes { format.microseconds(from: $0) }
    }
}

/// Ranges of dates in microseconds since 1970.
private enum CalendarRange {
    /// The years 1700 to 2241.
    static let exact: ClosedRange<Int64> = -8_520_336_000_000_000...8_583_839_999_999_999

    /// The years 0 to 9999.
    static let written: ClosedRange<Int64> =
        -62_167_219_200_000_000...253_402_300_799_999_999

    /// Returns whether a moment is in the years 0 to 9999 in a time zone.
    ///
    /// The offset from UTC is in seconds.
    static func holds(_ moment: Int64, offset: Int) -> Bool {
        written.contains(moment + Int64(offset) * 1_000_000)
    }
}
