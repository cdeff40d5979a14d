/// A problem in the data that did not stop the import.
///
/// Bad data is never an exception: a value that does not convert or an object without a key is
/// reported here, and the import continues. Encoded, every property is present; those that do not
/// apply are null.
///
/// Whatever a document contains, the texts are short: the key, the path and the message have at
/// most ``Limits/diagnosticTextBytes`` bytes each.
public struct Diagnostic: Hashable, Sendable, Codable {
    /// Whether something that the model asks for could not be stored.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// An object or a value was not stored as the document has it: it is invalid, or breaks a
        /// rule of the model.
        case error
        /// All that the model asks for was stored, as far as this problem goes.
        case warning
    }

    /// Whether something that the model asks for could not be stored; a quiet command tells only
    /// that.
    public var severity: Severity

    /// The entity the object belongs to.
    public var entity: String

    /// The object's primary key as text, if it has one; of several equal diagnostics, the first.
    public var key: String?

    /// The JSON key as the document spells it, with dots through nested objects; nil when the
    /// problem is the object itself.
    public var path: String?

    /// What is wrong, in a sentence.
    public var message: String

    /// At most ``Limits/diagnosticValueBytes`` bytes of the offending value, where values were
    /// requested.
    public var value: String?

    /// How many times the same problem was found.
    public var count: Int

    /// Creates a diagnostic that was found once.
    public init(
        _ severity: Severity = .warning,
        entity: String,
        key: String? = nil,
        path: String? = nil,
        message: String,
        value: String? = nil,
        count: Int = 1
    ) {
        self.severity = severity
        self.entity = entity
        self.key = key
        self.path = path
        self.message = message
        self.value = value
        self.count = count
    }

    /// Encodes every property; nil as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(severity, forKey: .severity)
        try container.encode(entity, forKey: .entity)
        try container.encode(key, forKey: .key)
        try container.encode(path, forKey: .path)
        try container.encode(message, forKey: .message)
        try container.encode(value, forKey: .value)
        try container.encode(count, forKey: .count)
    }
}

extension String {
    /// The text, or as much of its beginning as fits into so many bytes, an ellipsis included.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, limit - 3))
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return self[..<end] + "…"
    }
}
