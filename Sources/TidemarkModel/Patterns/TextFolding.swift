import Foundation

/// What a comparison of texts disregards.
///
/// It depends on no language: `I` and `i` are alike everywhere, `ß` and `SS` too.
package struct TextFolding: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int

    /// Creates a set of what is disregarded.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Capitals and small letters are alike.
    package static let cases = TextFolding(rawValue: 1)

    /// Letters are alike with and without accents.
    package static let diacritics = TextFolding(rawValue: 2)

    /// `[cd]` as predicates write it.
    package var description: String {
        guard !isEmpty else { return "" }
        return "[\(contains(.cases) ? "c" : "")\(contains(.diacritics) ? "d" : "")]"
    }

    /// The text that stands for all that are alike.
    package func fold(_ text: String) -> String {
        guard !isEmpty else { return text }
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return contains(.cases) ? text.lowercased() : text
        }
        var folded = text
        if contains(.diacritics) { folded = Self.withoutDiacritics(folded) }
        if contains(.cases) { folded = Self.withoutCases(folded) }
        // The two touch each other: a capital may have a mark that its small letter has not.
        if contains(.diacritics) { folded = Self.withoutDiacritics(folded) }
        return folded
    }

    /// Unicode's case folding, by way of the capitals that several small letters share.
    private static func withoutCases(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            // The dotless i shares a capital with i, and is another letter.
            guard scalar != "ı" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let capitals = scalar.properties.lowercaseMapping.unicodeScalars
                .map(\.properties.uppercaseMapping).joined()
            for capital in capitals.unicodeScalars {
                result.unicodeScalars.append(
                    contentsOf: capital.properties.lowercaseMapping.unicodeScalars
                )
            }
        }
        return result
    }

    private static func withoutDiacritics(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
        where !isDiacritic(scalar) {
            result.append(scalar)
        }
        return String(result).precomposedStringWithCanonicalMapping
    }

    /// Whether a mark only modifies a letter.
    ///
    /// Nuktas, the voicing marks of kana and viramas make other letters.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.properties.canonicalCombiningClass {
        case .notReordered, .nukta, .kanaVoicing, .virama: return false
        default: return true
        }
    }
}
