import TidemarkTesting

extension KintoQuery {
    private static let comparisons: KeyValuePairs<String, FakeComparison> = [
        "min_": .greaterOrEqual, "max_": .lessOrEqual, "gt_": .greater, "lt_": .less,
    ]

    static func filter(
        _ name: String,
        value: String,
        now: Int64
    ) throws(KintoFailure) -> FakeFilter? {
        switch name {
        case "_since", "_before", "_to":
            let isQuoted = value.count > 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            let stamp = try number(
                isQuoted ? String(value.dropFirst().dropLast()) : value,
                of: name
            )
            // Kinto rejects a timestamp that is more than a day in the future.
            guard stamp < Double(now / 1_000 + 24 * 3_600 * 1_000) else {
                throw .invalid("Invalid value for \(name)", name: name)
            }
            let comparison = name == "_since" ? FakeComparison.greater : .less
            return .compare(.changed, comparison, .number(stamp * 1_000))
        default: break
        }
        guard !name.hasPrefix("_") else { return nil }
        for (prefix, comparison) in comparisons where name.hasPrefix(prefix) {
            let field = field(String(name.dropFirst(prefix.count)))
            return .compare(field, comparison, Self.value(value, of: field))
        }
        for prefix in ["in_", "exclude_"] where name.hasPrefix(prefix) {
            let field = field(String(name.dropFirst(prefix.count)))
            let values = value.split(separator: ",").map { Self.value(String($0), of: field) }
            let filter = FakeFilter.oneOf(values, in: field)
            return prefix == "in_" ? filter : .not(filter)
        }
        if name.hasPrefix("not_") {
            let field = field(String(name.dropFirst(4)))
            return .not(.compare(field, .equal, Self.value(value, of: field)))
        }
        let field = field(name)
        return .compare(field, .equal, Self.value(value, of: field))
    }

    static func field(_ name: String) -> FakeField {
        switch name {
        case "id": .key
        case "last_modified": .changed
        default: .member(name)
        }
    }

    /// Parses a value as Kinto does: as JSON if it is valid, as a string otherwise.
    private static func value(_ text: String, of field: FakeField) -> FakeValue {
        switch field {
        case .key: .text(text)
        case .changed, .created:
            whole(text.filter { $0 != "\"" }).map { .number($0 * 1_000) } ?? .text(text)
        case .member: FakeJSON(ifValid: text.utf8).map { FakeValue($0) } ?? .text(text)
        }
    }

    /// Parses a number from 0 up to the maximum of a 64-bit database column.
    static func number(_ text: String, of name: String) throws(KintoFailure) -> Double {
        guard let number = whole(text) else {
            throw .invalid("\"\(text)\" is not a number", name: name)
        }
        guard number >= 0 else {
            throw .invalid("\(text) is less than minimum value 0", name: name)
        }
        guard number < 9_223_372_036_854_775_808 else {
            throw .invalid("\(text) is greater than maximum value 9223372036854775808", name: name)
        }
        return number
    }

    /// Parses an integer of any length.
    private static func whole(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}

extension FakeFilter {
    /// Returns whether the filter contains a condition on a field.
    func isAbout(_ field: FakeField) -> Bool {
        switch self {
        case .all: false
        case .compare(let own, _, _), .ordered(_, let own, _), .exists(let own): own == field
        case .not(let filter): filter.isAbout(field)
        case .and(let filters), .or(let filters): filters.contains { $0.isAbout(field) }
        }
    }
}
