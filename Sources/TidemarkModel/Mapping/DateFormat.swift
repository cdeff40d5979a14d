/// The format in which a service sends dates.
///
/// An attribute names its format (``Attribute/JSONRepresentation/dateFormat``); a format for all
/// dates can be given to an export. Dates are converted in the Gregorian calendar. Neither the
/// device's time zone nor its language has any influence.
///
/// ```swift
/// let options = ExportOptions(dateFormat: try DateFormat("dd.MM.yyyy HH:mm"))
/// var json = JSONWriter()
/// try store.read { reader in
///     try Exporter(store, options: options)
///         .write(reader.db, RecordLocator("Film:4"), into: &json)   // "…":"25.05.1977 00:00"
/// }
/// ```
public struct DateFormat: Hashable, Sendable {
    let form: Form

    enum Form: Hashable {
        case automatic(Fraction)
        case rfc1123
        case unix(Unit)
        case pattern(DatePattern)
    }

    /// The unit of a Unix timestamp.
    ///
    /// Its `rawValue` is the power of ten that converts it to microseconds.
    package enum Unit: Int, CaseIterable, Sendable {
        case seconds = 6
        case milliseconds = 3
        case microseconds = 0
    }

    /// When to write fractions of a second.
    package enum Fraction: Hashable, Sendable {
        /// Never. A fraction is truncated.
        case never
        /// Only if it is not zero: three digits, or six if there are microseconds.
        case whenNeeded
        /// Always: three digits, or six if there are microseconds.
        case always
    }

    /// The default format, which reads every format that Tidemark supports.
    ///
    /// It writes ISO 8601 in UTC, with a fraction only if it is not zero. The formats that it reads
    /// are:
    ///
    /// - ISO 8601 as in RFC 3339 and its common variants: a date only; `T`, `t` or a space before
    ///   the time; up to nine digits of a fraction; `Z`, `±hh:mm`, `±hhmm` or `±hh`. Without a time
    ///   zone it is UTC.
    /// - RFC 1123, the format of dates in HTTP header fields.
    /// - Unix timestamps: below 10¹¹ in seconds, below 10¹⁴ in milliseconds, otherwise in
    ///   microseconds.
    /// - `/Date(ms)/`.
    ///
    /// Strings and numbers that consist of digits are calendar dates if ISO 8601 has a format of
    /// that length: `2016`, `20160109`, and `20160109124008` without the `T`. A fraction must be
    /// zero, except after 14 digits, where it is that of the second. Other numbers whose integer
    /// part has 4 to 8 or 14 digits are rejected, including those with an exponent. A service that
    /// sends timestamps of that length needs the format `seconds` or `milliseconds`. Negative
    /// numbers are always timestamps.
    public static let automatic = DateFormat(form: .automatic(.whenNeeded))

    /// Returns a format that reads like ``automatic`` and writes ISO 8601 with the given fraction.
    package static func iso8601(_ fraction: Fraction) -> DateFormat {
        DateFormat(form: .automatic(fraction))
    }

    /// The format of dates in HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static let rfc1123 = DateFormat(form: .rfc1123)

    /// Creates a format from the text in a model: `seconds`, `milliseconds`, `microseconds`, or a
    /// Unicode date pattern (UTS #35) such as `yyyy-MM-dd'T'HH:mm:ssXXX`.
    ///
    /// The three units determine how numbers are read; other text is read like ``automatic``. A
    /// pattern can contain the fields `y M L d E H h a m s S Z X x` and quoted text. It uses
    /// English names and reads only text that matches it.
    ///
    /// ```swift
    /// let german = try DateFormat("dd.MM.yyyy")
    /// let milliseconds = try DateFormat("milliseconds")
    /// do {
    ///     _ = try DateFormat("yyyy-QQ")
    /// } catch {
    ///     print(error.message)   // The date format `yyyy-QQ` has the field `QQ`, which is not …
    /// }
    /// ```
    ///
    /// - Parameter text: The name of a unit, or a pattern.
    /// - Throws: ``ModelError`` if the pattern has an unsupported field, no field at all, or an
    ///   unbalanced apostrophe.
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

    /// Returns the timestamp for a string, in microseconds since 1970; nil if it is not a date in
    /// this format.
    package func microseconds(from text: String) -> Int64? {
        var text = text
        return text.withUTF8 { microseconds(from: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the timestamp for a string in UTF-8, in microseconds since 1970; nil if it is not a
    /// date in this format.
    package func microseconds(from text: UnsafeRawBufferPointer) -> Int64? {
        switch form {
        case .automatic: Self.automatic(text)
        case .unix(let unit): Self.automatic(text, unit: unit)
        case .rfc1123: Self.rfc1123(text)
        case .pattern(let pattern): pattern.microseconds(from: text)
        }
    }

    /// Returns the number of seconds since 1970 that a store contains for a timestamp in
    /// microseconds.
    package static func seconds(fromMicroseconds moment: Int64) -> Double {
        Double(moment) / 1_000_000
    }

    /// Returns the timestamp in microseconds for a number of seconds since 1970; nil if it is
    /// outside of the years 0 to 9999.
    ///
    /// This is the exact inverse of ``seconds(fromMicroseconds:)`` between the years 1700 and 2241.
    /// The last timestamps of the year 9999 are rounded up by that function; they become the last
    /// microsecond of that year.
    package static func microseconds(fromSeconds seconds: Double) -> Int64? {
        // Multiplying the whole value would round twice: first the product, then the result.
        let whole = seconds.rounded(.down)
        guard abs(whole) < 1e12 else { return nil }
        let fraction = ((seconds - whole) * 1_000_000).rounded()
        let moment = Int64(whole) * 1_000_000 + Int64(fraction)
        if CivilTime.range.contains(moment) { return moment }
        let last = CivilTime.range.upperBound
        return seconds == Self.seconds(fromMicroseconds: last) ? last : nil
    }
}
