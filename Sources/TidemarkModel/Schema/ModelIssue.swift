/// Something that is wrong or doubtful in a model.
public struct ModelIssue: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Whether a store can be laid out all the same.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The model cannot be used.
        case error
        /// The model can be used, but perhaps it does not say what was meant.
        case warning
    }

    /// Whether a store can be laid out all the same.
    public var severity: Severity

    /// The entity, or `Entity.property`.
    public var place: String

    /// What is the matter, in a sentence.
    public var message: String

    /// What to do about it.
    public var hint: String?

    /// Creates a finding.
    public init(_ severity: Severity, _ place: String, _ message: String, hint: String? = nil) {
        self.severity = severity
        self.place = place
        self.message = message
        self.hint = hint
    }

    /// The place, what is the matter there, and what to do about it.
    public var description: String {
        "\(place): \(message)" + (hint.map { " \($0)" } ?? "")
    }
}
