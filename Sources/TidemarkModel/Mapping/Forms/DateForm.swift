import TidemarkJSON

/// The form in which a service writes the dates of one member.
///
/// ```
/// 2026-01-02                       yyyy-MM-dd
/// 2026-01-02T03:04:05.678Z         yyyy-MM-dd'T'HH:mm:ss.SSSXXX
/// 2026-01-02 03:04:05              yyyy-MM-dd HH:mm:ss
/// 1767323045                       seconds
/// ```
package struct DateForm: Hashable, Sendable {
    /// The notation.
    package var style: Style

    /// The number of digits of the fraction of a second.
    ///
    /// A date without a time of day has ``day``, one without seconds ``minute``.
    package var precision: Int

    /// Whether it is a JSON string, and not a number.
    package var isText = true

    /// The precision of a date without a time of day.
    package static let day = -2

    /// The precision of a time without seconds.
    package static let minute = -1

    /// The notation of a date.
    package enum Style: Hashable, Sendable {
        /// ISO 8601.
        case iso(ISO)
        /// RFC 1123, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
        case rfc1123
        /// The time since 1970.
        case unix(DateFormat.Unit)
        /// `/Date(1198908717056)/`.
        case wrapped
    }

    /// What differs between dates of ISO 8601 and its common variants.
    package struct ISO: Hashable, Sendable {
        /// Whether hyphens and colons separate the numbers.
        package var isExtended = true

        /// Whether a space precedes the time, and not a `T`.
        package var hasSpace = false

        /// Whether nothing precedes the time, as in `20160109124008`.
        package var isJoined = false

        /// How the time zone is written.
        package var zone = Zone.zulu

        /// The time zone in minutes east of UTC.
        package var offset = 0
    }

    /// How a time zone is written.
    ///
    /// The raw values are the fields of a Unicode date pattern (UTS #35).
    package enum Zone: String, Hashable, Sendable, CaseIterable {
        /// Not at all: the time is in UTC.
        case none = ""
        /// `Z`, or `+02:00` for another zone.
        case zulu = "XXX"
        /// `+00:00`.
        case colon = "xxx"
        /// `+0000`.
        case basic = "xx"
        /// `+00`.
        case hours = "x"
    }

    /// Whether the dates have no time of day.
    package var isDay: Bool { precision == Self.day }

    /// The shortest time between two dates in this form, in microseconds.
    var granularity: Int64 {
        switch precision {
        case ...Self.day: CivilTime.secondsInDay * CivilTime.microsecondsInSecond
        case Self.minute: 60 * CivilTime.microsecondsInSecond
        default: Int64(DecimalNumber.power(max(0, 6 - precision)))
        }
    }

    /// The form of ISO 8601 in which a date is written that this form cannot express.
    private var finer: ISO {
        guard case .iso(var iso) = style else { return ISO() }
        if isDay { (iso.hasSpace, iso.zone, iso.offset) = (false, .zulu, 0) }
        return iso
    }
}

// MARK: Writing

extension DateForm {
    /// Returns a date in this form, or in the next finer one that expresses it exactly.
    ///
    /// - Parameter moment: Microseconds since 1970-01-01T00:00:00Z.
    /// - Returns: The text or number.
    package func written(_ moment: Int64) -> WrittenValue {
        switch style {
        case .iso:
            let precision = self.precision(expressing: moment)
            let text = Self.text(moment, finer, precision: precision)
            // Only a number of digits can be a number.
            return isText || precision != self.precision ? .string(text) : .raw(text)
        case .rfc1123 where moment % CivilTime.microsecondsInSecond == 0:
            return .string(DateFormat.rfc1123.string(from: moment))
        case .wrapped where moment % 1_000 == 0:
            // Some readers know a date from a text by the backslashes, which others ignore.
            return .raw("\"\\/Date(\(moment / 1_000))\\/\"")
        case .rfc1123, .wrapped:
            let precision = Self.fraction(of: moment, atLeast: 0)
            return .string(Self.text(moment, ISO(), precision: precision))
        case .unix(let unit):
            // A fraction is written if there is one.
            let text = unit.text(moment)
            return isText ? .string(text) : .raw(text)
        }
    }

    /// Returns the precision in which a date loses nothing.
    private func precision(expressing moment: Int64) -> Int {
        guard precision < 0 else { return Self.fraction(of: moment, atLeast: precision) }
        return moment % granularity == 0 ? precision : Self.fraction(of: moment, atLeast: 0)
    }

    /// Returns how many digits the fraction of a second needs: a minimum, or else 3 or 6.
    private static func fraction(of moment: Int64, atLeast digits: Int) -> Int {
        let candidates = [digits, 3, 6].filter { $0 >= digits }
        return candidates.first { moment % Int64(DecimalNumber.power(max(0, 6 - $0))) == 0 } ?? 6
    }

    private static func text(_ moment: Int64, _ iso: ISO, precision: Int) -> String {
        var offset = iso.zone == .none ? 0 : iso.offset * 60
        // The local year must have four digits.
        let local = moment &+ Int64(offset) &* CivilTime.microsecondsInSecond
        if !CivilTime.range.contains(local) { offset = 0 }
        let time = CivilTime(microseconds: moment, offset: offset)
        var bytes: [UInt8] = []
        bytes.appendDate(time, isExtended: iso.isExtended)
        guard precision > day else { return String(decoding: bytes, as: UTF8.self) }
        if !iso.isJoined { bytes.append(iso.hasSpace ? ASCII.space : UInt8(ascii: "T")) }
        bytes.appendTime(time, isExtended: iso.isExtended, hasSeconds: precision > minute)
        if precision > 0 {
            bytes.append(ASCII.point)
            var digits: [UInt8] = []
            digits.appendDigits(of: time.microsecond * 1_000, count: 9)
            bytes += digits.prefix(precision)
        }
        if iso.zone != .none {
            bytes.appendZone(
                offset,
                isZuluAllowed: iso.zone == .zulu,
                hasColon: iso.zone == .zulu || iso.zone == .colon,
                hasMinutes: iso.zone != .hours
            )
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func appendDate(_ time: CivilTime, isExtended: Bool) {
        guard !isExtended else { return appendDate(time) }
        appendDigits(of: time.year, count: 4)
        appendDigits(of: time.month, count: 2)
        appendDigits(of: time.day, count: 2)
    }

    fileprivate mutating func appendTime(
        _ time: CivilTime,
        isExtended: Bool,
        hasSeconds: Bool
    ) {
        appendDigits(of: time.hour, count: 2)
        if isExtended { append(ASCII.colon) }
        appendDigits(of: time.minute, count: 2)
        guard hasSeconds else { return }
        if isExtended { append(ASCII.colon) }
        appendDigits(of: time.second, count: 2)
    }
}

// MARK: Joining

extension DateForm {
    /// Returns the form of both: the finer one.
    ///
    /// - Parameter later: The form of a later value.
    /// - Returns: The form.
    func joined(with later: DateForm) -> DateForm {
        guard case .iso(let own) = style, case .iso(var iso) = later.style else {
            if style == later.style, isText == later.isText {
                return precision > later.precision ? self : later
            }
            return granularity < later.granularity ? self : later
        }
        // A day shows neither the separator nor the time zone.
        if isDay || later.isDay { return isDay ? later : self }
        if own.zone != iso.zone {
            iso.zone = Self.zone(of: own.zone, and: iso.zone)
        }
        // Objects of several zones: any zone denotes the same time.
        if own.offset != iso.offset { iso.offset = own.zone == .none ? iso.offset : 0 }
        var joined = later
        joined.style = .iso(iso)
        joined.precision = max(precision, later.precision)
        return joined
    }

    private static func zone(of one: Zone, and other: Zone) -> Zone {
        switch (one, other) {
        case (.none, let zone), (let zone, .none): zone
        // Services write `Z` for UTC, and an offset for other zones.
        case (.zulu, _), (_, .zulu): .zulu
        default: other
        }
    }

    /// Returns the form in which an object is written that has this form itself.
    ///
    /// - Parameter stored: The form of all objects, which may be finer.
    /// - Returns: The form.
    func outranking(_ stored: DateForm) -> DateForm {
        guard style.isSimilar(to: stored.style), isText == stored.isText else { return self }
        // Midnight may be the time of an object whose service trims what is zero.
        guard !isDay else { return stored }
        var form = self
        form.precision = max(precision, stored.precision)
        return form
    }
}

extension DateForm.Style {
    fileprivate func isSimilar(to other: Self) -> Bool {
        switch (self, other) {
        case (.iso, .iso): true
        default: self == other
        }
    }
}
