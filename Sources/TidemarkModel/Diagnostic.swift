/// One thing about the data that somebody should know, though it did not stop the work.
///
/// Bad data is never an exception: a value that does not convert or an object without a key is told
/// here, and the rest goes on.
public struct Diagnostic: Hashable, Sendable, Codable {
    /// The entity the object belongs to.
    public var entity: String

    /// The object's primary key as text, if it has one; of several alike, the first.
    public var key: String?

    /// The JSON key, with dots through nested objects; nil when it is about the object itself.
    public var path: String?

    /// What is the matter, in a sentence.
    public var message: String

    /// The offending value, at most ``Limits/diagnosticValueBytes`` bytes of it, where it was asked
    /// for.
    public var value: String?

    /// How many times the same thing was found.
    public var count: Int

    /// Creates a diagnostic that was found once.
    public init(
        entity: String,
        key: String? = nil,
        path: String? = nil,
        message: String,
        value: String? = nil,
        count: Int = 1
    ) {
        self.entity = entity
        self.key = key
        self.path = path
        self.message = message
        self.value = value
        self.count = count
    }
}
