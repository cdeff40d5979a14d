extension Inflection {
    /// The replacement of a suffix.
    struct Rule: Hashable, Sendable {
        /// The suffix, in lower case.
        var ending: String
        /// The text that replaces it.
        var replacement: String
        /// Letters before the suffix that prevent the rule from being applied.
        var unlessAfter = ""
        /// Whether the rule applies only to the suffix as a whole word.
        var isWholeWord = false

        /// Returns the result of the first rule that matches a word, or the word itself.
        static func apply(_ rules: [Rule], to word: String) -> String {
            guard let rule = rules.first(where: { $0.fits(word) }) else { return word }
            return word.dropLast(rule.ending.count) + rule.replacement
        }

        private func fits(_ word: String) -> Bool {
            if isWholeWord { return word == ending }
            guard word.hasSuffix(ending) else { return false }
            guard !unlessAfter.isEmpty else { return true }
            return word.dropLast(ending.count).last.map { !unlessAfter.contains($0) } ?? false
        }
    }

    /// Words that have only one form.
    static let uncountableWords: Set<String> = [
        "equipment", "fish", "information", "jeans", "money", "news", "police", "rice", "series",
        "sheep", "species",
    ]

    /// Pairs that the rules do not cover, and words for which a rule would give a wrong form.
    static let irregularWords: [Irregular] =
        [
            ("child", "children"), ("man", "men"), ("move", "moves"), ("person", "people"),
            ("sex", "sexes"), ("woman", "women"), ("zombie", "zombies"),
            ("abdomen", "abdomens"), ("german", "germans"), ("human", "humans"),
            ("omen", "omens"), ("regimen", "regimens"), ("roman", "romans"),
            ("shaman", "shamans"), ("specimen", "specimens"), ("talisman", "talismans"),
            ("cache", "caches"), ("cafe", "cafes"), ("calorie", "calories"),
            ("cookie", "cookies"), ("movie", "movies"), ("rookie", "rookies"),
            ("selfie", "selfies"), ("shoe", "shoes"), ("database", "databases"),
        ]
        .map { Irregular(singular: $0.0, plural: $0.1) }

    /// The rules for the plural form.
    ///
    /// The first match is used, so special cases come first.
    static let pluralRules: [Rule] =
        wholeWords([
            "ox": "oxen", "oxen": "oxen", "mouse": "mice", "mice": "mice", "louse": "lice",
            "lice": "lice", "axis": "axes", "testis": "testes",
        ])
        + endings([
            ("quiz", "quizzes"), ("matrix", "matrices"), ("vertex", "vertices"),
            ("vertix", "vertices"), ("index", "indices"), ("x", "xes"), ("ch", "ches"),
            ("ss", "sses"), ("sh", "shes"), ("quy", "quies"),
        ])
        + [Rule(ending: "y", replacement: "ies", unlessAfter: "aeiouy")]
        + endings([("lf", "lves"), ("rf", "rves")])
        + [Rule(ending: "fe", replacement: "ves", unlessAfter: "f")]
        + endings([
            ("sis", "ses"), ("tum", "ta"), ("ium", "ia"), ("ta", "ta"), ("ia", "ia"),
            ("buffalo", "buffaloes"), ("tomato", "tomatoes"), ("bus", "buses"),
            ("alias", "aliases"), ("status", "statuses"), ("octopus", "octopi"),
            ("virus", "viri"), ("octopi", "octopi"), ("viri", "viri"), ("s", "s"), ("", "s"),
        ])

    /// The rules for the singular form.
    ///
    /// The first match is used, so special cases come first.
    ///
    /// Rails changes every `-ves` to `-f` or `-fe`. Here only certain words do, so that `waves` and
    /// `curves` become `wave` and `curve`.
    static let singularRules: [Rule] =
        wholeWords([
            "oxen": "ox", "mice": "mouse", "lice": "louse", "axes": "axis", "bases": "basis",
            "ties": "tie", "pies": "pie", "lies": "lie",
        ])
        + endings([
            ("quizzes", "quiz"), ("matrices", "matrix"), ("vertices", "vertex"),
            ("indices", "index"), ("aliases", "alias"), ("alias", "alias"),
            ("statuses", "status"), ("status", "status"), ("octopi", "octopus"),
            ("octopus", "octopus"), ("viri", "virus"), ("virus", "virus"),
            ("crises", "crisis"), ("testes", "testis"), ("testis", "testis"),
            ("analyses", "analysis"), ("diagnoses", "diagnosis"),
            ("parentheses", "parenthesis"), ("prognoses", "prognosis"),
            ("synopses", "synopsis"), ("theses", "thesis"), ("sis", "sis"), ("oes", "o"),
            ("buses", "bus"), ("bus", "bus"), ("xes", "x"), ("ches", "ch"), ("sses", "ss"),
            ("shes", "sh"), ("axis", "axis"), ("quies", "quy"),
        ])
        + [Rule(ending: "ies", replacement: "y", unlessAfter: "aeiouy")]
        + endings([
            ("wives", "wife"), ("knives", "knife"), ("leaves", "leaf"), ("loaves", "loaf"),
            ("thieves", "thief"), ("halves", "half"), ("calves", "calf"), ("elves", "elf"),
            ("wolves", "wolf"), ("scarves", "scarf"), ("dwarves", "dwarf"), ("hooves", "hoof"),
            ("wharves", "wharf"), ("ta", "tum"), ("ia", "ium"), ("ss", "ss"), ("s", ""),
        ])

    private static func wholeWords(_ pairs: KeyValuePairs<String, String>) -> [Rule] {
        pairs.map { Rule(ending: $0.key, replacement: $0.value, isWholeWord: true) }
    }

    private static func endings(_ pairs: [(String, String)]) -> [Rule] {
        pairs.map { Rule(ending: $0.0, replacement: $0.1) }
    }
}
