/// A token of a predicate's text.
struct PredicateToken: Hashable {
    let kind: Kind
    let location: TextLocation

    enum Kind: Hashable {
        /// A name or a keyword.
        case word(String)
        /// A name after `#`, which is never a keyword.
        case name(String)
        /// A name after `@`.
        case collection(String)
        /// A name after `$`.
        case variable(String)
        /// A letter or sign after `%`.
        case argument(Unicode.Scalar)
        /// A text in quotes, with its escape sequences resolved.
        case text(String)
        /// The text of a number, without a sign.
        case number(String)
        /// An operator or a bracket.
        case symbol(String)
        /// The end of the text.
        case end
    }

    /// Returns whether the token is a keyword.
    ///
    /// Case is ignored.
    func isKeyword(_ keyword: PredicateKeyword) -> Bool {
        guard case .word(let word) = kind else { return false }
        return PredicateKeyword(word) == keyword
    }

    /// The text of the token in errors.
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

/// The reserved words.
///
/// After `#` they are names.
enum PredicateKeyword: String, CaseIterable {
    case and, or, not
    case any, some, all
    case noneOf = "none"
    case `in`, between, beginswith, endswith, contains, like, matches
    case null, `nil`, `true`, yes, `false`, no
    case row = "self"
    case truepredicate, falsepredicate

    /// Creates the keyword for a word in any case; nil if the word is not a keyword.
    init?(_ word: String) {
        self.init(rawValue: word.lowercased())
    }
}
