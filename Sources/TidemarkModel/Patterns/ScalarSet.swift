/// The set of characters that a position in a pattern matches.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var classes: [(isNegated: Bool, content: ScalarClass)] = []
    var isNegated = false

    /// Whether uppercase and lowercase letters are equal.
    var foldsCases = false

    /// Every character.
    static let everything = ScalarSet(isNegated: true)

    /// Every character except line separators.
    static let line = ScalarSet(
        ranges: ["\n"..."\r", "\u{85}"..."\u{85}", "\u{2028}"..."\u{2029}"],
        isNegated: true
    )

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        // The text is folded to lowercase, but a range may be given in uppercase.
        let isMember =
            has(scalar)
            || foldsCases
                && [scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping]
                    .contains { text in
                        let scalars = text.unicodeScalars
                        return scalars.count == 1 && scalars.first.map(has) == true
                    }
        return isMember != isNegated
    }

    private func has(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar) }
            || classes.contains { $0.content.contains(scalar) != $0.isNegated }
    }
}

/// A class of characters with a common property.
enum ScalarClass: Sendable, Hashable {
    case digit
    case word
    case space
    /// A Unicode general category, or a group of them, by its abbreviation of one or two letters.
    case category(String)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return switch self {
        case .digit: properties.generalCategory == .decimalNumber
        case .space: properties.isWhitespace
        case .word:
            properties.isAlphabetic || properties.isJoinControl
                || ["M", "Nd", "Pc"].contains { properties.generalCategory.isIn($0) }
        case .category(let name): properties.generalCategory.isIn(name)
        }
    }
}

extension Unicode.GeneralCategory {
    /// Returns whether a name is the abbreviation of this category, such as `Lu`, or of its group,
    /// such as `L`.
    func isIn(_ name: String) -> Bool {
        abbreviation.hasPrefix(name)
    }

    /// Returns whether a name is the abbreviation of a category or of a group.
    static func isKnown(_ name: String) -> Bool {
        let all = [
            "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps",
            "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs",
            "Co", "Cn",
        ]
        return !name.isEmpty && all.contains { $0.hasPrefix(name) }
    }

    private var abbreviation: String {
        switch self {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
