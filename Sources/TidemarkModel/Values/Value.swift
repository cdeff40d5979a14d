/// The value of an attribute, with its type.
///
/// The API reads and writes single values in this form. An import processes borrowed bytes instead;
/// see `StoredValue`.
public enum Value: Hashable, Sendable {
    /// No value; SQL `NULL`.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A Boolean.
    case boolean(Bool)
    /// An exact decimal number in its canonical text form.
    case decimal(String)
    /// A string.
    case string(String)
    /// A point in time, in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    /// A UUID, in uppercase.
    case uuid(String)
    /// A URI.
    case uri(String)
    /// Bytes.
    case binary([UInt8])
    /// A JSON value, as compact text.
    case json(String)
}

extension Value {
    /// Returns whether both values are the same case with equal content.
    ///
    /// Text is compared by its bytes, as in the store.
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
