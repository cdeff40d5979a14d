import TidemarkModel

/// A value that a fake service compares.
enum FakeValue: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case other(FakeJSON)

    init(_ json: FakeJSON?) {
        switch json {
        case .null?, nil: self = .null
        case .bool(let flag)?: self = .bool(flag)
        case .number(let digits)?: self = Double(digits).map { .number($0) } ?? .text(digits)
        case .string(let text)?: self = .text(text)
        case .array?: self = .other(json ?? .null)
        case .object?: self = Self.date(json).map { .number($0) } ?? .other(json ?? .null)
        }
    }

    /// A moment, in microseconds since 1970.
    static func moment(_ microseconds: Int64) -> FakeValue { .number(Double(microseconds)) }

    /// The moment that a date of Parse means.
    private static func date(_ json: FakeJSON?) -> Double? {
        guard json?["__type"] == "Date", let text = json?["iso"]?.string else { return nil }
        return DateFormat.automatic.microseconds(from: text).map(Double.init)
    }

    /// Whether two values are of a kind, so that one can be less than the other.
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
    static func < (one: FakeValue, other: FakeValue) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.text(let one), .text(let other)): one < other
        case (.bool(let one), .bool(let other)): !one && other
        case (.other(let one), .other(let other)): one.description < other.description
        default: one.rank < other.rank
        }
    }
}

/// What of an object is compared.
enum FakeField: Hashable {
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

/// How a service compares what it has with what it was asked.
public enum FakeComparison: Hashable, Sendable {
    /// It is the same.
    case equal
    /// It is less, or earlier.
    case less
    /// It is not more, or later.
    case lessOrEqual
    /// It is more, or later.
    case greater
    /// It is not less, or earlier.
    case greaterOrEqual

    func holds(_ one: FakeValue, _ other: FakeValue) -> Bool {
        if self == .equal { return Self.areEqual(one, other) }
        guard one.isComparable(with: other) else { return false }
        return switch self {
        case .equal: one == other
        case .less: one < other
        case .lessOrEqual: one <= other
        case .greater: one > other
        case .greaterOrEqual: one >= other
        }
    }

    /// A list is also equal to each of its elements.
    private static func areEqual(_ one: FakeValue, _ other: FakeValue) -> Bool {
        if one == other { return true }
        guard case .other(.array(let elements)) = one else { return false }
        return elements.contains { FakeValue($0) == other }
    }
}
