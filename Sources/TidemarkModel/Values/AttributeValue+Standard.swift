public import Foundation

extension AttributeValue where Self: FixedWidthInteger {
    /// Creates a number; nil if it does not fit into the type.
    public init?(attributeValue value: Value) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }

    /// The number as an attribute has it.
    @inlinable
    public var attributeValue: Value { .integer(Int64(truncatingIfNeeded: self)) }
}

/// Values of integer attributes of up to 64 bits.
extension Int: AttributeValue {
    /// `integer64`.
    public static var attributeType: AttributeType { .integer64 }
}

/// Values of integer attributes of up to 64 bits.
extension Int64: AttributeValue {
    /// `integer64`.
    public static var attributeType: AttributeType { .integer64 }
}

/// Values of integer attributes of up to 32 bits.
extension Int32: AttributeValue {
    /// `integer32`.
    public static var attributeType: AttributeType { .integer32 }
}

/// Values of integer attributes of 16 bits.
extension Int16: AttributeValue {
    /// `integer16`.
    public static var attributeType: AttributeType { .integer16 }
}

/// Values of floating-point attributes.
extension Double: AttributeValue {
    /// `double`.
    public static var attributeType: AttributeType { .double }

    /// Creates a number; nil if the value has another type.
    public init?(attributeValue value: Value) {
        switch value {
        case .double(let number): self = number
        case .integer(let number): self.init(exactly: number)
        case .null, .boolean, .decimal, .string, .date, .uuid, .uri, .binary, .json: return nil
        }
    }

    /// The number as an attribute has it.
    public var attributeValue: Value { .double(self) }
}

/// Values of floating-point attributes of single precision.
extension Float: AttributeValue {
    /// `float`.
    public static var attributeType: AttributeType { .float }

    /// Creates the nearest number of single precision; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard let number = Double(attributeValue: value) else { return nil }
        self.init(number)
    }

    /// The number as an attribute has it.
    public var attributeValue: Value { .double(Double(self)) }
}

/// Values of Boolean attributes.
extension Bool: AttributeValue {
    /// `boolean`.
    public static var attributeType: AttributeType { .boolean }

    /// Creates a Boolean; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }

    /// The Boolean as an attribute has it.
    public var attributeValue: Value { .boolean(self) }
}

/// Values of string attributes; also reads URIs, UUIDs and JSON documents as text.
extension String: AttributeValue {
    /// `string`.
    public static var attributeType: AttributeType { .string }

    /// Creates a string; nil if the value is not stored as text.
    public init?(attributeValue value: Value) {
        switch value {
        case .string(let text), .uuid(let text), .uri(let text), .json(let text),
            .decimal(let text):
            self = text
        case .null, .integer, .double, .boolean, .date, .binary: return nil
        }
    }

    /// The string as an attribute has it.
    public var attributeValue: Value { .string(self) }
}

/// Values of date attributes.
extension Date: AttributeValue {
    /// `date`.
    public static var attributeType: AttributeType { .date }

    /// Creates a date; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard case .date(let seconds) = value else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }

    /// The date as an attribute has it.
    public var attributeValue: Value { .date(timeIntervalSince1970) }
}

/// Values of UUID attributes.
extension UUID: AttributeValue {
    /// `uuid`.
    public static var attributeType: AttributeType { .uuid }

    /// Creates a UUID; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard let text = String(attributeValue: value) else { return nil }
        self.init(uuidString: text)
    }

    /// The UUID as an attribute has it.
    public var attributeValue: Value { .uuid(uuidString) }
}

/// Values of URI attributes.
extension URL: AttributeValue {
    /// `uri`.
    public static var attributeType: AttributeType { .uri }

    /// Creates a URL; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard let text = String(attributeValue: value) else { return nil }
        self.init(string: text)
    }

    /// The absolute URL as an attribute has it.
    public var attributeValue: Value { .uri(absoluteString) }
}

/// Values of decimal attributes, of up to 38 digits.
extension Decimal: AttributeValue {
    /// `decimal`.
    public static var attributeType: AttributeType { .decimal }

    /// Creates a number, rounded to 38 digits; nil if the value has another type.
    public init?(attributeValue value: Value) {
        switch value {
        case .decimal(let digits):
            self.init(string: digits, locale: Locale(identifier: "en_US_POSIX"))
        case .integer(let number): self.init(number)
        case .null, .boolean, .double, .string, .date, .uuid, .uri, .binary, .json: return nil
        }
    }

    /// The number as an attribute has it.
    public var attributeValue: Value { .decimal(description) }
}

/// Values of binary attributes.
extension Data: AttributeValue {
    /// `binary`.
    public static var attributeType: AttributeType { .binary }

    /// Creates data; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard case .binary(let bytes) = value else { return nil }
        self.init(bytes)
    }

    /// The bytes as an attribute has them.
    public var attributeValue: Value { .binary(Array(self)) }
}

/// Values of binary attributes, as an array of bytes.
extension [UInt8]: AttributeValue {
    /// `binary`.
    public static var attributeType: AttributeType { .binary }

    /// Creates an array; nil if the value has another type.
    public init?(attributeValue value: Value) {
        guard case .binary(let bytes) = value else { return nil }
        self = bytes
    }

    /// The bytes as an attribute has them.
    public var attributeValue: Value { .binary(self) }
}

/// Values of transformable attributes, which are of any of SQLite's storage classes.
extension Value: AttributeValue {
    /// `transformable`.
    public static var attributeType: AttributeType { .transformable }

    /// Creates a copy; nil if the value is null.
    public init?(attributeValue value: Value) {
        guard value != .null else { return nil }
        self = value
    }

    /// The value itself.
    public var attributeValue: Value { self }
}
