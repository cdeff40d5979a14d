import TidemarkModel

extension PredicateParser {
    /// Parses an operand, an operator and another operand.
    mutating func comparison() throws(PredicateFault) -> PredicateComparison {
        let quantifier = quantifier()
        let left = try operand()
        if case .list = left.content { throw misplacedList(left) }
        let location = token.location
        let operation = try operation()
        let folding = try folding()
        let right = try rightOperand(of: operation)
        return PredicateComparison(
            quantifier: quantifier,
            left: left,
            operation: operation,
            folding: folding,
            right: right,
            location: location
        )
    }

    private mutating func quantifier() -> PredicateComparison.Quantifier? {
        if skip(.any) || skip(.some) { return .any }
        if skip(.all) { return .all }
        return skip(.noneOf) ? .no : nil
    }

    private mutating func operation() throws(PredicateFault) -> PredicateComparison.Operation {
        let found = token.operation
        guard let found else {
            throw PredicateFault(
                "An operator is expected here, not \(token.shown)",
                at: token.location,
                hint: operatorHint
            )
        }
        position += 1
        return found
    }

    private var operatorHint: String? {
        if token.isArithmetic { return PredicateToken.arithmeticHint }
        if token.isKeyword(.not) { return "NOT precedes the whole comparison." }
        if token.kind == .symbol("[") { return "Elements of a list have no numbers here." }
        return "Such as =, <, IN, BETWEEN, CONTAINS or LIKE."
    }

    /// Parses the options of an operator: `[c]`, `[d]` or both.
    private mutating func folding() throws(PredicateFault) -> TextFolding {
        guard skip("[") else { return [] }
        let location = token.location
        guard case .word(let letters) = token.kind else { throw unknownFolding(location) }
        position += 1
        var folding: TextFolding = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": folding.insert(.caseInsensitive)
            case "d": folding.insert(.diacriticInsensitive)
            default: throw unknownFolding(location)
            }
        }
        try expect("]", or: "A closing bracket is expected here")
        return folding
    }

    private func unknownFolding(_ location: TextLocation) -> PredicateFault {
        PredicateFault(
            "The brackets after an operator can contain only c and d",
            at: location,
            hint: "[c] disregards case, [d] diacritics, [cd] both."
        )
    }

    private func misplacedList(_ operand: PredicateOperand) -> PredicateFault {
        PredicateFault("A list can follow only IN and BETWEEN", at: operand.location)
    }

    private mutating func rightOperand(
        of operation: PredicateComparison.Operation
    ) throws(PredicateFault) -> PredicateOperand {
        guard operation == .among || operation == .between else {
            let right = try operand()
            if case .list = right.content { throw misplacedList(right) }
            return right
        }
        let location = token.location
        guard token.isListStart || operation == .among else {
            throw PredicateFault(
                "BETWEEN must be followed by a list",
                at: location,
                hint: "Write BETWEEN {low, high}."
            )
        }
        let right = try operand()
        if case .list(let elements) = right.content, operation == .between, elements.count != 2 {
            throw PredicateFault(
                "The list behind BETWEEN must have two elements, not \(elements.count)",
                at: location,
                hint: "Write BETWEEN {low, high}."
            )
        }
        return right
    }
}

extension PredicateToken {
    fileprivate var operation: PredicateComparison.Operation? {
        switch kind {
        case .symbol(let symbol): Self.symbols[symbol]
        case .word(let word): PredicateKeyword(word).flatMap { Self.keywords[$0] }
        case .name, .collection, .variable, .argument, .text, .number, .end: nil
        }
    }

    private static let symbols: [String: PredicateComparison.Operation] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, ">": .greater,
        "<=": .lessOrEqual, "=<": .lessOrEqual, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    ]

    private static let keywords: [PredicateKeyword: PredicateComparison.Operation] = [
        .between: .between, .in: .among, .beginswith: .begins, .endswith: .ends,
        .contains: .contains, .like: .like, .matches: .matches,
    ]
}
