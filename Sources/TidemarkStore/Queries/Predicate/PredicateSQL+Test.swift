import TidemarkModel

extension PredicateSQL {
    /// Returns the SQL of a comparison or of its negation.
    func test(_ test: TypedTest, isNegated: Bool) -> SQLText {
        let left = folded(test.left, by: test.folding)
        if case .equal(let operand) = test.relation, !operand.isRow {
            // In contrast to `=`, IS is true for two NULLs and false, not NULL, for one.
            let (left, right) = comparable(test, left: left, right: operand)
            return isNegated ? "\(left) IS NOT \(right)" : "\(left) IS \(right)"
        }
        let condition = positive(test, left: left)
        // In contrast to NOT, this is true for NULL.
        return isNegated ? "(\(condition)) IS NOT TRUE" : condition
    }

    private func positive(_ test: TypedTest, left: SQLText) -> SQLText {
        switch test.relation {
        case .equal(let operand):
            // Not IS: a row that does not exist has the number NULL, which must not equal a
            // reference that is NULL.
            return "\(left) = \(folded(operand, by: test.folding))"
        case .ordered(let order, let operand):
            let (left, right) = comparable(test, left: left, right: operand)
            return "\(left) \(sql: order.rawValue) \(right)"
        case .between(let low, let high):
            // With decimals, each bound may require a different left side.
            let (first, lowest) = comparable(test, left: left, right: low)
            let (second, highest) = comparable(test, left: left, right: high)
            return low.isConstant && high.isConstant && test.left.kind == low.kind
                ? "\(first) BETWEEN \(lowest) AND \(highest)"
                : "(\(first) >= \(lowest) AND \(second) <= \(highest))"
        case .among(let elements): return among(test, left: left, elements: elements)
        case .text(let relation, let operand):
            return text(relation, test: test, left: left, right: operand)
        case .pattern(let syntax, let pattern):
            return """
                \(sql: QueryFunction.matches)(\(value(test.left)), \(.string(pattern)), \
                \(.integer(Int64(syntax.rawValue))), \
                \(.integer(Int64(test.folding.rawValue))))
                """
        }
    }

    // MARK: Operands

    private func value(_ operand: TypedOperand) -> SQLText {
        switch operand.content {
        case .path(let path): value(path)
        case .value(let value): "\(value)"
        case .row(let entity, let identifier): row(of: entity, at: identifier)
        }
    }

    private func folded(_ operand: TypedOperand, by folding: TextFolding) -> SQLText {
        guard !folding.isEmpty else { return value(operand) }
        if case .value(let value) = operand.content {
            return "\(value.text.map { .string(folding.fold($0)) } ?? value)"
        }
        return """
            \(sql: QueryFunction.fold)(\(value(operand)), \(.integer(Int64(folding.rawValue))))
            """
    }

    /// Returns both sides in a form that SQLite compares correctly.
    ///
    /// Decimals are stored as text. Equal decimals have equal texts, but only the collation orders
    /// them by value.
    private func comparable(
        _ test: TypedTest,
        left: SQLText,
        right operand: TypedOperand
    ) -> (left: SQLText, right: SQLText) {
        let right = folded(operand, by: test.folding)
        guard test.left.kind.isDecimal || operand.kind.isDecimal else { return (left, right) }
        if case .equal = test.relation, test.left.kind == operand.kind { return (left, right) }
        return (
            "\(decimal(left, of: test.left.kind)) COLLATE \(sql: QueryFunction.decimalOrder)",
            decimal(right, of: operand.kind)
        )
    }

    private func decimal(_ sql: SQLText, of kind: TypedKind) -> SQLText {
        kind.isDecimal ? sql : "CAST(\(sql) AS TEXT)"
    }

    // MARK: Lists

    private func among(
        _ test: TypedTest,
        left: SQLText,
        elements: [TypedOperand]
    ) -> SQLText {
        let paths = elements.filter { !$0.isConstant }
        let constants = elements.filter { $0.isConstant && !$0.isNull && !$0.isRow }
        let named = elements.filter(\.isRow)
        var conditions = rows(named).map { "\(left) IN (\($0))" as SQLText }
        if !constants.isEmpty {
            let values = constants.map { folded($0, by: test.folding) }
            conditions.append("\(left) IN (\(.list(values)))")
        }
        // IN never finds NULL, so a null element is tested separately.
        if constants.count + named.count + paths.count < elements.count {
            conditions.append("\(left) IS NULL")
        }
        conditions += paths.map { path in
            let equal = TypedTest(left: test.left, relation: .equal(path), folding: test.folding)
            return self.test(equal, isNegated: false)
        }
        guard conditions.count > 1 else { return conditions.first ?? "0" }
        return "(\(conditions.grouped(by: " OR ")))"
    }

    // MARK: Texts

    private func text(
        _ relation: TypedTest.TextRelation,
        test: TypedTest,
        left: SQLText,
        right operand: TypedOperand
    ) -> SQLText {
        let right = folded(operand, by: test.folding)
        if case .value(let value) = operand.content, let text = value.text {
            return self.text(
                relation,
                left: left,
                text: test.folding.fold(text),
                folding: test.folding
            )
        }
        switch relation {
        // Not LIKE, which ignores the case of ASCII letters and has wildcards.
        case .begins: return "substr(\(left), 1, length(\(right))) = \(right)"
        case .ends:
            // If the right side is longer, `substr` would count from the end of the text.
            return """
                substr(\(left), length(\(left)) - length(\(right)) + 1) = \(right) \
                AND length(\(left)) >= length(\(right))
                """
        case .contains: return "instr(\(left), \(right)) > 0"
        }
    }

    private func text(
        _ relation: TypedTest.TextRelation,
        left: SQLText,
        text: String,
        folding: TextFolding
    ) -> SQLText {
        // Every text begins with, ends with and contains the empty text.
        guard !text.isEmpty else { return "\(left) IS NOT NULL" }
        // `substr` counts code points, not characters.
        let length = String(text.unicodeScalars.count)
        switch relation {
        case .begins:
            guard folding.isEmpty, let bound = text.prefixBound else {
                return "substr(\(left), 1, \(sql: length)) = \(.string(text))"
            }
            // SQLite can use an index for a range of texts, but not for `substr`.
            return "(\(left) >= \(.string(text)) AND \(left) < \(.string(bound)))"
        case .ends: return "substr(\(left), -\(sql: length)) = \(.string(text))"
        case .contains: return "instr(\(left), \(.string(text))) > 0"
        }
    }
}

extension TypedOperand {
    fileprivate var isRow: Bool {
        guard case .row = content else { return false }
        return true
    }

    fileprivate var isNull: Bool {
        guard case .value(.null) = content else { return false }
        return true
    }
}

extension TypedKind {
    fileprivate var isDecimal: Bool { self == .value(.decimal) }
}

extension Value {
    /// The text of a value that is stored as text, except for decimals.
    fileprivate var text: String? {
        switch self {
        case .string(let text), .uuid(let text), .uri(let text), .json(let text): text
        case .null, .integer, .double, .boolean, .decimal, .date, .binary: nil
        }
    }
}

extension String {
    /// The smallest text that is greater than all texts that begin with this one; nil if all
    /// greater texts begin with it.
    var prefixBound: String? {
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(scalars)
            }
        }
        return nil
    }
}
