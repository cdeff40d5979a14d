import TidemarkModel

/// The precision of a service's timestamps.
package enum FakePrecision: Int64, Hashable, Sendable, CaseIterable {
    /// Whole seconds.
    case seconds = 1_000_000
    /// Thousandths of a second.
    case milliseconds = 1_000
    /// Millionths of a second.
    case microseconds = 1

    /// Rounds a time down to the precision.
    ///
    /// Times are in microseconds since 1970.
    package func roundedDown(_ moment: Int64) -> Int64 {
        let rest = moment % rawValue
        return moment - (rest < 0 ? rest + rawValue : rest)
    }

    /// Parses a time in ISO 8601, in microseconds since 1970.
    ///
    /// Returns nil if the text is not a date.
    package static func moment(_ text: String) -> Int64? {
        // The parser would accept a plain number as Unix time.
        guard text.contains("-") else { return nil }
        return DateFormat.automatic.microseconds(from: text)
    }

    /// Formats a time in ISO 8601, always with the number of fractional digits of the precision.
    package func text(_ moment: Int64) -> String {
        let second = FakePrecision.seconds.roundedDown(moment)
        let text = DateFormat.iso8601(.never).string(from: second)
        let digits = String((moment - second) / rawValue)
        return switch self {
        case .seconds: text
        case .milliseconds: "\(text.dropLast()).\(digits.padded(to: 3))Z"
        case .microseconds: "\(text.dropLast()).\(digits.padded(to: 6))Z"
        }
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - count)) + self
    }
}
