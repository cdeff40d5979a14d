/// The rules that convert English words between singular and plural, based on those of Rails.
///
/// They relate the reference name `tag_ids` to the relationship `tags`. Only the last word of a
/// compound changes, in any spelling: `SalesPerson` becomes `SalesPeople`, and `sales_person`
/// becomes `sales_people`. Add the words that a service treats differently:
///
/// ```swift
/// var naming = NamingConvention.default
/// naming.inflection = naming.inflection
///     .adding(singular: "campus", plural: "campuses")
///     .adding(uncountable: "feedback")
/// ```
public struct Inflection: Hashable, Sendable {
    /// Words that have only one form.
    private var uncountables: Set<String>

    /// Pairs that the rules do not cover.
    ///
    /// The most recently added pairs come first.
    private var irregulars: [Irregular]

    /// The rules for English.
    package static let `default` = Inflection(
        uncountables: uncountableWords,
        irregulars: irregularWords
    )

    /// A pair of forms.
    ///
    /// It also applies to words with that suffix, such as `chairperson`.
    struct Irregular: Hashable, Sendable {
        var singular: String
        var plural: String
    }

    /// Returns a copy with an additional pair, which also applies to words with that suffix.
    ///
    /// It takes precedence over the rules and over pairs that were added before. The case of both
    /// forms is ignored.
    ///
    /// ```swift
    /// var naming = NamingConvention.default
    /// naming.inflection = naming.inflection.adding(singular: "person", plural: "persons")
    /// ```
    ///
    /// - Parameters:
    ///   - singular: The singular form, such as `campus`.
    ///   - plural: The plural form, such as `campuses`.
    /// - Returns: The rules with the pair.
    public func adding(singular: String, plural: String) -> Inflection {
        let pair = Irregular(singular: singular.lowercased(), plural: plural.lowercased())
        return Inflection(uncountables: uncountables, irregulars: [pair] + irregulars)
    }

    /// Returns a copy with an additional word that has no plural form.
    ///
    /// ```swift
    /// var naming = NamingConvention.default
    /// naming.inflection = naming.inflection.adding(uncountable: "feedback")
    /// ```
    ///
    /// - Parameter word: The word, in any case. It also applies as the last word of a compound.
    /// - Returns: The rules with the word.
    public func adding(uncountable word: String) -> Inflection {
        Inflection(uncountables: uncountables.union([word.lowercased()]), irregulars: irregulars)
    }

    /// Returns the plural form of an identifier.
    ///
    /// A plural is returned unchanged.
    package func plural(_ text: String) -> String {
        inflect(text, by: Self.pluralRules, from: \.singular, to: \.plural) { word in
            Self.isAcronym(word) ? word + "s" : nil
        }
    }

    /// Returns the singular form of an identifier.
    ///
    /// A word that is recognizably singular is returned unchanged.
    package func singular(_ text: String) -> String {
        inflect(text, by: Self.singularRules, from: \.plural, to: \.singular) { word in
            Self.isAcronym(word) ? word : nil
        }
    }

    /// Replaces the last word of an identifier with its other form.
    private func inflect(
        _ text: String,
        by rules: [Rule],
        from known: KeyPath<Irregular, String>,
        to wanted: KeyPath<Irregular, String>,
        acronym: (String) -> String?
    ) -> String {
        guard let word = NamingWords.split(text).last, let range = text.range(ofLast: word) else {
            return text
        }
        let lower = word.lowercased()
        guard !uncountables.contains(lower) else { return text }
        let form: String
        // The plural of an acronym ends in a lowercase `s`: `URLs`.
        if word.hasSuffix("s"), Self.isAcronym(String(word.dropLast())) {
            form = rules == Self.pluralRules ? word : String(word.dropLast())
        } else if let fixed = acronym(word) {
            form = fixed
        } else {
            let other = irregular(lower, from: known, to: wanted) ?? Rule.apply(rules, to: lower)
            form = other.spelled(like: word)
        }
        return text.replacing(range, with: form)
    }

    /// Returns the other form of a word with an irregular suffix.
    ///
    /// The longest matching suffix is used.
    private func irregular(
        _ word: String,
        from known: KeyPath<Irregular, String>,
        to wanted: KeyPath<Irregular, String>
    ) -> String? {
        var best: (length: Int, form: String)?
        for pair in irregulars {
            for ending in [pair[keyPath: known], pair[keyPath: wanted]]
            where word.hasSuffix(ending) && ending.count > best?.length ?? 0 {
                best = (ending.count, word.dropLast(ending.count) + pair[keyPath: wanted])
            }
        }
        return best?.form
    }

    /// Returns whether a word consists of capitals, such as `URL`.
    private static func isAcronym(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.allSatisfy(NamingWords.isUpper)
    }
}

extension String {
    /// Returns the range of the last occurrence of a string.
    fileprivate func range(ofLast part: String) -> Range<String.Index>? {
        let ending = utf8.count - part.utf8.count
        for offset in stride(from: ending, through: 0, by: -1) {
            let start = utf8.index(startIndex, offsetBy: offset)
            if self[start...].hasPrefix(part) {
                return start..<utf8.index(start, offsetBy: part.utf8.count)
            }
        }
        return nil
    }

    fileprivate func replacing(_ range: Range<String.Index>, with part: String) -> String {
        String(self[..<range.lowerBound]) + part + String(self[range.upperBound...])
    }

    /// Returns this lowercase word with the capitals of a similar word.
    fileprivate func spelled(like model: String) -> String {
        let shared = zip(lowercased(), model.lowercased()).prefix { $0 == $1 }.count
        if shared > 0 { return String(model.prefix(shared)) + dropFirst(shared) }
        guard let first = model.utf8.first, NamingWords.isUpper(first) else { return self }
        return prefix(1).uppercased() + dropFirst()
    }
}
