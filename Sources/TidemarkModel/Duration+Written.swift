extension Duration {
    /// Parses a duration such as `30s`, `500ms`, `2m`, `1h` or `90d`.
    ///
    /// A number without a unit is in seconds.
    package init?(written text: String) {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = Double(digits), number > 0, number < 1e6 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s", "": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3_600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }
}
