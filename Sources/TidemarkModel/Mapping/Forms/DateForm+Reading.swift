import TidemarkJSON

extension DateForm {
    /// Recognizes the form of a date; nil if a request cannot contain a date in this form, such as
    /// a year alone.
    ///
    /// - Parameters:
    ///   - text: The text of a string or a number that was read as a date before.
    ///   - isText: Whether it is a string.
    init?(of text: UnsafeRawBufferPointer, isText: Bool) {
        guard let first = text.first else { return nil }
        if isText, first == ASCII.slash {
            self.init(style: .wrapped, precision: 3)
        } else if isText, ASCII.isLetter(first) {
            guard text.suffix(4).elementsEqual(" GMT".utf8) else { return nil }
            self.init(style: .rfc1123, precision: 0)
        } else if let number = Self.number(text) {
            self = number
            self.isText = isText
        } else {
            var reader = DateReader(text)
            guard isText, let form = reader.isoForm() else { return nil }
            self = form
        }
    }

    /// Returns the form of a text of digits, with or without a fraction; nil for any other text.
    private static func number(_ text: UnsafeRawBufferPointer) -> DateForm? {
        var digits = 0
        var fraction: Int?
        for (offset, byte) in text.enumerated() {
            if ASCII.isDigit(byte) {
                if fraction == nil { digits += 1 } else { fraction = fraction.map { $0 + 1 } }
            } else if byte == ASCII.point, fraction == nil {
                fraction = 0
            } else if byte != ASCII.minus || offset > 0 {
                return nil
            }
        }
        let isNegative = text.first == ASCII.minus
        switch digits {
        case 8 where !isNegative:
            return DateForm(style: .iso(ISO(isExtended: false)), precision: day)
        case 14 where !isNegative:
            let iso = ISO(isExtended: false, isJoined: true, zone: .none)
            return DateForm(style: .iso(iso), precision: min(fraction ?? 0, 9))
        case 0: return nil
        // Calendar dates without a day.
        case 4...7 where !isNegative: return nil
        default: break
        }
        let unit = DateFormat.Unit(digits: digits)
        return DateForm(style: .unix(unit), precision: unit.precision(fraction: fraction ?? 0))
    }
}

extension DateReader {
    /// Reads a date of ISO 8601, and returns its form; nil if a request cannot contain it.
    fileprivate mutating func isoForm() -> DateForm? {
        var iso = DateForm.ISO()
        guard number(4) != nil else { return nil }
        iso.isExtended = skip(ASCII.minus)
        guard number(2) != nil, !iso.isExtended || skip(ASCII.minus), number(2) != nil else {
            return nil
        }
        if isAtEnd { return DateForm(style: .iso(iso), precision: DateForm.day) }
        iso.hasSpace = byte == ASCII.space
        // The separator, which was checked when the date was read.
        offset += 1
        guard number(2) != nil, !iso.isExtended || skip(ASCII.colon), number(2) != nil else {
            return nil
        }
        var precision = DateForm.minute
        if iso.isExtended ? skip(ASCII.colon) : ASCII.isDigit(byte) {
            guard number(2) != nil else { return nil }
            precision = 0
            if skip(ASCII.point) {
                let start = offset
                guard number(upTo: 9) != nil else { return nil }
                precision = offset - start
            }
        }
        guard readZone(into: &iso), isAtEnd else { return nil }
        return DateForm(style: .iso(iso), precision: precision)
    }

    private mutating func readZone(into iso: inout DateForm.ISO) -> Bool {
        guard !isAtEnd else {
            iso.zone = .none
            return true
        }
        let start = offset
        guard let seconds = zone() else { return false }
        iso.offset = seconds / 60
        let hasColon = offset - start == 6
        iso.zone =
            switch offset - start {
            case 1: .zulu
            case 3: .hours
            default: hasColon ? .colon : .basic
            }
        return true
    }
}

// MARK: The stored text

extension DateForm {
    /// Parses the description of a form; nil for any other text.
    init?(_ text: String) {
        let isText = !text.hasSuffix(Self.asNumber)
        let form = isText ? text[...] : text.dropLast(Self.asNumber.count)
        switch form {
        case "rfc1123": self.init(style: .rfc1123, precision: 0)
        case "/Date(milliseconds)/": self.init(style: .wrapped, precision: 3)
        default:
            guard let found = Self.unix(form) ?? Self.iso(form) else { return nil }
            self = found
            self.isText = isText
        }
    }

    private static let asNumber = " as number"

    private static func unix(_ text: Substring) -> DateForm? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let unit = DateFormat.Unit.allCases.first(where: { $0.name == parts.first ?? "" })
        else { return nil }
        let digits = parts.dropFirst().first?.count ?? 0
        return DateForm(style: .unix(unit), precision: unit.precision(fraction: digits))
    }

    private static func iso(_ text: Substring) -> DateForm? {
        var rest = text
        func skip(_ prefix: String) -> Bool {
            guard rest.hasPrefix(prefix) else { return false }
            rest = rest.dropFirst(prefix.count)
            return true
        }
        var iso = ISO()
        iso.isExtended = skip("yyyy-MM-dd")
        guard iso.isExtended || skip("yyyyMMdd") else { return nil }
        guard !rest.isEmpty else { return DateForm(style: .iso(iso), precision: day) }
        iso.hasSpace = skip(" ")
        iso.isJoined = !iso.hasSpace && !skip("'T'")
        guard skip(iso.isExtended ? "HH:mm" : "HHmm") else { return nil }
        var precision = minute
        if skip(iso.isExtended ? ":ss" : "ss") {
            precision = 0
            if skip(".") {
                precision = rest.prefix { $0 == "S" }.count
                guard 1...9 ~= precision else { return nil }
                rest = rest.dropFirst(precision)
            }
        }
        let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
        guard let zone = Zone(rawValue: String(parts.first ?? "")), parts.count <= 2 else {
            return nil
        }
        iso.zone = zone
        if parts.count == 2 {
            guard let offset = Int(parts[1]), abs(offset) < 24 * 60 else { return nil }
            iso.offset = offset
        }
        return DateForm(style: .iso(iso), precision: precision)
    }
}

extension DateForm: CustomStringConvertible {
    /// The form as a Unicode date pattern (UTS #35) or the name of a unit, which is what a model
    /// would specify as the attribute's `dateFormat`.
    ///
    /// After it come the time zone in minutes east of UTC, if that is another one, and that it is a
    /// number.
    package var description: String {
        let number = isText ? "" : Self.asNumber
        switch style {
        case .rfc1123: return "rfc1123"
        case .wrapped: return "/Date(milliseconds)/"
        case .unix(let unit):
            let digits = precision - unit.precision(fraction: 0)
            let fraction = digits > 0 ? "." + String(repeating: "S", count: digits) : ""
            return unit.name + fraction + number
        case .iso(let iso): return iso.pattern(precision: precision) + number
        }
    }
}

extension DateFormat.Unit {
    /// The name of the unit in a model.
    fileprivate var name: String {
        switch self {
        case .seconds: "seconds"
        case .milliseconds: "milliseconds"
        case .microseconds: "microseconds"
        }
    }

    /// Returns the precision of a timestamp with some digits after its point.
    fileprivate func precision(fraction digits: Int) -> Int { min(6 - rawValue + digits, 6) }
}

extension DateForm.ISO {
    fileprivate func pattern(precision: Int) -> String {
        let date = isExtended ? "yyyy-MM-dd" : "yyyyMMdd"
        guard precision > DateForm.day else { return date }
        let separator = isJoined ? "" : hasSpace ? " " : "'T'"
        let seconds = precision > DateForm.minute ? (isExtended ? ":ss" : "ss") : ""
        let fraction = precision > 0 ? "." + String(repeating: "S", count: precision) : ""
        let offset = offset == 0 || zone == .none ? "" : " \(self.offset)"
        return date + separator + (isExtended ? "HH:mm" : "HHmm") + seconds + fraction
            + zone.rawValue + offset
    }
}
