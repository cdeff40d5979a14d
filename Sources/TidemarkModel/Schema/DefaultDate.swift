/// The format of dates that are default values in a model: ISO 8601.
enum DefaultDate {
    /// Parses a date such as `2016-05-17` or `2016-05-17T10:20:30.5+02:00` into seconds since 1970.
    ///
    /// A date without a zone is in UTC. Returns nil if the text is not such a date.
    static func seconds(_ text: String) -> Double? {
        var rest = Substring(text)
        guard let day = day(&rest) else { return nil }
        guard !rest.isEmpty else { return Double(day * 86_400) }
        guard let mark = rest.popFirst(), mark == "T" || mark == " ",
            let time = time(&rest), let micros = fraction(&rest), let zone = zone(&rest),
            rest.isEmpty
        else { return nil }
        let whole = day * 86_400 + time - zone
        return Double(whole * 1_000_000 + micros) / 1_000_000
    }

    /// Returns the text of a date in UTC, or nil if no text represents it exactly.
    static func text(_ seconds: Double) -> String? {
        let micros = (seconds * 1_000_000).rounded()
        guard abs(seconds) < 10_000_000_000, micros / 1_000_000 == seconds else { return nil }
        let (whole, fraction) = floorDivide(Int(micros), 1_000_000)
        let (days, time) = floorDivide(whole, 86_400)
        let (year, month, day) = civil(days)
        guard (0...9_999).contains(year) else { return nil }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let clock = [time / 3_600, time / 60 % 60, time % 60].map { padded($0, 2) }
        let digits = fraction == 0 ? "" : ".\(padded(fraction, 6))"
        return "\(date)T\(clock.joined(separator: ":"))\(digits)Z"
    }

    private static func day(_ rest: inout Substring) -> Int? {
        guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest),
            take("-", &rest), let day = number(2, &rest), (1...12).contains(month)
        else { return nil }
        let days = days(year, month, day)
        return civil(days) == (year, month, day) ? days : nil
    }

    private static func time(_ rest: inout Substring) -> Int? {
        guard let hour = number(2, &rest), take(":", &rest), let minute = number(2, &rest),
            hour < 24, minute < 60
        else { return nil }
        guard take(":", &rest) else { return hour * 3_600 + minute * 60 }
        guard let second = number(2, &rest), second < 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// Parses a fraction of a second into microseconds.
    ///
    /// Digits beyond microseconds are dropped.
    private static func fraction(_ rest: inout Substring) -> Int? {
        guard take(".", &rest) else { return 0 }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return Int((digits + "000000").prefix(6))
    }

    private static func zone(_ rest: inout Substring) -> Int? {
        if rest.isEmpty || take("Z", &rest) { return 0 }
        let sign = take("-", &rest) ? -1 : 1
        guard sign == -1 || take("+", &rest), let hours = number(2, &rest) else { return nil }
        let hasColon = take(":", &rest)
        guard let minutes = rest.isEmpty && !hasColon ? 0 : number(2, &rest) else { return nil }
        guard hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func number(_ count: Int, _ rest: inout Substring) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.utf8.allSatisfy(NamingWords.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return Int(digits)
    }

    private static func take(_ mark: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == mark else { return false }
        rest.removeFirst()
        return true
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(
        _ number: Int,
        _ divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }

    /// Returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // A year starts in March here, so that a leap day is its last day.
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// Returns the date of the proleptic Gregorian calendar that is a number of days after
    /// 1970-01-01.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
        let leaps = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leaps) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }
}
