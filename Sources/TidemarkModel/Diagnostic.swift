/// A problem in the data that did not stop the import.
///
/// Invalid data does not throw an error: a value that does not convert, or an object without a key,
/// is reported as a diagnostic and the import continues. Equal problems are reported once, with
/// their number. Show or log them: they are often the first sign that a service has changed.
///
/// ```swift
/// var items = try JSONDocument(body).items()
/// let report = try importer.import(&items, into: "User")
/// for diagnostic in report.diagnostics where diagnostic.severity == .error {
///     print(diagnostic)   // User:6, age: The value is not a number. (2 times)
/// }
/// ```
///
/// The encoded form contains every property; those that do not apply are null. The size is bounded
/// whatever a document contains: the key, the path and the message have at most
/// ``Limits/diagnosticTextBytes`` bytes each.
public struct Diagnostic: Hashable, Sendable, Codable {
    /// The severity of a problem: whether data was not stored because of it.
    ///
    /// The raw values `error` and `warning` are those of the encoded form.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// An object or a value was not stored as it appears in the document, because it is invalid
        /// or violates a rule of the model.
        case error
        /// Everything that the model declares was stored in spite of the problem.
        ///
        /// An example is a member for which the model has no attribute.
        case warning
    }

    /// Whether data was not stored because of the problem.
    ///
    /// With `--quiet`, commands print errors only.
    public var severity: Severity

    /// The name of the entity that the object belongs to.
    public var entity: String

    /// The object's primary key as text, or nil if it has none.
    ///
    /// If the problem was found several times, the key of the first object. Joined to the entity by
    /// a colon it is the text of a record locator, `User:6`, unless it is truncated.
    public var key: String?

    /// The JSON key as spelled in the document; keys of nested objects are joined by dots, and a
    /// key that contains dots itself is in quotation marks, as in a `remoteKey`.
    ///
    /// Nil if the problem concerns the object itself.
    public var path: String?

    /// A sentence that describes the problem.
    ///
    /// Diagnostics with equal entity, path and message are counted as one.
    public var message: String

    /// The invalid value, truncated to ``Limits/diagnosticValueBytes`` bytes; nil unless the caller
    /// requested values.
    ///
    /// Values may be confidential, which is why `ImportOptions.showsValues` has to request them.
    public var value: String?

    /// The number of times the same problem was found.
    public var count: Int

    /// Creates a diagnostic for a problem that was found once.
    package init(
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

    /// Encodes every property; a property that is nil is encoded as null.
    ///
    /// The keys are the names of the properties, so that a program can filter a log of diagnostics.
    ///
    /// ```swift
    /// for resource in report.resources.values {
    ///     let json = try JSONEncoder().encode(resource.imported.diagnostics)
    ///     print(String(decoding: json, as: UTF8.self))   // [{"severity":"error","entity":"User",…
    /// }
    /// ```
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
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
    /// Returns the string, or a prefix of it followed by an ellipsis that has at most `limit`
    /// bytes.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, limit - 3))
        // Ends at the boundary of a scalar; the ellipsis takes three bytes.
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return self[..<end] + "…"
    }
}
