import TidemarkModel

/// A value that can be compared.
package enum FakeValue: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case other(FakeJSON)

    package init(_ json: FakeJSON?) {
        switch json {
        case .null?, nil: self = .null
        case .bool(let flag)?: self = .bool(flag)
        case .number(let digits)?: self = Double(digits).map { .number($0) } ?? .text(digits)
        case .string(let text)?: self = .text(text)
        case .array?: self = .other(json ?? .null)
        case .object?: self = Self.date(json).map { .number($0) } ?? .other(json ?? .null)
        }
    }

    /// Returns a time, in microseconds since 1970.
    package static func moment(_ microseconds: Int64) -> FakeValue { .number(Double(microseconds)) }

    /// Returns the time of a Parse `Date` object.
    private static func date(_ json: FakeJSON?) -> Double? {
        guard json?["__type"] == "Date", let text = json?["iso"]?.string else { return nil }
        return DateFormat.automatic.microseconds(from: text).map(Double.init)
    }

    /// Returns whether two values have the same type, so that one can be less than the other.
    func isComparable(with other: FakeValue) -> Bool {
        rank == other.rank && rank > 0
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .number: 2
        case .text: 3
        case .other: 4
        }
    }
}

extension FakeValue: Comparable {
    package static func < (one: FakeValue, other: FakeValue) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.text(let one), .text(let other)): one < other
        case (.bool(let one), .bool(let other)): !one && other
        case (.other(let one), .other(let other)): one.description < other.description
        default: one.rank < other.rank
        }
    }
}

/// A field of an object that can be compared.
package enum FakeField: Hashable {
    case member(String)
    case key
    case created
    case changed

    func value(of record: FakeRecord) -> FakeValue {
        switch self {
        case .member(let name): FakeValue(record.object[name])
        case .key: .text(record.key)
        case .created: .moment(record.created)
        case .changed: .moment(record.changed)
        }
    }
}

/// A comparison of a field with the value of a parameter.
package enum FakeComparison: Hashable, Sendable {
    /// The field equals the value.
    case equal
    /// The field is less than the value, or earlier.
    case less
    /// The field is less than or equal to the value, or not later.
    case lessOrEqual
    /// The field is greater than the value, or later.
    case greater
    /// The field is greater than or equal to the value, or not earlier.
    case greaterOrEqual

    func holds(for one: FakeValue, and other: FakeValue) -> Bool {
        if self == .equal { return Self.isEqual(one, to: other) }
        guard one.isComparable(with: other) else { return false }
        return switch self {
        case .equal: one == other
        case .less: one < other
        case .lessOrEqual: one <= other
        case .greater: one > other
        case .greaterOrEqual: one >= other
        }
    }

    /// Returns whether two values are equal.
    ///
    /// An array also equals each of its elements.
    private static func isEqual(_ one: FakeValue, to other: FakeValue) -> Bool {
        if one == other { return true }
        guard case .other(.array(let elements)) = one else { return false }
        return elements.contains { FakeValue($0) == other }
    }
}
