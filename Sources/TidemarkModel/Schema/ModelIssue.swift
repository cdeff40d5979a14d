/// An error or a warning about a model, with the element that has the problem.
///
/// ```swift
/// for warning in try model.validate() where warning.path.hasPrefix("Order") {
///     print(warning.message, warning.hint ?? "")
/// }
/// ```
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
    /// Whether a store can be created in spite of the issue.
    ///
    /// With an error, no store can be created from the model. With a warning, the model can be used
    /// but may not express what was intended. ``Model/validate()`` returns warnings only.
    public var severity: Diagnostic.Severity

    /// The path of the affected element: `Entity`, `Entity.property`, or `model`.
    ///
    /// `model` is the path of an issue of the whole model, such as a model without entities.
    public var path: String

    /// A sentence that describes the issue.
    public var message: String

    /// A sentence that says how to fix the issue, or nil.
    public var hint: String?

    /// Creates an issue.
    package init(
        _ severity: Diagnostic.Severity,
        at path: String,
        message: String,
        hint: String? = nil
    ) {
        self.severity = severity
        self.path = path
        self.message = message
        self.hint = hint
    }

    /// The path, the message, and the hint if there is one, in one line.
    public var description: String {
        "\(path): \(message)" + (hint.map { " \($0)" } ?? "")
    }
}
