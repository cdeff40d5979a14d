/// How a pattern is written.
enum PatternSyntax: Int, Sendable {
    /// As behind `LIKE`: `*` for any text, `?` for one character, `\` before a sign that is itself.
    case wildcards
    /// As behind `MATCHES`.
    case regularExpression
}

/// Why a pattern cannot be used.
struct PatternError: Error, Hashable, CustomStringConvertible {
    let message: String

    var description: String { message }
}
