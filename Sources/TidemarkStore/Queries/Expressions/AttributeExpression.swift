public import TidemarkModel

/// An attribute in a request, whose comparisons are predicates.
///
/// ```swift
/// let adults = User.filter { $0.age >= 18 && $0.name != nil }
/// let ada = User.filter { $0.name == "Ada" }
/// ```
///
/// A comparison is true or false, as in ``RecordPredicate``: only nil equals nil, and an order with
/// nil is false. In SQL, `==` is `IS`, and each value is bound.
public struct AttributeExpression<V: AttributeValue>: Sendable {
    let path: PropertyPath

    /// Returns the predicate that the attribute has a value; nil means that it has none.
    public static func == (left: Self, right: V?) -> RecordPredicate {
        left.compared(.equal, with: .literal(right))
    }

    /// Returns the predicate that the attribute has another value; nil means that it has any.
    public static func != (left: Self, right: V?) -> RecordPredicate {
        left.compared(.notEqual, with: .literal(right))
    }

    /// Returns the predicate that two attributes have the same value.
    public static func == (left: Self, right: Self) -> RecordPredicate {
        left.compared(.equal, with: right.path.operand)
    }

    /// Returns the predicate that two attributes have different values.
    public static func != (left: Self, right: Self) -> RecordPredicate {
        left.compared(.notEqual, with: right.path.operand)
    }

    /// Returns the predicate that the attribute has one of several values.
    ///
    /// ```swift
    /// let some = User.filter { $0.age.isIn([18, 21]) }
    /// ```
    ///
    /// In SQL it is `IN`. A request has at most 10,000 values.
    ///
    /// - Parameter values: The values.
    /// - Returns: The predicate, which no row satisfies if there are no values.
    public func isIn(_ values: some Sequence<V>) -> RecordPredicate {
        compared(.among, with: .list(values.map { .literal($0) }))
    }

    func compared(
        _ operation: PredicateComparison.Operation,
        folding: TextFolding = [],
        with right: PredicateOperand
    ) -> RecordPredicate {
        RecordPredicate(path.operand, operation, folding: folding, right)
    }
}

extension AttributeExpression where V: Comparable {
    /// Returns the predicate that the attribute has a smaller value.
    ///
    /// Texts are ordered by their UTF-8 bytes, and a type with a raw value by that.
    public static func < (left: Self, right: V) -> RecordPredicate {
        left.compared(.less, with: .literal(right))
    }

    /// Returns the predicate that the attribute has a smaller value, or the same one.
    public static func <= (left: Self, right: V) -> RecordPredicate {
        left.compared(.lessOrEqual, with: .literal(right))
    }

    /// Returns the predicate that the attribute has a larger value.
    public static func > (left: Self, right: V) -> RecordPredicate {
        left.compared(.greater, with: .literal(right))
    }

    /// Returns the predicate that the attribute has a larger value, or the same one.
    public static func >= (left: Self, right: V) -> RecordPredicate {
        left.compared(.greaterOrEqual, with: .literal(right))
    }

    /// Returns the predicate that one attribute has a smaller value than another.
    public static func < (left: Self, right: Self) -> RecordPredicate {
        left.compared(.less, with: right.path.operand)
    }

    /// Returns the predicate that one attribute has no larger value than another.
    public static func <= (left: Self, right: Self) -> RecordPredicate {
        left.compared(.lessOrEqual, with: right.path.operand)
    }

    /// Returns the predicate that one attribute has a larger value than another.
    public static func > (left: Self, right: Self) -> RecordPredicate {
        left.compared(.greater, with: right.path.operand)
    }

    /// Returns the predicate that one attribute has no smaller value than another.
    public static func >= (left: Self, right: Self) -> RecordPredicate {
        left.compared(.greaterOrEqual, with: right.path.operand)
    }

    /// Returns the predicate that the attribute has a value in a range, bounds included.
    ///
    /// ```swift
    /// let some = User.filter { $0.age.isIn(18...65) }
    /// ```
    ///
    /// In SQL it is `BETWEEN`.
    ///
    /// - Parameter range: The range.
    /// - Returns: The predicate.
    public func isIn(_ range: ClosedRange<V>) -> RecordPredicate {
        compared(
            .between,
            with: .list([.literal(range.lowerBound), .literal(range.upperBound)])
        )
    }
}

extension AttributeExpression: RecordPredicateConvertible where V == Bool {
    /// The predicate that the attribute is true.
    public var predicate: RecordPredicate { self == true }

    /// Returns the predicate that the attribute is not true: it is false, or has no value.
    public static prefix func ! (expression: Self) -> RecordPredicate {
        !expression.predicate
    }

    /// Returns the predicate that two attributes are both true.
    public static func && (left: Self, right: Self) -> RecordPredicate {
        left.predicate && right.predicate
    }

    /// Returns the predicate that one of two attributes is true, or both.
    public static func || (left: Self, right: Self) -> RecordPredicate {
        left.predicate || right.predicate
    }
}

extension AttributeExpression where V == String {
    /// Returns the predicate that the text contains another one.
    ///
    /// ```swift
    /// let some = Note.filter { $0.text.contains("tea", folding: .caseInsensitive) }
    /// ```
    ///
    /// - Parameters:
    ///   - text: The other text.
    ///   - folding: The differences that the comparison ignores.
    /// - Returns: The predicate.
    public func contains(_ text: String, folding: TextFolding = []) -> RecordPredicate {
        compared(.contains, folding: folding, with: .literal(text))
    }

    /// Returns the predicate that the text begins with another one.
    ///
    /// Without folding, an index finds the rows.
    ///
    /// - Parameters:
    ///   - prefix: The other text.
    ///   - folding: The differences that the comparison ignores.
    /// - Returns: The predicate.
    public func hasPrefix(_ prefix: String, folding: TextFolding = []) -> RecordPredicate {
        compared(.begins, folding: folding, with: .literal(prefix))
    }

    /// Returns the predicate that the text ends with another one.
    ///
    /// - Parameters:
    ///   - suffix: The other text.
    ///   - folding: The differences that the comparison ignores.
    /// - Returns: The predicate.
    public func hasSuffix(_ suffix: String, folding: TextFolding = []) -> RecordPredicate {
        compared(.ends, folding: folding, with: .literal(suffix))
    }

    /// Returns the predicate that the text equals another one, except for some differences.
    ///
    /// - Parameters:
    ///   - text: The other text.
    ///   - folding: The differences that the comparison ignores.
    /// - Returns: The predicate.
    public func isEqual(to text: String, folding: TextFolding) -> RecordPredicate {
        compared(.equal, folding: folding, with: .literal(text))
    }

    /// Returns the predicate that the whole text has the form of a pattern: `*` is any text, `?`
    /// any character.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - folding: The differences that the comparison ignores.
    /// - Returns: The predicate.
    public func like(_ pattern: String, folding: TextFolding = []) -> RecordPredicate {
        compared(.like, folding: folding, with: .literal(pattern))
    }

    /// Returns the predicate that the whole text matches a regular expression.
    ///
    /// - Parameters:
    ///   - pattern: The regular expression; see ``RecordPredicate``.
    ///   - folding: The differences that the comparison ignores.
    /// - Returns: The predicate.
    public func matches(_ pattern: String, folding: TextFolding = []) -> RecordPredicate {
        compared(.matches, folding: folding, with: .literal(pattern))
    }
}

/// A JSON attribute in a request.
public struct DocumentExpression: Sendable {
    let path: PropertyPath

    /// Returns the predicate that the attribute has no value: compare it with nil.
    public static func == (left: Self, right: Never?) -> RecordPredicate {
        RecordPredicate(left.path.operand, .equal, .null)
    }

    /// Returns the predicate that the attribute has a value: compare it with nil.
    public static func != (left: Self, right: Never?) -> RecordPredicate {
        RecordPredicate(left.path.operand, .notEqual, .null)
    }
}
