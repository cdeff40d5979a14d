/// The number of rows in a to-many relationship that satisfy a condition:
/// `SUBQUERY(notes, $note, $note.done = NO).@count`.
struct PredicateSubquery: Hashable, Sendable {
    /// The path to the relationship.
    let collection: PredicatePath

    /// The number of the variable that is a row of the relationship.
    ///
    /// It is one more than those inside the condition, so that predicates are equal whatever the
    /// names of their variables are, and a part needs no change where another subquery encloses it.
    let variable: Int

    let condition: PredicateTree

    /// Creates a subquery.
    ///
    /// - Parameters:
    ///   - collection: The path to the relationship.
    ///   - name: The name of the variable.
    ///   - condition: The condition, in which the name is not bound yet.
    init(_ collection: PredicatePath, _ name: String, _ condition: PredicateTree) {
        self.collection = collection
        variable = condition.subqueryDepth + 1
        self.condition = condition.binding(name, to: variable)
    }
}

/// The row at which a key path begins.
enum PredicateOrigin: Hashable, Sendable {
    /// The row that the predicate tests.
    case row

    /// A row of an enclosing subquery's relationship, by ``PredicateSubquery/variable``.
    case bound(Int)

    /// A variable whose subquery is not complete yet.
    case named(String)
}

extension PredicateTree {
    /// How deep subqueries are nested in the tree; 0 without one.
    fileprivate var subqueryDepth: Int {
        switch self {
        case .constant, .sql: 0
        case .all(let parts), .any(let parts): parts.map(\.subqueryDepth).max() ?? 0
        case .not(let part): part.subqueryDepth
        case .comparison(let comparison):
            [comparison.left, comparison.right].map { operand in
                guard case .subquery(let subquery) = operand.content else { return 0 }
                return subquery.variable
            }.max() ?? 0
        }
    }

    /// Returns the tree with a name of a variable replaced by its number.
    fileprivate func binding(_ name: String, to variable: Int) -> PredicateTree {
        switch self {
        case .constant, .sql: self
        case .all(let parts): .all(parts.map { $0.binding(name, to: variable) })
        case .any(let parts): .any(parts.map { $0.binding(name, to: variable) })
        case .not(let part): .not(part.binding(name, to: variable))
        case .comparison(let comparison):
            .comparison(
                PredicateComparison(
                    quantifier: comparison.quantifier,
                    left: comparison.left.binding(name, to: variable),
                    operation: comparison.operation,
                    folding: comparison.folding,
                    right: comparison.right.binding(name, to: variable),
                    location: comparison.location
                )
            )
        }
    }
}

extension PredicateOperand {
    fileprivate func binding(_ name: String, to variable: Int) -> PredicateOperand {
        let content: Content =
            switch content {
            case .literal: content
            case .path(let path): .path(path.binding(name, to: variable))
            case .list(let elements): .list(elements.map { $0.binding(name, to: variable) })
            case .subquery(let subquery): .subquery(subquery.binding(name, to: variable))
            }
        return PredicateOperand(content: content, location: location)
    }
}

extension PredicatePath {
    fileprivate func binding(_ name: String, to variable: Int) -> PredicatePath {
        guard origin == .named(name) else { return self }
        return PredicatePath(origin: .bound(variable), names: names, isCounted: isCounted)
    }
}

extension PredicateSubquery {
    private init(
        collection: PredicatePath,
        variable: Int,
        condition: PredicateTree
    ) {
        self.collection = collection
        self.variable = variable
        self.condition = condition
    }

    fileprivate func binding(_ name: String, to variable: Int) -> PredicateSubquery {
        PredicateSubquery(
            collection: collection.binding(name, to: variable),
            variable: self.variable,
            condition: condition.binding(name, to: variable)
        )
    }
}
