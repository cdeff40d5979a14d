import TidemarkModel

/// A recursive descent parser that converts the tokens of a predicate to a tree.
///
/// Operators with a higher precedence are deeper in the tree.
struct PredicateParser {
    let tokens: [PredicateToken]
    let limits: PredicateLimits
    let names: [String: Value]
    var position = 0
    var arguments: ArraySlice<Value>
    /// The variables of the subqueries that enclose the position.
    var variables: [String] = []
    private var nesting = 0

    init(
        _ text: String,
        arguments: [Value],
        names: [String: Value],
        limits: PredicateLimits
    ) throws(PredicateFault) {
        guard text.utf8.count <= limits.textBytes else {
            throw PredicateFault(
                "The predicate is longer than \(limits.textBytes) bytes",
                at: TextLocation(offset: 0),
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
                at: token.location,
                hint: "TRUEPREDICATE holds for every row."
            )
        }
        let tree = try anyOf()
        guard token.kind == .end else { throw unexpectedToken() }
        guard arguments.isEmpty else {
            throw PredicateFault(
                "There are more arguments than %@ and %K in the text: \(arguments.count) too many",
                at: token.location
            )
        }
        return tree
    }

    // MARK: Tokens

    // The last token is the end; it remains current if the position is beyond it.
    var token: PredicateToken { tokens[min(position, tokens.count - 1)] }

    func token(after distance: Int) -> PredicateToken {
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

    mutating func expect(_ symbol: String, or reason: String) throws(PredicateFault) {
        guard skip(symbol) else {
            throw PredicateFault("\(reason), not \(token.shown)", at: token.location)
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
            return try enclosed()
        }
        if skip(.truepredicate) { return .constant(true) }
        if skip(.falsepredicate) { return .constant(false) }
        return .comparison(try comparison())
    }

    /// Parses a predicate and the closing parenthesis after it.
    mutating func enclosed() throws(PredicateFault) -> PredicateTree {
        try descend()
        defer { nesting -= 1 }
        let tree = try anyOf()
        guard skip(")") else { throw unexpectedToken() }
        return tree
    }

    private mutating func descend() throws(PredicateFault) {
        // The parser is recursive: without a limit, a text could overflow the stack.
        nesting += 1
        guard nesting <= limits.nesting else {
            throw PredicateFault(
                "Parentheses and NOT are nested deeper than \(limits.nesting) levels",
                at: token.location
            )
        }
    }

    private func unexpectedToken() -> PredicateFault {
        let expected = nesting > 0 ? "AND, OR or a closing parenthesis" : "AND, OR or the end"
        return PredicateFault(
            "\(expected) is expected here, not \(token.shown)",
            at: token.location,
            hint: token.isArithmetic ? PredicateToken.arithmeticHint : nil
        )
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
