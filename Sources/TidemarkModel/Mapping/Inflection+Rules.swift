extension Inflection {
    /// What an ending becomes.
    struct Rule: Hashable, Sendable {
        /// The ending, in lower case.
        var ending: String
        /// What stands there instead.
        var replacement: String
        /// Letters that, standing before the ending, keep the rule from applying.
        var unlessAfter = ""
        /// Whether the ending must be the whole word.
        var isWholeWord = false

        /// What the first rule that fits makes of a word.
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

    /// Words that have one form only.
    static let uncountableWords: Set<String> = [
        "equipment", "fish", "information", "jeans", "money", "news", "police", "rice", "series",
        "sheep", "species",
    ]

    /// Pairs that no rule gives, and words that a rule would spoil.
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

    /// How a plural is formed, the special cases first.
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

    /// How a singular is found, the special cases first.
    ///
    /// Rails takes every `-ves` for an `-f` or `-fe`; here only the words that have one are, so
    /// that a `wave` or a `curve` comes through.
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
