/// The value of an attribute, with its type.
///
/// The API reads and writes single values in this form: the values of a stored record, the
/// arguments of a predicate, and default values. To read many rows, decode GRDB records instead,
/// which needs no `Value`.
///
/// ```swift
/// let film = try store.write { writer in
///     try writer.insert("Film", values: ["title": .string("A New Hope"), "episode": .integer(4)])
/// }
/// let title = try store.read { try $0.record(RecordLocator(film))["title"] }
/// if case .string(let text) = title { print(text) }   // A New Hope
/// ```
///
/// A value that is written need not have the type of its attribute. It is converted by the rules
/// for JSON values if nothing is lost: `.string("12")` may be written to an integer attribute, and
/// `.double(1.5)` may not.
public enum Value: Hashable, Sendable {
    /// No value; SQL `NULL`.
    ///
    /// Writing it clears an attribute, unless the attribute is required.
    case null
    /// An integer: the value of attributes of all three integer types.
    ///
    /// ```swift
    /// let count = try store.read { try $0.record(RecordLocator("Film:4"))["rating"] }
    /// if case .integer(let rating) = count, rating > 3 { print("recommended") }
    /// ```
    case integer(Int64)
    /// A floating-point number: the value of double and float attributes.
    ///
    /// Infinities and NaN cannot be written.
    case double(Double)
    /// A Boolean, stored as 0 or 1.
    case boolean(Bool)
    /// An exact decimal number in its canonical text form.
    ///
    /// The canonical form has no exponent, no plus sign and no unnecessary zeros: `12.2`. Other
    /// forms are accepted when a value is written.
    case decimal(String)
    /// A string, without U+0000, at which text ends in SQLite.
    case string(String)
    /// A point in time, in seconds since 1970-01-01T00:00:00Z.
    ///
    /// ```swift
    /// let yesterday = Value.date(Date().timeIntervalSince1970 - 86_400)
    /// let recent = try RecordPredicate("createdAt > %@", yesterday)
    /// ```
    case date(Double)
    /// A UUID, in uppercase, as `UUID.uuidString` returns it.
    ///
    /// ```swift
    /// let token = Value.uuid(UUID().uuidString)
    /// ```
    case uuid(String)
    /// A URI, as the service sent it.
    case uri(String)
    /// Bytes; for an attribute with the encoding ``Attribute/BinaryEncoding/json``, compact JSON
    /// text.
    case binary([UInt8])
    /// A JSON value, as compact text.
    ///
    /// ```swift
    /// let specs = try JSONEncoder().encode(["rows": 10])
    /// try store.write { writer in
    ///     try writer.update(
    ///         RecordLocator("Product:7"),
    ///         values: ["specs": .json(String(decoding: specs, as: UTF8.self))]
    ///     )
    /// }
    /// ```
    case json(String)
}

extension Value {
    /// Returns whether both values are the same case with equal content.
    ///
    /// Text is compared by its bytes, as in the store. Two strings that differ in Unicode
    /// normalization are therefore different values, although Swift's `String` treats them as
    /// equal.
    ///
    /// ```swift
    /// let isEqual = Value.string("\u{E9}") == Value.string("e\u{301}")   // false
    /// let isSame = Value.integer(1) == Value.double(1)                   // false
    /// ```
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

    /// Hashes the case and its content, text by its bytes.
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
