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

extension Value {
    /// Whether both are of one kind and the same; texts are when their bytes are, as in the store.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
            left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.binary(let left), .binary(let right)): left == right
        case (.decimal(let left), .decimal(let right)), (.string(let left), .string(let right)),
            (.uuid(let left), .uuid(let right)), (.uri(let left), .uri(let right)),
            (.json(let left), .json(let right)):
            ByteExactString(left) == ByteExactString(right)
        case (.null, _), (.integer, _), (.double, _), (.date, _), (.boolean, _), (.binary, _),
            (.decimal, _), (.string, _), (.uuid, _), (.uri, _), (.json, _):
            false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let number): hasher.combine(number)
        case .double(let number), .date(let number): hasher.combine(number)
        case .boolean(let flag): hasher.combine(flag)
        case .binary(let bytes): hasher.combine(bytes)
        case .decimal(let text), .string(let text), .uuid(let text), .uri(let text),
            .json(let text):
            hasher.combine(ByteExactString(text))
        }
    }
}
