extension Unicode.Scalar {
    /// Whether a terminal shows the character, and nothing else happens.
    ///
    /// Control characters and escape sequences steer a terminal, line separators begin another
    /// line, and format characters turn the direction of a line around or are invisible. The two
    /// joiners hold letters and emoji together.
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
    /// The text in one line that is safe to show: what is not printable becomes a blank.
    ///
    /// - Parameter limit: How many characters the line may have. They are counted as Unicode
    ///   scalars: any number of combining marks would pass as one letter. A longer text ends with
    ///   an ellipsis.
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
