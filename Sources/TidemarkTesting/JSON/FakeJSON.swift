/// A JSON value of a fake service, written as a Swift literal or parsed from a text.
///
/// Objects preserve the order of their members, and numbers their digits, as a client may depend on
/// either. Two objects with the same members in another order are not equal.
///
/// ```swift
/// var film: FakeJSON = ["title": "A New Hope", "episode_id": 4, "planets": ["…/planets/1/"]]
/// film["title"] = "Star Wars"
/// film["director"] = .null
/// print(film["planets"]?.elements?.count ?? 0)  // 1
/// ```
///
/// Code under test does not use this type: it gets text, and parses it with `JSONDocument`.
public enum FakeJSON: Hashable, Sendable {
    /// The value `null`, which the literal `nil` creates inside of a literal.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number, in its original notation, such as `1.50` or `1e400`.
    ///
    /// The text is written as it is. Use this case for digits that a literal of Swift would not
    /// preserve:
    ///
    /// ```swift
    /// let order: FakeJSON = ["total": .number("1.50"), "serial": .number("12345678901234567890")]
    /// ```
    case number(String)
    /// A string, which is escaped when it is written.
    case string(String)
    /// An array of values.
    case array([FakeJSON])
    /// An object, with its members in order.
    ///
    /// Names may occur twice, to test what a client does with such a text.
    ///
    /// ```swift
    /// let twice = FakeJSON.object([.init("id", 1), .init("id", 2)])
    /// print(twice)  // {"id":1,"id":2}
    /// ```
    case object([Member])

    /// A member of an object: a name and a value (RFC 8259, section 4).
    ///
    /// ```swift
    /// let title = FakeJSON.Member("title", "A New Hope")
    /// let film = FakeJSON.object([title, FakeJSON.Member("episode_id", 4)])
    /// ```
    public struct Member: Hashable, Sendable {
        /// The name of the member, without quotation marks.
        public var name: String

        /// The value of the member.
        public var value: FakeJSON

        /// Creates a member from its name and its value.
        public init(_ name: String, _ value: FakeJSON) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member; nil if there is no such member, or if this value is not an object.
    ///
    /// Setting a value replaces the member in place or appends it; setting nil removes it. Setting
    /// has no effect on a value that is not an object. Assign `FakeJSON.null` for the value `null`.
    ///
    /// ```swift
    /// fake["films/1"]?["title"] = "Star Wars"  // changes the member
    /// fake["films/1"]?["director"] = nil       // removes the member
    /// fake["films/1"]?["episode_id"] = FakeJSON.null  // the value null
    /// ```
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
    ///
    /// ```swift
    /// let title = fake["films/1"]?["title"]?.string ?? "untitled"
    /// ```
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

    /// Creates a number with the digits of an integer.
    public init(integerLiteral value: Int) { self = .number("\(value)") }

    /// Creates a number with Swift's shortest notation of a `Double`; see ``number(_:)``.
    public init(floatLiteral value: Double) { self = .number("\(value)") }

    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates `null`, as in `["director": nil]`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates an array from a literal of values.
    public init(arrayLiteral elements: FakeJSON...) { self = .array(elements) }

    /// Creates an object from a literal, with the members in its order.
    ///
    /// ```swift
    /// let film: FakeJSON = ["id": 1, "tags": ["space", "war"], "sequel": nil]
    /// ```
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
