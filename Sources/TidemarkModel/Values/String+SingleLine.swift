extension Unicode.Scalar {
    /// Whether a terminal displays the scalar without side effects.
    ///
    /// Control characters and escape sequences control a terminal, line separators start a new
    /// line, and format characters are invisible or reverse the text direction. The zero-width
    /// joiner and non-joiner are allowed, because some scripts and emoji require them.
    package var isPrintable: Bool {
        if self == "\u{200C}" || self == "\u{200D}" { return true }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}

extension String {
    /// Returns the text as one line that is safe to display.
    ///
    /// Scalars that are not printable are replaced by spaces.
    ///
    /// - Parameter limit: The maximum number of Unicode scalars. Characters are not counted,
    ///   because one character can have any number of combining marks. A longer text is truncated
    ///   and ends with an ellipsis.
    /// - Returns: The line.
    package func singleLine(limit: Int = .max) -> String {
        var line = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += 1
            guard count <= limit else {
                line.removeLast()
                line.append("…")
                break
            }
            line.append(scalar.isPrintable ? scalar : " ")
        }
        return String(line)
    }
}
