import Foundation

/// Differences that a comparison of strings ignores.
///
/// ```swift
/// let some = Note.filter { $0.text.contains("tea", folding: [.caseInsensitive]) }
/// ```
///
/// The folding does not depend on a language: `I` and `i` are equal everywhere, and so are `ß` and
/// `SS`.
public struct TextFolding: OptionSet, Hashable, Sendable, CustomStringConvertible {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set of differences to ignore.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Ignores the difference between uppercase and lowercase letters.
    public static let caseInsensitive = TextFolding(rawValue: 1)

    /// Ignores diacritics, such as accents.
    public static let diacriticInsensitive = TextFolding(rawValue: 2)

    /// The modifier that predicates use, such as `[cd]`; empty if no difference is ignored.
    public var description: String {
        guard !isEmpty else { return "" }
        return
            "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }

    /// Returns the folded form of a string.
    ///
    /// Strings that differ only in ignored ways have the same form.
    package func fold(_ text: String) -> String {
        guard !isEmpty else { return text }
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return contains(.caseInsensitive) ? text.lowercased() : text
        }
        var folded = text
        if contains(.diacriticInsensitive) { folded = Self.withoutDiacritics(folded) }
        if contains(.caseInsensitive) { folded = Self.withoutCases(folded) }
        // Folding the case can produce new diacritics, so they are removed again.
        if contains(.diacriticInsensitive) { folded = Self.withoutDiacritics(folded) }
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
