import Foundation

/// Differences that a comparison of strings ignores.
///
/// The folding does not depend on a language: `I` and `i` are equal everywhere, and so are `ß` and
/// `SS`.
package struct TextFolding: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int

    /// Creates a set of differences to ignore.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Ignores the difference between uppercase and lowercase letters.
    package static let cases = TextFolding(rawValue: 1)

    /// Ignores diacritics, such as accents.
    package static let diacritics = TextFolding(rawValue: 2)

    /// The modifier that predicates use, such as `[cd]`; empty if no difference is ignored.
    package var description: String {
        guard !isEmpty else { return "" }
        return "[\(contains(.cases) ? "c" : "")\(contains(.diacritics) ? "d" : "")]"
    }

    /// Returns the folded form of a string.
    ///
    /// Strings that differ only in ignored ways have the same form.
    package func fold(_ text: String) -> String {
        guard !isEmpty else { return text }
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return contains(.cases) ? text.lowercased() : text
        }
        var folded = text
        if contains(.diacritics) { folded = Self.withoutDiacritics(folded) }
        if contains(.cases) { folded = Self.withoutCases(folded) }
        // Folding the case can produce new diacritics, so they are removed again.
        if contains(.diacritics) { folded = Self.withoutDiacritics(folded) }
        return folded
    }

    /// Returns the string with its case folded, by mapping to uppercase and back: several lowercase
    /// letters may share one uppercase letter.
    private static func withoutCases(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            // The dotless i shares its uppercase letter with i, but is a different letter.
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

    /// Returns whether a mark only modifies a letter.
    ///
    /// Nuktas, viramas and the voicing marks of kana create different letters.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.properties.canonicalCombiningClass {
        case .notReordered, .nukta, .kanaVoicing, .virama: return false
        default: return true
        }
    }
}
