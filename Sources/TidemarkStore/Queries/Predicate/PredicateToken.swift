/// A piece of a predicate's text.
struct PredicateToken: Hashable {
    let kind: Kind
    let place: TextPlace

    enum Kind: Hashable {
        /// A name or a keyword.
        case word(String)
        /// A name behind `#`, never a keyword.
        case name(String)
        /// A name behind `@`.
        case collection(String)
        /// A name behind `$`.
        case variable(String)
        /// A letter or sign behind `%`.
        case argument(Unicode.Scalar)
        /// A text in quotes, its escapes resolved.
        case text(String)
        /// A number as it is written, without a sign.
        case number(String)
        /// An operator or a bracket.
        case symbol(String)
        /// The end of the text.
        case end
    }

    /// Whether it is this keyword, in any case.
    func isKeyword(_ keyword: PredicateKeyword) -> Bool {
        guard case .word(let word) = kind else { return false }
        return PredicateKeyword(word) == keyword
    }

    /// How an error names it.
    var shown: String {
        switch kind {
        case .word(let word): word
        case .name(let name): "#\(name)"
        case .collection(let name): "@\(name)"
        case .variable(let name): "$\(name)"
        case .argument(let letter): "%\(letter)"
        case .text: "a text"
        case .number(let number): number
        case .symbol(let symbol): symbol
        case .end: "the end"
        }
    }
}

/// The words that are no names unless `#` stands before them.
enum PredicateKeyword: String, CaseIterable {
    case and, or, not
    case any, some, all
    case noneOf = "none"
    case `in`, between, beginswith, endswith, contains, like, matches
    case null, `nil`, `true`, yes, `false`, no
    case row = "self"
    case truepredicate, falsepredicate

    /// The keyword that a word is, in any case.
    init?(_ word: String) {
        self.init(rawValue: word.lowercased())
    }
}
