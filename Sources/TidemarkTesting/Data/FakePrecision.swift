import TidemarkModel

/// How finely a service tells its times.
public enum FakePrecision: Int64, Hashable, Sendable, CaseIterable {
    /// Whole seconds.
    case seconds = 1_000_000
    /// Thousandths of a second.
    case milliseconds = 1_000
    /// Millionths of a second.
    case microseconds = 1

    /// A moment without what is finer, in microseconds since 1970.
    public func cut(_ moment: Int64) -> Int64 {
        let rest = moment % rawValue
        return moment - (rest < 0 ? rest + rawValue : rest)
    }

    /// The moment that a text in ISO 8601 means, in microseconds since 1970; nil where it is none.
    static func moment(_ text: String) -> Int64? {
        // A number would be taken for Unix time.
        guard text.contains("-") else { return nil }
        return DateFormat.automatic.microseconds(from: text)
    }

    /// A moment in ISO 8601, always with as many digits as the precision has.
    public func text(_ moment: Int64) -> String {
        let second = FakePrecision.seconds.cut(moment)
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
