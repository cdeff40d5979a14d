/// A JSON value of a fake service, written as a Swift literal or parsed from a text.
///
/// Objects preserve the order of their members, and numbers their digits.
///
/// ```swift
/// var film: FakeJSON = ["title": "A New Hope", "episode_id": 4, "planets": ["…/planets/1/"]]
/// film["title"] = "Star Wars"
/// ```
public enum FakeJSON: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, in its original notation.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([FakeJSON])
    /// An object.
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The name of the member.
        public var name: String

        /// The value of the member.
        public var value: FakeJSON

        /// Creates a member.
        public init(_ name: String, _ value: FakeJSON) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member; nil if there is no such member, or if this value is not an object.
    ///
    /// Setting a value replaces the member in place or appends it; setting nil removes it. Setting
    /// has no effect on a value that is not an object.
    public subscript(name: String) -> FakeJSON? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// The string; nil if this value is not a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The elements; nil if this value is not an array.
    public var elements: [FakeJSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}

extension FakeJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number("\(value)") }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number("\(value)") }

    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates an array.
    public init(arrayLiteral elements: FakeJSON...) { self = .array(elements) }

    /// Creates an object.
    public init(dictionaryLiteral elements: (String, FakeJSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension FakeJSON {
    /// Returns the value with every string in it, at any depth, replaced.
    ///
    /// Names of members are kept.
    func mapStrings(_ change: (String) -> String) -> FakeJSON {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mapStrings(change) })
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.mapStrings(change)) })
        }
    }
}
