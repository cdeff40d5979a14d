/// A value of an attribute, with its type.
///
/// Values are what people and programs give and get one at a time. An import moves bytes instead
/// (see ``StoredValue``).
public enum Value: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// Yes or no.
    case boolean(Bool)
    /// An exact decimal number, in its canonical text.
    case decimal(String)
    /// A text.
    case string(String)
    /// A moment, in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    /// A universally unique identifier, in upper case.
    case uuid(String)
    /// A uniform resource identifier.
    case uri(String)
    /// Bytes.
    case binary([UInt8])
    /// A JSON value, as its compact text.
    case json(String)
}
