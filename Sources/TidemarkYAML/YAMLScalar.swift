/// A string as a YAML scalar: plain if it cannot be read as anything else, otherwise quoted.
struct YAMLScalar: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = Self.isPlain(text) ? text : Self.quoted(text)
    }

    /// Returns the text in quotation marks, with all invisible characters escaped.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default: result += isVisible(scalar) ? String(scalar) : escaped(scalar)
            }
        }
        return result + "\""
    }

    /// Words that YAML 1.1 does not read as strings.
    private static let words: Set<String> = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf",
    ]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, !words.contains(text.lowercased()) else {
            return false
        }
        let isWord =
            first.isASCII && first.properties.isAlphabetic
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789_.-/".unicodeScalars.contains($0))
            }
        return isWord || Double(text)?.isFinite == true && first.isASCII && first != "+"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
            .surrogate:
            false
        default: scalar.value != 0xFEFF
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let width = scalar.value > 0xFFFF ? 8 : 4
        let letter = width == 8 ? "U" : "u"
        return "\\\(letter)\(String(repeating: "0", count: width - digits.count))\(digits)"
    }
}
