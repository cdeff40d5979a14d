/// A date and a time of day in the proleptic Gregorian calendar.
struct CivilTime: Equatable {
    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var microsecond = 0

    static let secondsInDay: Int64 = 86_400
    static let microsecondsInSecond: Int64 = 1_000_000

    /// The timestamps of the years 0 to 9999, in microseconds since 1970.
    static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

    init() {}

    /// Creates the date and time of a timestamp in a time zone, given in seconds east of UTC.
    init(microseconds: Int64, offset: Int = 0) {
        let local = microseconds &+ Int64(offset) &* Self.microsecondsInSecond
        let (seconds, fraction) = Self.divide(local, by: Self.microsecondsInSecond)
        let (days, rest) = Self.divide(seconds, by: Self.secondsInDay)
        (year, month, day) = Self.date(days)
        hour = Int(rest / 3600)
        minute = Int(rest / 60 % 60)
        second = Int(rest % 60)
        microsecond = Int(fraction)
    }

    /// Returns the timestamp of this date and time in a time zone, given in seconds east of UTC.
    ///
    /// Returns nil if the date or time does not exist, or the timestamp is outside of ``range``.
    ///
    /// As in RFC 3339, the last hour is 23, and second 60 is valid only where a leap second can
    /// occur: in the last minute of a month in UTC. It is treated as the following second, as POSIX
    /// clocks do.
    func microseconds(offset: Int = 0) -> Int64? {
        guard
            (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, in: year), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        let seconds = days &* Self.secondsInDay + Int64(hour * 3600 + minute * 60 + second - offset)
        if second == 60, !Self.isFirstOfMonth(seconds) { return nil }
        let moment = seconds &* Self.microsecondsInSecond + Int64(microsecond)
        return Self.range.contains(moment) ? moment : nil
    }

    /// The day of the week; Sunday is 0.
    var weekday: Int {
        Int(Self.divide(Self.days(year: year, month: month, day: day) + 4, by: 7).remainder)
    }

    private static func isFirstOfMonth(_ seconds: Int64) -> Bool {
        let (days, rest) = divide(seconds, by: secondsInDay)
        return rest == 0 && date(days).2 == 1
    }

    static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days since 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last of its year.
    @inline(__always)
    static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    private static func date(_ days: Int64) -> (Int, Int, Int) {
        let (era, dayOfEra) = divide(days + 719_468, by: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5) + 1
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }

    /// Returns the quotient rounded down, and the remainder, which is never negative.
    @inline(__always)
    static func divide(
        _ value: Int64,
        by divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
