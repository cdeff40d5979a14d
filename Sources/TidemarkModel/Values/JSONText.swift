/// JSON text of an attribute whose structure is unknown.
///
/// Values are compared by their characters: `{"a":1}` differs from `{"a": 1}`.
///
/// Where the structure is known, a `Codable` type is more useful: a record reads and writes that,
/// too.
///
/// ```swift
/// let settings: JSONText = #"{"theme": "dark"}"#
/// ```
public struct JSONText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The JSON.
    public var text: String

    /// Creates a value from JSON.
    ///
    /// A store checks it when it is written: invalid JSON throws `StoreError.Code.invalidValue`.
    public init(_ text: String) { self.text = text }

    /// Creates a value from JSON.
    public init(stringLiteral text: String) { self.text = text }
}

extension JSONText: AttributeValue {
    /// `json`.
    public static var attributeType: AttributeType { .json }

    /// Creates a text; nil if the value is not JSON.
    public init?(attributeValue value: Value) {
        guard case .json(let text) = value else { return nil }
        self.text = text
    }

    /// The JSON as an attribute has it.
    public var attributeValue: Value { .json(text) }
}
