import TidemarkModel

/// A recursive descent parser that converts the tokens of a predicate to a tree.
///
/// Operators with a higher precedence are deeper in the tree.
struct PredicateParser {
    let tokens: [PredicateToken]
    let limits: PredicateLimits
    let names: [String: Value]
    var position = 0
    var terms = 0
    var arguments: ArraySlice<Value>
    private var nesting = 0

    init(
        _ text: String,
        _ arguments: [Value],
        _ names: [String: Value],
        _ limits: PredicateLimits
    ) throws(PredicateFault) {
        guard text.utf8.count <= limits.textBytes else {
            throw PredicateFault(
                "The predicate is longer than \(limits.textBytes) bytes",
                TextPlace(offset: 0),
                hint: "Long values can be given as arguments."
            )
        }
        tokens = try PredicateLexer.tokens(of: text)
        self.limits = limits
        self.names = names
        self.arguments = arguments[...]
    }

    /// Parses the whole text.
    mutating func parse() throws(PredicateFault) -> PredicateTree {
        guard token.kind != .end else {
            throw PredicateFault(
                "The predicate is empty",
                token.place,
                hint: "TRUEPREDICATE holds for every row."
            )
        }
        let tree = try anyOf()
        guard token.kind == .end else { throw behindComparison() }
        guard arguments.isEmpty else {
            throw PredicateFault(
                "There are more arguments than %@ and %K in the text: \(arguments.count) too many",
                token.place
            )
        }
        guard tree.alternation <= limits.alternation else {
            throw PredicateFault(
                "AND and OR are nested more than \(limits.alternation) times",
                TextPlace(offset: 0),
                hint: "Write it with fewer parentheses."
            )
        }
        return tree
    }

    // MARK: Tokens

    // The last token is the end; it remains current if the position is beyond it.
    var token: PredicateToken { tokens[min(position, tokens.count - 1)] }

    func token(behind distance: Int) -> PredicateToken {
        tokens[min(position + distance, tokens.count - 1)]
    }

    mutating func skip(_ symbol: String) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        position += 1
        return true
    }

    mutating func skip(_ keyword: PredicateKeyword) -> Bool {
        guard token.isKeyword(keyword) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ symbol: String, _ reason: String) throws(PredicateFault) {
        guard skip(symbol) else {
            throw PredicateFault("\(reason), not \(token.shown)", token.place)
        }
    }

    /// Counts a comparison or a list element against the limit.
    mutating func countTerm() throws(PredicateFault) {
        terms += 1
        guard terms <= limits.terms else {
            throw PredicateFault(
                "The predicate has more than \(limits.terms) comparisons and elements of lists",
                token.place
            )
        }
    }

    // MARK: Compounds

    private mutating func anyOf() throws(PredicateFault) -> PredicateTree {
        var parts = [try allOf()]
        while skip(.or) || skip("||") { parts.append(try allOf()) }
        return .joined(any: parts)
    }

    private mutating func allOf() throws(PredicateFault) -> PredicateTree {
        var parts = [try negation()]
        while skip(.and) || skip("&&") { parts.append(try negation()) }
        return .joined(all: parts)
    }

    private mutating func negation() throws(PredicateFault) -> PredicateTree {
        if skip(.not) || skip("!") {
            try descend()
            defer { nesting -= 1 }
            return .not(try negation())
        }
        if skip("(") {
            try descend()
            defer { nesting -= 1 }
            let tree = try anyOf()
            guard token.kind == .symbol(")") else { throw behindComparison() }
            position += 1
            return tree
        }
        try countTerm()
        if skip(.truepredicate) { return .constant(true) }
        if skip(.falsepredicate) { return .constant(false) }
        return .comparison(try comparison())
    }

    private mutating func descend() throws(PredicateFault) {
        // The parser is recursive: without a limit, a text could overflow the stack.
        nesting += 1
        guard nesting <= limits.nesting else {
            throw PredicateFault(
                "Parentheses and NOT are nested deeper than \(limits.nesting) levels",
                token.place
            )
        }
    }

    private func behindComparison() -> PredicateFault {
        let expected = nesting > 0 ? "AND, OR or a closing parenthesis" : "AND, OR or the end"
        return PredicateFault(
            "\(expected) is expected here, not \(token.shown)",
            token.place,
            hint: token.isArithmetic ? PredicateToken.arithmeticHint : nil
        )
    }
}

extension PredicateTree {
    /// Joins parts by AND and flattens nested ones: `(a AND b) AND c` becomes `a AND b AND c`.
    fileprivate static func joined(all parts: [PredicateTree]) -> PredicateTree {
        guard parts.count > 1 else { return parts.first ?? .constant(true) }
        return .all(
            parts.flatMap { part in
                guard case .all(let inner) = part else { return [part] }
                return inner
            }
        )
    }

    fileprivate static func joined(any parts: [PredicateTree]) -> PredicateTree {
        guard parts.count > 1 else { return parts.first ?? .constant(false) }
        return .any(
            parts.flatMap { part in
                guard case .any(let inner) = part else { return [part] }
                return inner
            }
        )
    }

    /// The depth to which AND and OR are nested inside each other.
    fileprivate var alternation: Int {
        switch self {
        case .constant, .comparison: 0
        case .not(let part): part.alternation
        case .all(let parts), .any(let parts): 1 + (parts.map(\.alternation).max() ?? 0)
        }
    }
}

extension PredicateToken {
    /// Whether the token is an arithmetic operator.
    var isArithmetic: Bool {
        guard case .symbol(let symbol) = kind else { return false }
        return ["+", "-", "*", "/"].contains(symbol)
    }

    static var arithmeticHint: String {
        "Predicates do not calculate: compare an attribute with a value."
    }
}
