/// How a pattern is written.
package enum PatternSyntax: Int, Sendable {
    /// As behind `LIKE`: `*` for any text, `?` for one character, `\` before a sign that is itself.
    case wildcards
    /// As behind `MATCHES`.
    case regularExpression
}

/// Why a pattern cannot be used.
package struct PatternError: Error, Hashable, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}
