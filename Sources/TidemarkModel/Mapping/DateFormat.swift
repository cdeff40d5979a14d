/// How a service writes its dates.
///
/// A moment is a number of microseconds since 1970-01-01T00:00:00Z; all arithmetic is its own, in
/// the Gregorian calendar, and knows neither the device's time zone nor its language.
///
/// ```swift
/// DateFormat.automatic.microseconds(from: "2016-01-09T12:40:08.123+02:00")
/// try DateFormat("dd.MM.yyyy HH:mm").string(from: 0)   // "01.01.1970 00:00"
/// ```
public struct DateFormat: Hashable, Sendable {
    let form: Form

    enum Form: Hashable {
        case automatic(Fraction)
        case rfc1123
        case unix(Unit)
        case pattern(DatePattern)
    }

    /// What a Unix number counts: its `rawValue` is the power of ten that makes microseconds of it.
    enum Unit: Int {
        case seconds = 6
        case milliseconds = 3
        case microseconds = 0
    }

    /// Whether a written time has a fraction of its second.
    public enum Fraction: Hashable, Sendable {
        /// Never; it is cut off.
        case never
        /// Only where it is not zero: three digits, or six where there are microseconds.
        case whenNeeded
        /// Always: three digits, or six where there are microseconds.
        case always
    }

    /// Reads every form Tidemark knows; writes ISO 8601 in UTC, with a fraction only where there is
    /// any.
    ///
    /// The forms are ISO 8601 as RFC 3339 and most services use it (date only; `T`, `t` or a
    /// space; up to nine digits of a fraction; `Z`, `±hh:mm`, `±hhmm`, `±hh`; no zone is UTC), RFC
    /// 1123, Unix numbers (below 10¹¹ seconds, below 10¹³ milliseconds, else microseconds),
    /// `/Date(ms)/`.
    ///
    /// Digits alone are a calendar date where ISO 8601 has a form of that length, in texts and
    /// numbers: `2016`, `20160109`, `20160109124008`, also with a fraction of zero, or of the
    /// second. Other numbers whose whole part has 4 to 8 or 14 digits are rejected, with an
    /// exponent too; a service that sends such numbers for seconds or milliseconds needs the format
    /// `seconds` or `milliseconds`. Numbers below zero are Unix times.
    public static let automatic = DateFormat(form: .automatic(.whenNeeded))

    /// Reads as ``automatic`` does; writes ISO 8601 with the given fraction.
    public static func iso8601(_ fraction: Fraction) -> DateFormat {
        DateFormat(form: .automatic(fraction))
    }

    /// The form of dates in HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static let rfc1123 = DateFormat(form: .rfc1123)

    /// Creates a format from what a model says: `seconds`, `milliseconds`, `microseconds`, or a
    /// Unicode date pattern such as `yyyy-MM-dd'T'HH:mm:ssXXX`.
    ///
    /// The three units replace the guess about numbers; texts are read as ``automatic`` does. A
    /// pattern knows `y M L d E H h a m s S Z X x` and quoted text, English names, and reads
    /// nothing but itself.
    ///
    /// - Throws: ``ModelError`` for a field it does not know.
    public init(_ text: String) throws(ModelError) {
        switch text {
        case "seconds": form = .unix(.seconds)
        case "milliseconds": form = .unix(.milliseconds)
        case "microseconds": form = .unix(.microseconds)
        default: form = .pattern(try DatePattern(text))
        }
    }

    private init(form: Form) {
        self.form = form
    }

    /// The moment a text means; nil when it is no date in this form.
    public func microseconds(from text: String) -> Int64? {
        var text = text
        return text.withUTF8 { microseconds(from: UnsafeRawBufferPointer($0)) }
    }

    /// The moment a text in UTF-8 means; nil when it is no date in this form.
    public func microseconds(from text: UnsafeRawBufferPointer) -> Int64? {
        switch form {
        case .automatic: Self.automatic(text, nil)
        case .unix(let unit): Self.automatic(text, unit)
        case .rfc1123: Self.rfc1123(text)
        case .pattern(let pattern): pattern.microseconds(from: text)
        }
    }

    /// The seconds since 1970 that a store keeps for a moment, rounded once.
    public static func seconds(fromMicroseconds moment: Int64) -> Double {
        Double(moment) / 1_000_000
    }

    /// The moment that a number of seconds since 1970 means; nil beyond the years 0 to 9999.
    ///
    /// It undoes ``seconds(fromMicroseconds:)`` exactly between 1700 and 2241. The last moments of
    /// the year 9999, which were rounded to the first one behind it, are its very last one.
    public static func microseconds(fromSeconds seconds: Double) -> Int64? {
        // The product as a whole would be rounded to a half first, and then again.
        let whole = seconds.rounded(.down)
        guard abs(whole) < 1e12 else { return nil }
        let fraction = ((seconds - whole) * 1_000_000).rounded()
        let moment = Int64(whole) * 1_000_000 + Int64(fraction)
        if CivilTime.range.contains(moment) { return moment }
        let last = CivilTime.range.upperBound
        return seconds == Self.seconds(fromMicroseconds: last) ? last : nil
    }
}
