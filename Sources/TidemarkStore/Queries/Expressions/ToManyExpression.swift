public import TidemarkModel

/// A to-many relationship in a request.
///
/// ```swift
/// let busy = User.filter { $0.notes.contains { !$0.isDone && $0.text != nil } }
/// let idle = User.filter { $0.notes.isEmpty }
/// let some = User.filter { $0.notes.count > 3 }
/// ```
public struct ToManyExpression<Record: EntityRecord, Destination: EntityRecord>: Sendable {
    let path: PropertyPath

    /// The property of the record that an inclusion loads.
    let property: any WritableKeyPath<Record, Many<Destination>> & Sendable

    /// The number of linked rows; nil if a to-one relationship on the way leads to no row.
    public var count: AttributeExpression<Int> { AttributeExpression(path: path.counted) }

    /// The predicate that the relationship leads to no row.
    public var isEmpty: RecordPredicate { !contains { _ in RecordPredicate.all } }

    /// Returns the predicate that the relationship leads to a row.
    public func contains(_ row: RowID<Destination>) -> RecordPredicate {
        RecordPredicate(path.operand, .contains, .row(row))
    }

    /// Returns the predicate that a linked row satisfies a predicate.
    ///
    /// In SQL it is `EXISTS`. The predicate may also refer to rows outside:
    ///
    /// ```swift
    /// let some = User.filter { user in user.notes.contains { $0.text == user.name } }
    /// ```
    ///
    /// - Parameter predicate: The predicate on a linked row, or a Boolean attribute of it.
    /// - Returns: The predicate.
    public func contains(
        _ predicate: (Destination.Properties) -> some RecordPredicateConvertible
    ) -> RecordPredicate {
        RecordPredicate(subquery(predicate), .greater, .literal(0))
    }

    /// Returns the predicate that all linked rows satisfy a predicate; there may be none.
    ///
    /// - Parameter predicate: The predicate on a linked row, or a Boolean attribute of it.
    /// - Returns: The predicate.
    public func allSatisfy(
        _ predicate: (Destination.Properties) -> some RecordPredicateConvertible
    ) -> RecordPredicate {
        !contains { !predicate($0).predicate }
    }

    private func subquery(
        _ predicate: (Destination.Properties) -> some RecordPredicateConvertible
    ) -> PredicateOperand {
        let depth = SubqueryDepth.current + 1
        let name = "\(depth)"
        let condition = SubqueryDepth.$current.withValue(depth) {
            predicate(Destination.Properties(PropertyPath(origin: .named(name)))).predicate
        }
        let subquery = PredicateSubquery(path.predicatePath, name, condition.tree)
        return PredicateOperand(content: .subquery(subquery), location: .none)
    }
}

/// The number of closures of `contains` that are being called: each row has a name of its own until
/// its predicate is complete.
private enum SubqueryDepth {
    @TaskLocal static var current = 0
}
