import TidemarkModel

/// Compiles a typed predicate into SQL.
///
/// SQL has three-valued logic, whereas a predicate is either true or false. Negations are applied
/// to the leaves of a condition, never to a whole. Therefore a leaf only has to be true if its
/// comparison holds, and false or NULL if it does not.
struct PredicateSQL {
    let layout: StoreLayout

    /// The aliases of the rows that conditions refer to, by the depths of ``TypedPath/Origin``.
    private var rows: [String]

    /// The number of aliases in use.
    var aliases = 1

    /// The alias of the row that is tested.
    ///
    /// No table can have this name, as entity names begin with a letter.
    static let row = "_0"

    init(layout: StoreLayout) {
        self.layout = layout
        rows = [Self.row]
    }

    /// Returns the SQL of a predicate or of its negation.
    func condition(_ predicate: TypedPredicate, isNegated: Bool = false) -> SQLText {
        switch predicate {
        case .constant(let flag): return flag != isNegated ? "1" : "0"
        case .not(let part): return condition(part, isNegated: !isNegated)
        case .all(let parts): return compound(parts, isAll: !isNegated, isNegated: isNegated)
        case .any(let parts): return compound(parts, isAll: isNegated, isNegated: isNegated)
        case .test(let test):
            if let narrowed = test.narrowed(to: linked) {
                return condition(narrowed, isNegated: isNegated)
            }
            return self.test(test, isNegated: isNegated)
        case .exists(let origin, let hops, let part):
            let exists = existence(from: origin, along: hops, where: part)
            return isNegated ? "(\(exists)) IS NOT TRUE" : exists
        case .sql(let condition, let origin, let table):
            let test = self.test(condition, of: origin, table: table)
            return isNegated ? "NOT \(test)" : test
        }
    }

    /// Returns the test of a condition in SQL.
    ///
    /// Its names are those of a table of its own, whatever tables the statement has.
    private func test(
        _ condition: SQLCondition,
        of origin: TypedPath.Origin,
        table: Int
    ) -> SQLText {
        let own = SQLText(text: condition.text, arguments: condition.arguments)
        // A comment ends with its line.
        return """
            EXISTS (SELECT 1 FROM \(sql: layout.name(of: table)) \
            WHERE _id = \(sql: alias(of: origin))._id AND (\(own)\n))
            """
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

    func alias(of origin: TypedPath.Origin) -> String { rows[origin.depth] }

    /// The origin of paths that begin at the linked row of a condition within the current one.
    private var linked: TypedPath.Origin { TypedPath.Origin(depth: rows.count) }

    // MARK: Linked rows

    /// Returns the number of the rows of a relationship that satisfy a condition.
    func count(
        _ relationship: RelationshipLayout,
        of row: String,
        where part: TypedPredicate
    ) -> SQLText {
        var inner = self
        var chain = inner.chain(from: row, [relationship])
        inner.rows.append(chain.alias)
        chain.conditions.append(inner.condition(part))
        return """
            (SELECT count(*) FROM \(chain.sources.joined(by: ", ")) \
            WHERE \(chain.conditions.joined(by: " AND ")))
            """
    }

    private func existence(
        from origin: TypedPath.Origin,
        along hops: [RelationshipLayout],
        where part: TypedPredicate
    ) -> SQLText {
        var inner = self
        let start = alias(of: origin)
        var chain = inner.chain(from: start, hops)
        inner.rows.append(chain.alias)
        // SQLite finds the referenced rows first, with an index on their columns, and then the rows
        // that refer to them. This requires a condition that is the same for every row.
        if case .column(let column) = hops.first?.storage, !part.refers(toRowsAbove: linked) {
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
    fileprivate func narrowed(to linked: TypedPath.Origin) -> TypedPredicate? {
        guard case .path(let whole) = left.content, isFalseForNull else { return nil }
        let path = whole.direct
        guard !path.hops.isEmpty else { return nil }
        // The origins of its own condition would be off by one.
        if case .count(_, where: _?) = path.end { return nil }
        let end = TypedPath(origin: linked, hops: [], end: path.end)
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

    /// The operands on the right side.
    var operands: [TypedOperand] {
        switch relation {
        case .equal(let right), .ordered(_, let right), .text(_, let right): [right]
        case .between(let low, let high): [low, high]
        case .among(let elements): elements
        case .pattern: []
        }
    }
}

extension TypedPredicate {
    /// Returns whether the predicate refers to a row that encloses the one at an origin.
    fileprivate func refers(toRowsAbove row: TypedPath.Origin) -> Bool {
        switch self {
        case .constant, .sql: false
        case .not(let part): part.refers(toRowsAbove: row)
        case .all(let parts), .any(let parts): parts.contains { $0.refers(toRowsAbove: row) }
        case .exists(let origin, _, let part): origin < row || part.refers(toRowsAbove: row)
        case .test(let test):
            ([test.left] + test.operands).contains { $0.refers(toRowsAbove: row) }
        }
    }
}

extension TypedOperand {
    fileprivate func refers(toRowsAbove row: TypedPath.Origin) -> Bool {
        guard case .path(let path) = content else { return false }
        if case .count(_, let condition?) = path.end, condition.refers(toRowsAbove: row) {
            return true
        }
        return path.origin < row
    }
}
