/// An attribute of an entity: a value of a JSON object, and a column of a table.
///
/// Only the name and the type are required. The other settings adapt an attribute to a service:
/// where its value is found in an object, what means null, which values are valid. An import maps
/// the member names `born_at`, `bornAt` and `born-at` to the attribute `bornAt` by itself.
///
/// ```swift
/// let entity = EntityDescription("User") {
///     Attribute("id", .integer64)
///     Attribute("email", .string, isOptional: false)
///     Attribute("bornAt", .date, dateFormat: "dd.MM.yyyy")
///     Attribute("city", .string, remoteKey: "address.city")
/// }
/// ```
///
/// A changed attribute changes the column when the store is opened with the new model: a migration
/// adds, drops, renames or converts it.
public struct Attribute: Hashable, Sendable {
    /// The name of the attribute.
    ///
    /// Its column has the same name, or `<name>_<Entity>` if a sibling entity declares an attribute
    /// of this name with another type. A name consists of an ASCII letter followed by letters,
    /// digits and `_`, and has at most 100 characters. If the name at the service does not conform,
    /// choose another one and set its ``JSONRepresentation/remoteKey``.
    public var name: String

    /// The type of the attribute's values, which determines the type of the column.
    ///
    /// A migration converts the stored values if the type changes.
    public var type: AttributeType

    /// Whether the value may be null; true by default.
    ///
    /// With false, the column is `NOT NULL`, except in the primary key and in sub-entities, where
    /// Tidemark checks the value itself. For an import, null is then a violation like that of a
    /// ``validation``: by default the row is not written, so that its other values remain
    /// unchanged, too. A new row without the member gets the default, and is not stored without
    /// one. Require a value only if the service guarantees it.
    public var isOptional: Bool

    /// Whether the attribute is excluded from the store; false by default.
    ///
    /// A transient attribute has no column, and is neither imported nor exported. It exists for
    /// models that are shared with Core Data.
    public var isTransient: Bool

    /// The value of a new row for which no other is given; nil by default.
    ///
    /// It applies when a row is inserted, by an import of an object without the member or by the
    /// app, never when one is updated. A default does not apply to a primary key, because it would
    /// give all rows the same key. It is converted to the type of the attribute;
    /// ``Model/validate()`` throws if that is impossible.
    ///
    /// ```swift
    /// let state = Attribute("state", .string, defaultValue: .string("open"))
    /// let count = Attribute("count", .integer32, defaultValue: .integer(0))
    /// ```
    public var defaultValue: Value?

    /// The constraints that a value must satisfy; none by default.
    ///
    /// An import reports a value that violates one, and by default does not write the row. A local
    /// write throws.
    ///
    /// ```swift
    /// let rating = Attribute("rating", .integer16, validation: .init(minimum: 1, maximum: 5))
    /// let zip = Attribute("zip", .string, validation: .init(pattern: "[0-9]{5}"))
    /// ```
    public var validation: Validation

    /// The representation of the attribute in JSON.
    ///
    /// ```swift
    /// var email = Attribute("email", .string, remoteKey: "mail")
    /// email.json.isExportable = false
    /// ```
    public var json: JSONRepresentation

    /// The name of the attribute in the previous version of the model; nil by default.
    ///
    /// A migration then renames the column and keeps its values. Without it, the old attribute is
    /// dropped with its values and a new one is added.
    ///
    /// ```swift
    /// let name = Attribute("fullName", .string, renamingIdentifier: "name")
    /// ```
    public var renamingIdentifier: String?

    /// Further annotations, unchanged from the source of the model; empty by default.
    ///
    /// Tidemark stores them with the model and does not interpret them. The annotations of a Core
    /// Data model that Tidemark understands are not among them: they become the other properties.
    public var userInfo: [String: String]

    /// Creates an attribute.
    ///
    /// Only the name and the type are required; the defaults describe an optional attribute that a
    /// service sends under the same name. The parameters from `remoteKey` to `isAsset` are those of
    /// its ``json``. Nothing is checked before ``Model/validate()``.
    ///
    /// ```swift
    /// let total = Attribute("total", .decimal, validation: .init(minimum: 0))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the attribute and of its column.
    ///   - type: The type of its values.
    ///   - isOptional: Whether the value may be null.
    ///   - isTransient: Whether the attribute is excluded from the store.
    ///   - defaultValue: The value of new rows for which no other is given.
    ///   - validation: The constraints that a value must satisfy.
    ///   - remoteKey: The JSON key; nil to derive it from the name.
    ///   - isExportable: Whether the attribute is exported.
    ///   - valueTransformer: The name of a transformer.
    ///   - dateFormat: The format of its dates; nil to detect it.
    ///   - encoding: The encoding of a binary attribute.
    ///   - nullValues: Values that mean null.
    ///   - isAsset: Whether its values are the addresses of files.
    ///   - renamingIdentifier: Its name in the previous version of the model.
    ///   - userInfo: Further annotations.
    public init(
        _ name: String,
        _ type: AttributeType,
        isOptional: Bool = true,
        isTransient: Bool = false,
        defaultValue: Value? = nil,
        validation: Validation = Validation(),
        remoteKey: String? = nil,
        isExportable: Bool = true,
        valueTransformer: String? = nil,
        dateFormat: String? = nil,
        encoding: BinaryEncoding = .json,
        nullValues: [String] = [],
        isAsset: Bool = false,
        renamingIdentifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.defaultValue = defaultValue
        self.validation = validation
        json = JSONRepresentation(
            remoteKey: remoteKey,
            isExportable: isExportable,
            valueTransformer: valueTransformer,
            dateFormat: dateFormat,
            encoding: encoding,
            nullValues: nullValues,
            isAsset: isAsset
        )
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
    }

    /// The representation of an attribute in JSON: where its value is, and how it is written.
    public struct JSONRepresentation: Hashable, Sendable {
        /// The JSON key from which an import reads the value and to which an export writes it; nil
        /// by default.
        ///
        /// Dots separate the components of a path through nested objects, and a number is the index
        /// of an array element, from 0. If it is nil, the ``NamingConvention`` derives the key from
        /// the attribute's name. The derived names remain accepted, after this one.
        ///
        /// ```swift
        /// let name = Attribute("name", .string, remoteKey: "full_name")
        /// let city = Attribute("city", .string, remoteKey: "address.city")
        /// let tag = Attribute("firstTag", .string, remoteKey: "tags.0")
        /// ```
        public var remoteKey: String?

        /// Whether the attribute is exported; true by default.
        ///
        /// With false, an import still reads it. Use it for values that only the service
        /// determines, such as a counter, so that they are not sent back to it.
        public var isExportable: Bool

        /// The name of the transformer that converts the attribute's values; nil by default.
        ///
        /// The app passes the ``AttributeTransformer`` under this name to its `Importer` and
        /// `Exporter`. Without it, which is reported, a transformable attribute is not imported,
        /// and another type is converted as usual.
        ///
        /// ```swift
        /// let model = Model {
        ///     EntityDescription("Item") {
        ///         Attribute("id", .integer64)
        ///         Attribute("price", .integer64, valueTransformer: "cents")
        ///     }
        /// }
        /// let store = try Store.inMemory(model: model)
        /// let cents = AttributeTransformer { .integer(Int64((($0.double ?? 0) * 100).rounded())) }
        /// let importer = Importer(store, transformers: ["cents": cents])
        /// ```
        public var valueTransformer: String?

        /// The format of the attribute's dates, if automatic detection would be wrong; nil by
        /// default.
        ///
        /// It is `seconds`, `milliseconds`, `microseconds`, or a Unicode date pattern; see
        /// ``DateFormat/init(_:)``. ``Model/validate()`` throws if it is invalid. Exports use it,
        /// too. An export loses every part of a date for which the format has no field, such as the
        /// time of day.
        ///
        /// ```swift
        /// let day = Attribute("day", .date, dateFormat: "dd.MM.yyyy")   // "09.01.2016"
        /// let seen = Attribute("seen", .date, dateFormat: "milliseconds")
        /// ```
        public var dateFormat: String?

        /// The encoding of a binary attribute; ``BinaryEncoding/json`` by default.
        ///
        /// ```swift
        /// let thumbnail = Attribute("thumbnail", .binary, encoding: .base64)   // "iVBORw=="
        /// ```
        public var encoding: BinaryEncoding

        /// Values that mean null when a service sends them, such as `unknown`, `n/a` or `0`; none
        /// by default.
        ///
        /// Strings, numbers and Booleans are compared by their text: `0` matches the number 0 and
        /// the string `"0"`, but not `0.0`. A local write stores them as ordinary values, and an
        /// export writes them unchanged. The service then reads them as null.
        ///
        /// ```swift
        /// let age = Attribute("age", .integer16, nullValues: ["unknown", "n/a", "0"])
        /// ```
        public var nullValues: [String]

        /// Whether the values are the addresses of files, such as photos; false by default.
        ///
        /// `SyncEngine.assets` downloads such files, and takes those of the app: a push uploads
        /// them before the row that refers to them. The file object of a Parse server is read as
        /// its URL, and written as an object again. It has no effect on attributes of other types
        /// than ``AttributeType/uri``; ``Model/validate()`` warns about that.
        ///
        /// ```swift
        /// let photo = Attribute("photo", .uri, isAsset: true)
        /// ```
        public var isAsset: Bool
    }

    /// The encoding of a binary attribute in JSON.
    ///
    /// It has no effect on attributes of other types; ``Model/validate()`` warns about that.
    public enum BinaryEncoding: String, Hashable, Sendable, Codable, CaseIterable {
        /// The bytes are the compact JSON text of any value that the service sends.
        ///
        /// A local write may store any bytes. Those that are not a JSON value are exported as
        /// base64, which an import then reads as a string. Use ``base64`` for an attribute whose
        /// bytes belong to the app.
        case json
        /// The service sends the bytes as base64 (RFC 4648), and the column contains the decoded
        /// bytes.
        case base64
    }

    /// The constraints that a value must satisfy to be stored.
    ///
    /// A bound that is nil does not apply, and null satisfies every constraint. With the default
    /// policy an import does not write a row that violates one, and reports it;
    /// `ImportOptions(invalid:)` selects another policy.
    ///
    /// ```swift
    /// let age = Attribute.Validation(minimum: 0, maximum: 150)
    /// let code = Attribute.Validation(minimum: 2, pattern: "[A-Z]+")
    /// ```
    public struct Validation: Hashable, Sendable {
        /// The minimum value, or the minimum number of characters of a string.
        ///
        /// For a date, it is in seconds since 1970. The minimum itself is valid.
        public var minimum: Double?

        /// The maximum value, or the maximum number of characters of a string.
        ///
        /// For a date, it is in seconds since 1970. The maximum itself is valid.
        public var maximum: Double?

        /// A regular expression that a string must match as a whole.
        ///
        /// It is matched without backtracking, so that no value can make it slow. It has no effect
        /// on other types.
        public var pattern: String?

        /// Creates constraints.
        ///
        /// ```swift
        /// let state = Attribute.Validation(pattern: "open|paid|sent")
        /// ```
        ///
        /// - Parameters:
        ///   - minimum: The minimum value or length; nil for none.
        ///   - maximum: The maximum value or length; nil for none.
        ///   - pattern: A regular expression for the whole string; nil for none.
        public init(minimum: Double? = nil, maximum: Double? = nil, pattern: String? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.pattern = pattern
        }

        /// Whether there are no constraints.
        package var isEmpty: Bool { minimum == nil && maximum == nil && pattern == nil }
    }
}

/// The type of an attribute, which determines its column and the JSON values that it accepts.
///
/// A value that does not fit is never truncated or rounded to fit: it is reported as a
/// ``Diagnostic``, and by default the row keeps its value. All tables are `STRICT`, so SQLite
/// itself rejects a value of another storage class.
///
/// ```swift
/// let price = Attribute("price", .decimal)   // TEXT, exact: 12.20 is stored as 12.2
/// let paidAt = Attribute("paidAt", .date)    // REAL, seconds since 1970
/// let meta = Attribute("meta", .json)        // TEXT, any JSON value
/// ```
public enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Integers of 16, 32 and 64 bits, in an `INTEGER` column.
    ///
    /// JSON numbers and strings that are numbers are accepted if they have no fraction. A value
    /// must fit the type, except in a primary key, which may have 64 bits whatever its type:
    /// rejecting a key would lose the row.
    case integer16, integer32, integer64
    /// An exact decimal number of at most 38 digits, in a `TEXT` column.
    ///
    /// Use it for money. It is stored in canonical form, without unnecessary zeros, so that equal
    /// numbers are equal texts. In SQL, sort it by `CAST(price AS REAL)`.
    case decimal
    /// Binary floating-point numbers of 64 and 32 bits, in a `REAL` column.
    ///
    /// A float is rounded to 32 bits when it is stored. Neither is recommended as a primary key.
    case double, float
    /// Text, in a `TEXT` column.
    ///
    /// Numbers and Booleans are accepted, and keep their digits. A text with U+0000 is rejected,
    /// because text ends there in SQLite.
    case string
    /// A Boolean, stored as 0 or 1 in an `INTEGER` column.
    ///
    /// Accepted are `true`, `false`, `1`, `0`, and the strings `true`, `yes`, `1`, `false`, `no`,
    /// `0` in any case.
    case boolean
    /// A point in time between the years 0 and 9999, in seconds since 1970 in a `REAL` column.
    ///
    /// It is exact to the microsecond between the years 1700 and 2241. Times without a time zone
    /// are read as UTC. See ``DateFormat/automatic`` for the formats.
    case date
    /// Bytes, in a `BLOB` column; see ``Attribute/BinaryEncoding``.
    case binary
    /// A UUID of 36 characters, stored in uppercase in a `TEXT` column.
    case uuid
    /// A URI without spaces, stored as the service sent it in a `TEXT` column.
    case uri
    /// A value that the app's ``AttributeTransformer`` returns, in an `ANY` column.
    ///
    /// Without a registered transformer the attribute is not imported. Use ``json`` to store any
    /// value without a transformer.
    case transformable
    /// Any JSON value, stored as compact text in a `TEXT` column.
    ///
    /// Members keep their order and numbers their digits. Query it with SQLite's `json_extract`.
    case json

    /// Whether it is one of the integer types.
    package var isInteger: Bool { self == .integer64 || self == .integer32 || self == .integer16 }
}
