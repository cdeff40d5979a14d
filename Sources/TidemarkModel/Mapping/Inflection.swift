/// How words form their plural and their singular: the rules of Rails, for English.
///
/// Only the last word of a compound changes, whatever its spelling: `SalesPerson` gives
/// `SalesPeople`, `sales_person` gives `sales_people`. Words that a service treats in its own way
/// are added:
///
/// ```swift
/// let inflection = Inflection.default
///     .adding(singular: "campus", plural: "campuses")
///     .adding(uncountable: "feedback")
/// ```
public struct Inflection: Hashable, Sendable {
    /// Words that have one form only.
    private var uncountables: Set<String>

    /// Pairs that no rule gives, the ones added last first.
    private var irregulars: [Irregular]

    /// The rules for English.
    public static let `default` = Inflection(
        uncountables: uncountableWords,
        irregulars: irregularWords
    )

    /// A pair of forms; it also holds for words that end in it, as `chairperson` does.
    struct Irregular: Hashable, Sendable {
        var singular: String
        var plural: String
    }

    /// These rules and one more pair, which also holds for words that end in it.
    public func adding(singular: String, plural: String) -> Inflection {
        let pair = Irregular(singular: singular.lowercased(), plural: plural.lowercased())
        return Inflection(uncountables: uncountables, irregulars: [pair] + irregulars)
    }

    /// These rules and one more word that has no plural.
    public func adding(uncountable word: String) -> Inflection {
        Inflection(uncountables: uncountables.union([word.lowercased()]), irregulars: irregulars)
    }

    /// The plural of an identifier; one that is a plural already stays as it is.
    public func plural(_ text: String) -> String {
        inflect(text, by: Self.pluralRules, from: \.singular, to: \.plural) { word in
            Self.isAcronym(word) ? word + "s" : nil
        }
    }

    /// The singular of an identifier; one that is a singular already stays as it is, if it shows.
    public func singular(_ text: String) -> String {
        inflect(text, by: Self.singularRules, from: \.plural, to: \.singular) { word in
            Self.isAcronym(word) ? word : nil
        }
    }

    /// Replaces the last word of an identifier by its other form.
    private func inflect(
        _ text: String,
        by rules: [Rule],
        from known: KeyPath<Irregular, String>,
        to wanted: KeyPath<Irregular, String>,
        acronym: (String) -> String?
    ) -> String {
        guard let word = NamingWords.split(text).last, let place = text.range(ofLast: word) else {
            return text
        }
        let lower = word.lowercased()
        guard !uncountables.contains(lower) else { return text }
        let form: String
        if word.hasSuffix("s"), Self.isAcronym(String(word.dropLast())) {
            form = rules == Self.pluralRules ? word : String(word.dropLast())
        } else if let fixed = acronym(word) {
            form = fixed
        } else {
            let other = irregular(lower, from: known, to: wanted) ?? Rule.apply(rules, to: lower)
            form = other.spelled(like: word)
        }
        return text.replacing(place, with: form)
    }

    /// The other form of a word that ends in an irregular one; the longest ending decides.
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

    /// Whether a word is written in capitals, as `URL` is.
    private static func isAcronym(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.allSatisfy(NamingWords.isUpper)
    }
}

extension String {
    /// Where the part stands for the last time.
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

    fileprivate func replacing(_ place: Range<String.Index>, with part: String) -> String {
        String(self[..<place.lowerBound]) + part + String(self[place.upperBound...])
    }

    /// This word in lower case, with the capitals that the model has at its beginning.
    fileprivate func spelled(like model: String) -> String {
        let shared = zip(lowercased(), model.lowercased()).prefix { $0 == $1 }.count
        if shared > 0 { return String(model.prefix(shared)) + dropFirst(shared) }
        guard let first = model.utf8.first, NamingWords.isUpper(first) else { return self }
        return prefix(1).uppercased() + dropFirst()
    }
}
