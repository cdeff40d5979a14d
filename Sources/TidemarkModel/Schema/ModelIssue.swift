/// An error or a warning about a model.
public struct ModelIssue: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The severity of an issue.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// No store can be created from the model.
        case error
        /// The model can be used, but may not express what was intended.
        case warning
    }

    /// Whether a store can be created in spite of the issue.
    public var severity: Severity

    /// The path of the affected element: `Entity`, `Entity.property`, or `model`.
    public var place: String

    /// A sentence that describes the issue.
    public var message: String

    /// A sentence that says how to fix the issue, or nil.
    public var hint: String?

    /// Creates an issue.
    public init(_ severity: Severity, _ place: String, _ message: String, hint: String? = nil) {
        self.severity = severity
        self.place = place
        self.message = message
        self.hint = hint
    }

    /// The path, the message, and the hint if there is one.
    public var description: String {
        "\(place): \(message)" + (hint.map { " \($0)" } ?? "")
    }
}
