public import TidemarkModel

extension RecordPredicate: RecordPredicateConvertible {
    /// The predicate itself.
    public var predicate: RecordPredicate { self }

    /// The predicate that all rows satisfy.
    public static var all: RecordPredicate { RecordPredicate(.constant(true)) }

    /// Returns the predicate that two others are both true.
    public static func && (left: RecordPredicate, right: RecordPredicate) -> RecordPredicate {
        RecordPredicate(.joined(all: [left.tree, right.tree]))
    }

    /// Returns the predicate that one of two others is true, or both.
    public static func || (left: RecordPredicate, right: RecordPredicate) -> RecordPredicate {
        RecordPredicate(.joined(any: [left.tree, right.tree]))
    }

    /// Returns the predicate that another one is false.
    public static prefix func ! (predicate: RecordPredicate) -> RecordPredicate {
        RecordPredicate(.not(predicate.tree))
    }

    /// Returns the predicate that another one and an attribute are both true.
    public static func && (
        left: RecordPredicate,
        right: AttributeExpression<Bool>
    ) -> RecordPredicate {
        left && right.predicate
    }

    /// Returns the predicate that an attribute and another predicate are both true.
    public static func && (
        left: AttributeExpression<Bool>,
        right: RecordPredicate
    ) -> RecordPredicate {
        left.predicate && right
    }

    /// Returns the predicate that another one or an attribute is true.
    public static func || (
        left: RecordPredicate,
        right: AttributeExpression<Bool>
    ) -> RecordPredicate {
        left || right.predicate
    }

    /// Returns the predicate that an attribute or another predicate is true.
    public static func || (
        left: AttributeExpression<Bool>,
        right: RecordPredicate
    ) -> RecordPredicate {
        left.predicate || right
    }

    /// Creates the comparison of two operands.
    init(
        _ left: PredicateOperand,
        _ operation: PredicateComparison.Operation,
        folding: TextFolding = [],
        _ right: PredicateOperand
    ) {
        self.init(
            .comparison(
                PredicateComparison(
                    quantifier: nil,
                    left: left,
                    operation: operation,
                    folding: folding,
                    right: right,
                    location: .none
                )
            )
        )
    }
}

extension PredicateOperand {
    static let null = PredicateOperand(content: .literal(.null), location: .none)

    /// Returns a value as an operand; nil is null.
    static func literal(_ value: (some AttributeValue)?) -> PredicateOperand {
        let literal = value.map { PredicateLiteral($0.attributeValue) } ?? .null
        return PredicateOperand(content: .literal(literal), location: .none)
    }

    /// Returns a row as an operand; nil is null.
    static func row<Record: EntityRecord>(_ row: RowID<Record>?) -> PredicateOperand {
        let literal = row.map { PredicateLiteral.text($0.description) } ?? .null
        return PredicateOperand(content: .literal(literal), location: .none)
    }

    static func list(_ elements: [PredicateOperand]) -> PredicateOperand {
        PredicateOperand(content: .list(elements), location: .none)
    }
}
