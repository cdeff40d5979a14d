/// A Swift type whose values an attribute of an entity can have.
///
/// The numbers, `Bool`, `String`, `Date`, `UUID`, `URL`, `Decimal`, `Data` and `[UInt8]` conform.
/// An enumeration or another type with such a raw value conforms without further code:
///
/// ```swift
/// enum Status: String, AttributeValue { case open, done }
/// ```
///
/// For a type of your own without a raw value, implement the three requirements. What they do must
/// not depend on anything but the value: requests compare and sort values as they are stored.
public protocol AttributeValue: Sendable {
    /// The type of attributes with values of this type.
    static var attributeType: AttributeType { get }

    /// Creates a value from that of an attribute; nil if that is null, or no value of
    /// this type.
    init?(attributeValue value: Value)

    /// The value as an attribute has it.
    var attributeValue: Value { get }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// The type of attributes with the raw value.
    public static var attributeType: AttributeType { RawValue.attributeType }

    /// Creates a value from its raw value; nil if there is no value with that.
    public init?(attributeValue value: Value) {
        guard let rawValue = RawValue(attributeValue: value) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The raw value as an attribute has it.
    public var attributeValue: Value { rawValue.attributeValue }
}
