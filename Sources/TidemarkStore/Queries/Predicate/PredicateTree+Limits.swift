extension PredicateTree {
    /// Checks that a tree is within limits, whether it was parsed or built by code.
    ///
    /// Everything after it recurses over the tree or passes it to SQLite, whose parser has a small
    /// stack of its own.
    func check(_ limits: PredicateLimits) throws(PredicateFault) {
        var terms = 0
        // Not recursive: a tree built by code may be deeper than the stack of a thread allows.
        var open = [(tree: self, alternation: 0, negations: 0)]
        while let next = open.popLast() {
            guard next.alternation <= limits.alternation else {
                throw PredicateFault(
                    "AND, OR and SUBQUERY are nested more than \(limits.alternation) times",
                    at: TextLocation(offset: 0),
                    hint: "Write it with fewer parentheses. SUBQUERY counts three times."
                )
            }
            guard next.negations <= limits.nesting else {
                throw PredicateFault(
                    "Parentheses and NOT are nested deeper than \(limits.nesting) levels",
                    at: TextLocation(offset: 0)
                )
            }
            switch next.tree {
            case .constant: terms += 1
            case .sql(let condition): terms += 1 + condition.arguments.count
            case .comparison(let comparison):
                terms += 1
                for operand in [comparison.left, comparison.right] {
                    try operand.check(limits, terms: &terms)
                    guard case .subquery(let subquery) = operand.content else { continue }
                    // Its SQL takes three times as much of SQLite's stack as nested AND and OR.
                    open.append((subquery.condition, next.alternation + 3, next.negations + 1))
                }
            case .not(let part): open.append((part, next.alternation, next.negations + 1))
            case .all(let parts), .any(let parts):
                open += parts.map { ($0, next.alternation + 1, next.negations) }
            }
            guard terms <= limits.terms else {
                throw PredicateFault(
                    "The predicate has more than \(limits.terms) comparisons and elements of lists",
                    at: TextLocation(offset: 0)
                )
            }
        }
    }
}

extension PredicateOperand {
    fileprivate func check(
        _ limits: PredicateLimits,
        terms: inout Int
    ) throws(PredicateFault) {
        switch content {
        case .literal: break
        case .path(let path): try path.check(limits, at: location)
        case .subquery(let subquery): try subquery.collection.check(limits, at: location)
        case .list(let elements):
            terms += elements.count
            for element in elements { try element.check(limits, terms: &terms) }
        }
    }
}

extension PredicatePath {
    fileprivate func check(
        _ limits: PredicateLimits,
        at location: TextLocation
    ) throws(PredicateFault) {
        guard names.count <= limits.pathNames else {
            throw PredicateFault(
                "The key path has more than \(limits.pathNames) names",
                at: names.last?.location ?? location
            )
        }
    }
}
