import TidemarkModel

/// Resolves the names of a predicate for an entity, and converts literals to the types they are
/// compared with.
struct PredicateTyping {
    let layout: StoreLayout

    /// The rows to which paths can refer: the one that the predicate tests, and those of the
    /// conditions that enclose a part of it.
    private var rows: [Row]

    /// A row that has a condition.
    struct Row {
        let entity: EntityLayout

        /// The variable of a subquery; nil for the row that the predicate tests.
        let variable: Int?
    }

    init(layout: StoreLayout, entity: EntityLayout) {
        self.layout = layout
        rows = [Row(entity: entity, variable: nil)]
    }

    /// The origin of paths that begin at the linked row of a condition within the current one.
    private var linked: TypedPath.Origin { TypedPath.Origin(depth: rows.count) }

    /// Returns the row at which a path begins, and its entity.
    func start(
        of path: PredicatePath,
        at location: TextLocation
    ) throws(PredicateFault) -> (origin: TypedPath.Origin, entity: EntityLayout) {
        switch path.origin {
        case .row: return (.row, rows[0].entity)
        case .bound(let variable):
            if let depth = rows.lastIndex(where: { $0.variable == variable }) {
                return (TypedPath.Origin(depth: depth), rows[depth].entity)
            }
        case .named: break
        }
        throw PredicateFault("The row of a subquery is used outside of its condition", at: location)
    }

    /// Resolves the condition of a subquery on the rows of an entity.
    func condition(
        of subquery: PredicateSubquery,
        on entity: EntityLayout
    ) throws(PredicateFault) -> TypedPredicate {
        var inner = self
        inner.rows.append(Row(entity: entity, variable: subquery.variable))
        return try inner.typed(subquery.condition)
    }

    func typed(_ tree: PredicateTree) throws(PredicateFault) -> TypedPredicate {
        switch tree {
        case .constant(let flag): .constant(flag)
        case .all(let parts): .all(try typed(parts))
        case .any(let parts): .any(try typed(parts))
        case .not(let part): .not(try typed(part))
        case .comparison(let comparison): try typed(comparison)
        case .sql(let condition): try typed(condition)
        }
    }

    private func typed(_ condition: SQLCondition) throws(PredicateFault) -> TypedPredicate {
        try condition.check()
        let origin = TypedPath.Origin(depth: rows.count - 1)
        return .sql(condition, of: origin, table: rows[origin.depth].entity.table)
    }

    private func typed(_ trees: [PredicateTree]) throws(PredicateFault) -> [TypedPredicate] {
        var parts: [TypedPredicate] = []
        for tree in trees { parts.append(try typed(tree)) }
        return parts
    }

    private func typed(_ comparison: PredicateComparison) throws(PredicateFault) -> TypedPredicate {
        let left = try path(of: comparison.left)
        if let membership = try membership(comparison, left: left) { return membership }
        guard let left else { return try flipped(comparison) }
        guard let quantifier = comparison.quantifier else {
            guard left.collection.isEmpty else {
                throw unquantified(left, at: comparison.left.location)
            }
            return try test(comparison, left: left, origin: left.origin)
        }
        guard !left.collection.isEmpty else {
            throw PredicateFault(
                "\(quantifier.rawValue) needs a key path through a to-many relationship",
                at: comparison.left.location,
                hint: "Leave \(quantifier.rawValue) out."
            )
        }
        let test = try test(comparison, left: left, origin: linked)
        switch quantifier {
        case .any: return .exists(from: left.origin, left.collection, test)
        case .no: return .not(.exists(from: left.origin, left.collection, test))
        // True without linked rows, as there is no counterexample.
        case .all: return .not(.exists(from: left.origin, left.collection, .not(test)))
        }
    }

    private func unquantified(_ path: ResolvedPath, at location: TextLocation) -> PredicateFault {
        let name = path.collection.last?.relationship.name ?? ""
        return PredicateFault(
            "\(name) leads to many rows",
            at: location,
            hint: "Write ANY, ALL or NONE before the comparison, or compare \(name).@count."
        )
    }

    // MARK: Members

    /// Resolves a test of membership: `notes CONTAINS "Note:1"` and `"Note:1" IN notes` both mean
    /// `ANY notes = "Note:1"`.
    ///
    /// - Returns: The predicate; nil if the comparison is not a test of membership.
    private func membership(
        _ comparison: PredicateComparison,
        left: ResolvedPath?
    ) throws(PredicateFault) -> TypedPredicate? {
        switch comparison.operation {
        case .contains:
            guard comparison.quantifier == nil, let left, left.isMembers else { return nil }
            return try member(of: left, comparison.right)
        case .among:
            if case .list = comparison.right.content { return nil }
            let right = try path(of: comparison.right)
            guard let right, right.isMembers, comparison.quantifier == nil else {
                throw PredicateFault(
                    "IN must be followed by a list or a to-many relationship",
                    at: comparison.right.location
                )
            }
            return try member(of: right, comparison.left)
        default: return nil
        }
    }

    private func member(
        of members: ResolvedPath,
        _ operand: PredicateOperand
    ) throws(PredicateFault) -> TypedPredicate {
        let left = members.operand(from: linked)
        let right = try self.operand(operand, like: members)
        return .exists(
            from: members.origin,
            members.collection,
            .test(TypedTest(left: left, relation: .equal(right), folding: []))
        )
    }

    // MARK: Tests

    /// Resolves a comparison whose left side is a literal, by exchanging its sides.
    private func flipped(_ comparison: PredicateComparison) throws(PredicateFault) -> TypedPredicate
    {
        guard comparison.quantifier == nil, let right = try path(of: comparison.right) else {
            throw PredicateFault(
                "One side of a comparison must be an attribute or a relationship",
                at: comparison.left.location,
                hint: comparison.left.isText ? "Write names without quotes." : nil
            )
        }
        guard right.collection.isEmpty else {
            throw unquantified(right, at: comparison.right.location)
        }
        let operation: PredicateComparison.Operation
        switch comparison.operation {
        case .equal, .notEqual: operation = comparison.operation
        case .less: operation = .greater
        case .lessOrEqual: operation = .greaterOrEqual
        case .greater: operation = .less
        case .greaterOrEqual: operation = .lessOrEqual
        case .between, .among, .begins, .ends, .contains, .like, .matches:
            throw PredicateFault(
                "An attribute is expected before \(comparison.operation.rawValue)",
                at: comparison.left.location
            )
        }
        let turned = PredicateComparison(
            quantifier: nil,
            left: comparison.right,
            operation: operation,
            folding: comparison.folding,
            right: comparison.left,
            location: comparison.location
        )
        return try test(turned, left: right, origin: right.origin)
    }

    private func test(
        _ comparison: PredicateComparison,
        left: ResolvedPath,
        origin: TypedPath.Origin
    ) throws(PredicateFault) -> TypedPredicate {
        try checkOperation(comparison, left: left)
        let relation = try relation(of: comparison, left: left)
        let test = TypedTest(
            left: left.operand(from: origin),
            relation: relation,
            folding: comparison.folding
        )
        let predicate = test.asExistence ?? .test(test)
        return comparison.operation == .notEqual ? .not(predicate) : predicate
    }

    private func checkOperation(
        _ comparison: PredicateComparison,
        left: ResolvedPath
    ) throws(PredicateFault) {
        let operation = comparison.operation
        switch operation {
        case .equal, .notEqual, .among: break
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
            guard left.kind.isOrdered else {
                throw PredicateFault(
                    "\(left.shown) is \(left.shownKind), which has no order",
                    at: comparison.location,
                    hint: "Compare it with =, != or IN."
                )
            }
        case .begins, .ends, .contains, .like, .matches:
            guard left.kind.isText else {
                throw PredicateFault(
                    "\(operation.rawValue) compares texts; \(left.shown) is \(left.shownKind)",
                    at: comparison.location
                )
            }
        }
        guard comparison.folding.isEmpty || left.kind.isText else {
            throw PredicateFault(
                "\(comparison.folding) is for texts; \(left.shown) is \(left.shownKind)",
                at: comparison.location
            )
        }
    }

    private func relation(
        of comparison: PredicateComparison,
        left: ResolvedPath
    ) throws(PredicateFault) -> TypedTest.Relation {
        let right = comparison.right
        switch comparison.operation {
        case .equal, .notEqual: return .equal(try operand(right, like: left))
        case .less: return .ordered(.less, try operand(right, like: left))
        case .lessOrEqual: return .ordered(.lessOrEqual, try operand(right, like: left))
        case .greater: return .ordered(.greater, try operand(right, like: left))
        case .greaterOrEqual: return .ordered(.greaterOrEqual, try operand(right, like: left))
        case .between, .among:
            var elements: [TypedOperand] = []
            for element in right.elements { elements.append(try operand(element, like: left)) }
            if comparison.operation == .among { return .among(elements) }
            guard elements.count == 2 else {
                throw PredicateFault("BETWEEN {low, high} has two bounds", at: right.location)
            }
            return .between(elements[0], elements[1])
        case .begins: return .text(.begins, try operand(right, like: left.asText))
        case .ends: return .text(.ends, try operand(right, like: left.asText))
        case .contains: return .text(.contains, try operand(right, like: left.asText))
        case .like: return try pattern(.wildcards, of: comparison, left: left)
        case .matches: return try pattern(.regularExpression, of: comparison, left: left)
        }
    }

    private func pattern(
        _ syntax: PatternSyntax,
        of comparison: PredicateComparison,
        left: ResolvedPath
    ) throws(PredicateFault) -> TypedTest.Relation {
        let operand = try operand(comparison.right, like: left.asText)
        switch operand.content {
        // Like every order with NULL, this holds for no row.
        case .value(.null): return .ordered(.less, operand)
        case .value(.string(let text)):
            do throws(PatternError) {
                _ = try TextPattern(text, syntax: syntax, folding: comparison.folding)
            } catch {
                throw PredicateFault(
                    "The pattern cannot be used: \(error.message)",
                    at: comparison.right.location
                )
            }
            return .pattern(syntax, text)
        case .value, .path, .row:
            throw PredicateFault(
                "The pattern behind \(comparison.operation.rawValue) must be a text",
                at: comparison.right.location
            )
        }
    }
}

extension PredicateOperand {
    fileprivate var isText: Bool {
        guard case .literal(.text) = content else { return false }
        return true
    }

    fileprivate var elements: [PredicateOperand] {
        guard case .list(let elements) = content else { return [] }
        return elements
    }
}
