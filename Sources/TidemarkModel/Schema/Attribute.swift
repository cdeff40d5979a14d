/// An attribute of an entity.
public struct Attribute: Hashable, Sendable {
    /// The name of the attribute.
    ///
    /// Its column has the same name, or `<name>_<Entity>` if a sibling entity declares an attribute
    /// of this name with another type.
    public var name: String

    /// The type of the attribute's values.
    public var type: AttributeType

    /// Whether the value may be null.
    public var isOptional: Bool

    /// Whether the attribute is excluded from the store.
    public var isTransient: Bool

    /// The value of a new row for which no other is given.
    ///
    /// It does not apply to a primary key.
    public var defaultValue: Value?

    /// The constraints that a value must satisfy.
    public var validation: Validation

    /// The JSON key from which an import reads the value and to which an export writes it.
    ///
    /// Dots separate the components of a path through nested objects. If it is nil, the naming
    /// convention derives the key from the attribute's name.
    public var remoteKey: String?

    /// Whether the attribute is exported.
    public var isExportable: Bool

    /// The name of the registered transformer that converts the attribute's values.
    public var valueTransformer: String?

    /// The format of the attribute's dates, if automatic detection would be wrong: `seconds`,
    /// `milliseconds`, `microseconds`, or a Unicode date pattern.
    ///
    /// Exports use it, too. An export loses every part of a date for which the format has no field,
    /// such as the time of day.
    public var dateFormat: String?

    /// The JSON representation of a binary attribute.
    public var encoding: BinaryEncoding

    /// Strings that mean null when a service sends them, such as `unknown` or `n/a`.
    ///
    /// A local write stores them as ordinary strings, and an export writes them unchanged. The
    /// service then reads them as null.
    public var nullValues: [String]

    /// The name of the attribute in the previous version of the model.
    public var renamingIdentifier: String?

    /// Further annotations, unchanged from the source of the model.
    public var userInfo: [String: String]

    /// Creates an attribute.
    ///
    /// Only the name and the type are required.
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
        renamingIdentifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.defaultValue = defaultValue
        self.validation = validation
        self.remoteKey = remoteKey
        self.isExportable = isExportable
        self.valueTransformer = valueTransformer
        self.dateFormat = dateFormat
        self.encoding = encoding
        self.nullValues = nullValues
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
    }

    /// The JSON representation of a binary attribute.
    public enum BinaryEncoding: String, Hashable, Sendable, Codable, CaseIterable {
        /// The bytes are the compact JSON text of any value that the service sends.
        ///
        /// A local write may store any bytes. Those that are not a JSON value are exported as
        /// base64, which an import then reads as a string. Use ``base64`` for an attribute whose
        /// bytes belong to the app.
        case json
        /// The service sends the bytes as base64.
        case base64
    }

    /// The constraints that a value must satisfy to be stored.
    ///
    /// A bound that is nil does not apply.
    public struct Validation: Hashable, Sendable {
        /// The minimum value, or the minimum number of characters of a string.
        ///
        /// For a date, it is in seconds since 1970.
        public var minimum: Double?

        /// The maximum value, or the maximum number of characters of a string.
        ///
        /// For a date, it is in seconds since 1970.
        public var maximum: Double?

        /// A regular expression that a string must match as a whole.
        public var pattern: String?

        /// Creates constraints.
        public init(minimum: Double? = nil, maximum: Double? = nil, pattern: String? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.pattern = pattern
        }

        /// Whether there are no constraints.
        public var isEmpty: Bool { minimum == nil && maximum == nil && pattern == nil }
    }
}

/// The type of an attribute.
public enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A 16-bit integer.
    case integer16
    /// A 32-bit integer.
    case integer32
    /// A 64-bit integer.
    case integer64
    /// An exact decimal number of at most 38 digits.
    case decimal
    /// A 64-bit binary floating-point number.
    case double
    /// A 32-bit binary floating-point number.
    case float
    /// A string.
    case string
    /// A Boolean.
    case boolean
    /// A point in time, exact to the microsecond between the years 1700 and 2241.
    case date
    /// Bytes; see ``Attribute/BinaryEncoding``.
    case binary
    /// A UUID.
    case uuid
    /// A URI.
    case uri
    /// A value of an application-defined type, which a registered transformer converts.
    case transformable
    /// Any JSON value, stored as its text.
    case json
}
