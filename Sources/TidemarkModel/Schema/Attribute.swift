/// A value an object has.
public struct Attribute: Hashable, Sendable {
    /// The attribute's name, which is also its column's.
    public var name: String

    /// What kind of value it is.
    public var type: AttributeType

    /// Whether a row may go without it.
    public var isOptional: Bool

    /// Whether it is never stored.
    public var isTransient: Bool

    /// The value a new row gets when nobody gives one; never applied to a primary key.
    public var defaultValue: Value?

    /// What a value must satisfy.
    public var validation: Validation

    /// The JSON key it is read from and written to; dots lead through nested objects.
    public var remoteKey: String?

    /// Whether it is part of an export.
    public var isExportable: Bool

    /// The name of the registered transformer its values go through.
    public var valueTransformer: String?

    /// How its dates are written, where guessing would be wrong: `seconds`, `milliseconds`,
    /// `microseconds`, or a Unicode date pattern.
    ///
    /// They are exported in it, too. What it has no field for, such as the time of day, is lost on
    /// that way.
    public var dateFormat: String?

    /// What a binary attribute holds.
    public var encoding: BinaryEncoding

    /// Texts that mean null when a service sends them, such as `unknown` or `n/a`.
    ///
    /// Given on this device they are texts like any other, and exported as such; the service takes
    /// them for null.
    public var nullValues: [String]

    /// The attribute's name in the previous version of the model.
    public var renamingIdentifier: String?

    /// Further annotations, kept as they were found.
    public var userInfo: [String: String]

    /// Creates an attribute; everything but name and type may be left out.
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

    /// What a binary attribute holds.
    public enum BinaryEncoding: String, Hashable, Sendable, Codable, CaseIterable {
        /// The compact JSON text of whatever value the service sent.
        ///
        /// On this device any bytes may be stored. Those that are no JSON value are exported as
        /// base64, and an import reads that as the text it is: an attribute whose bytes are the
        /// app's own is better off with ``base64``.
        case json
        /// The bytes that the service sent as base64.
        case base64
    }

    /// What a value must satisfy to be stored; a bound that is absent does not bind.
    public struct Validation: Hashable, Sendable {
        /// The least value, or the least number of characters of a string.
        public var minimum: Double?

        /// The greatest value, or the greatest number of characters of a string.
        public var maximum: Double?

        /// A regular expression that a string must match as a whole.
        public var pattern: String?

        /// Creates a validation.
        public init(minimum: Double? = nil, maximum: Double? = nil, pattern: String? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.pattern = pattern
        }

        /// Whether it binds nothing.
        public var isEmpty: Bool { minimum == nil && maximum == nil && pattern == nil }
    }
}

/// The kinds of values an attribute can have.
public enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A whole number of 16 bits.
    case integer16
    /// A whole number of 32 bits.
    case integer32
    /// A whole number of 64 bits.
    case integer64
    /// An exact decimal number of at most 38 digits.
    case decimal
    /// A binary floating-point number of 64 bits.
    case double
    /// A binary floating-point number of 32 bits.
    case float
    /// A text.
    case string
    /// Yes or no.
    case boolean
    /// A moment in time, exact to the microsecond between 1700 and 2241.
    case date
    /// Bytes; see ``Attribute/BinaryEncoding``.
    case binary
    /// A universally unique identifier.
    case uuid
    /// A uniform resource identifier.
    case uri
    /// A value of the app's own, made by a registered transformer.
    case transformable
    /// Any JSON value, kept as its text.
    case json
}
