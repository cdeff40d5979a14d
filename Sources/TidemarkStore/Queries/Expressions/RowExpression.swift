/// The identity of a row in a request.
///
/// ```swift
/// let others = User.filter { $0.rowID != ada.rowID }
/// ```
public struct RowExpression<Record: EntityRecord>: Sendable {
    let path: PropertyPath

    /// Creates the identity of the row at the end of a path.
    public init(_ path: PropertyPath) {
        self.path = path
    }

    /// Returns the predicate that it is a certain row.
    public static func == (left: Self, right: RowID<Record>) -> RecordPredicate {
        RecordPredicate(left.path.operand, .equal, .row(right))
    }

    /// Returns the predicate that it is another row.
    public static func != (left: Self, right: RowID<Record>) -> RecordPredicate {
        RecordPredicate(left.path.operand, .notEqual, .row(right))
    }

    /// Returns the predicate that it is one of several rows.
    ///
    /// - Parameter rows: The rows, at most 10,000.
    /// - Returns: The predicate.
    public func isIn(_ rows: some Sequence<RowID<Record>>) -> RecordPredicate {
        RecordPredicate(path.operand, .among, .list(rows.map { .row($0) }))
    }
}

/// A to-one relationship in a request.
///
/// Compare it with the identity of a row or with nil, or use a property of the linked row:
///
/// ```swift
/// let hers = Note.filter { $0.user == ada.rowID }
/// let some = Note.filter { $0.user.name.hasPrefix("A") }
/// ```
///
/// A property of a row that does not exist has no value. In SQL, a comparison of such a property is
/// a subquery that an index can answer.
@dynamicMemberLookup
public struct ToOneExpression<Record: EntityRecord, Destination: EntityRecord>: Sendable {
    let path: PropertyPath

    /// The property of the record that an inclusion loads.
    let property: any WritableKeyPath<Record, One<Destination>> & Sendable

    /// The identity of the linked row.
    public var rowID: RowExpression<Destination> { RowExpression(path) }

    /// A property of the linked row.
    public subscript<Member>(
        dynamicMember member: KeyPath<Destination.Properties, Member>
    ) -> Member {
        Destination.Properties(path)[keyPath: member]
    }

    /// Returns the predicate that the relationship leads to a row; nil means to none.
    public static func == (left: Self, right: RowID<Destination>?) -> RecordPredicate {
        RecordPredicate(left.path.operand, .equal, .row(right))
    }

    /// Returns the predicate that the relationship leads to another row, or to none; nil means that
    /// it leads to any.
    public static func != (left: Self, right: RowID<Destination>?) -> RecordPredicate {
        RecordPredicate(left.path.operand, .notEqual, .row(right))
    }

    /// Returns the predicate that the relationship leads to one of several rows.
    ///
    /// - Parameter rows: The rows, at most 10,000.
    /// - Returns: The predicate.
    public func isIn(_ rows: some Sequence<RowID<Destination>>) -> RecordPredicate {
        RecordPredicate(path.operand, .among, .list(rows.map { .row($0) }))
    }
}
