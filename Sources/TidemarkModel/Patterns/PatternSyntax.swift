/// The syntax of a pattern.
package enum PatternSyntax: Int, Sendable {
    /// The syntax of `LIKE`: `*` matches any text, `?` any character, and `\` escapes the next
    /// character.
    case wildcards
    /// The syntax of `MATCHES`, a regular expression.
    case regularExpression
}

/// An error that reports why a pattern cannot be used.
package struct PatternError: Error, Hashable, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}
