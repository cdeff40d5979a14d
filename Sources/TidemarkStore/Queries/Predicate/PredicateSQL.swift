import TidemarkModel

/// Compiles a typed predicate into SQL.
///
/// SQL has three-valued logic, whereas a predicate is either true or false. Negations are applied
/// to the leaves of a condition, never to a whole. Therefore a leaf only has to be true if its
/// comparison holds, and false or NULL if it does not.
struct PredicateSQL {
    let layout: StoreLayout

    /// The alias of the linked row that the condition refers to.
    private(set) var linked: String

    /// The number of aliases in use.
    var aliases = 1

    /// The alias of the row that is tested.
    ///
    /// No table can have this name, as entity names begin with a letter.
    static let row = "_0"

    init(layout: StoreLayout) {
        self.layout = layout
        linked = Self.row
    }

    /// Returns the SQL of a predicate or of its negation.
    func condition(_ predicate: TypedPredicate, isNegated: Bool = false) -> SQLText {
        switch predicate {
        case .constant(let flag): return flag != isNegated ? "1" : "0"
        case .not(let part): return condition(part, isNegated: !isNegated)
        case .all(let parts): return compound(parts, isAll: !isNegated, isNegated: isNegated)
        case .any(let parts): return compound(parts, isAll: isNegated, isNegated: isNegated)
        case .test(let test):
            if let narrowed = test.narrowed {
                return condition(narrowed, isNegated: isNegated)
            }
            return self.test(test, isNegated: isNegated)
        case .exists(let origin, let hops, let part):
            let exists = existence(from: origin, along: hops, where: part)
            return isNegated ? "(\(exists)) IS NOT TRUE" : exists
        }
    }

    private func compound(
        _ parts: [TypedPredicate],
        isAll: Bool,
        isNegated: Bool
    ) -> SQLText {
        let conditions = parts.map { condition($0, isNegated: isNegated) }
        guard conditions.count > 1 else { return conditions.first ?? (isAll ? "1" : "0") }
        return isAll
            ? "(\(conditions.grouped(by: " AND ")))" : "(\(conditions.grouped(by: " OR ")))"
    }

    func alias(of origin: TypedPath.Origin) -> String {
        switch origin {
        case .row: Self.row
        case .linked: linked
        }
    }

    // MARK: Linked rows

    private func existence(
        from origin: TypedPath.Origin,
        along hops: [RelationshipLayout],
        where part: TypedPredicate
    ) -> SQLText {
        var inner = self
        let start = alias(of: origin)
        var chain = inner.chain(from: start, hops)
        inner.linked = chain.alias
        // SQLite finds the referenced rows first, with an index on their columns, and then the rows
        // that refer to them. This requires a condition that is the same for every row.
        if case .column(let column) = hops.first?.storage, !part.dependsOnRow {
            chain.conditions.removeFirst()
            chain.conditions.append(inner.condition(part))
            let reference = layout.name(of: column, in: hops[0].table)
            return """
                \(sql: start).\(sql: reference) IN (SELECT \(sql: chain.first)._id \
                FROM \(chain.sources.joined(by: ", ")) \
                WHERE \(chain.conditions.joined(by: " AND ")))
                """
        }
        chain.conditions.append(inner.condition(part))
        return """
            EXISTS (SELECT 1 FROM \(chain.sources.joined(by: ", ")) \
            WHERE \(chain.conditions.joined(by: " AND ")))
            """
    }
}

extension TypedTest {
    /// The test as a condition on the row that the relationships of the left side lead to.
    ///
    /// Both are equivalent only if the other side is constant and the test cannot hold without such
    /// a row; otherwise this is nil.
    fileprivate var narrowed: TypedPredicate? {
        guard case .path(let whole) = left.content, isFalseForNull else { return nil }
        let path = whole.direct
        guard !path.hops.isEmpty else { return nil }
        let end = TypedPath(origin: .linked, hops: [], end: path.end)
        let left = TypedOperand(kind: left.kind, content: .path(end))
        let test = TypedTest(left: left, relation: relation, folding: folding)
        return .exists(from: path.origin, path.hops, .test(test))
    }

    private var isFalseForNull: Bool {
        operands.allSatisfy { operand in
            switch operand.content {
            case .path, .value(.null): false
            case .value, .row: true
            }
        }
    }

    fileprivate var operands: [TypedOperand] {
        switch relation {
        case .equal(let right), .ordered(_, let right), .text(_, let right): [right]
        case .between(let low, let high): [low, high]
        case .among(let elements): elements
        case .pattern: []
        }
    }
}

extension TypedPredicate {
    /// Whether the predicate refers to the row that the whole predicate tests.
    fileprivate var dependsOnRow: Bool {
        switch self {
        case .constant: false
        case .not(let part): part.dependsOnRow
        case .all(let parts), .any(let parts): parts.contains(where: \.dependsOnRow)
        case .exists(let origin, _, let part): origin == .row || part.dependsOnRow
        case .test(let test): ([test.left] + test.operands).contains(where: \.isOfRow)
        }
    }
}

extension TypedOperand {
    fileprivate var isOfRow: Bool {
        guard case .path(let path) = content else { return false }
        return path.origin == .row
    }
}
