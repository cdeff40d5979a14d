/// The JSON of an attribute whose structure is not known, as text.
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
    /// Whether it is valid is checked when it is written.
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
