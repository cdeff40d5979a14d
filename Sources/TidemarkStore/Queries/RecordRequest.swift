/// A query for records of an entity: a filter, an order and a range.
public struct RecordRequest: Hashable, Sendable {
    /// The name of the entity.
    ///
    /// Rows of entities that inherit from it are included.
    public var entity: String

    /// The condition that rows must satisfy; nil for all rows.
    public var predicate: RecordPredicate?

    /// The sort keys, most significant first.
    ///
    /// Rows with equal values in all of them are ordered by row number.
    public var sort: [SortKey]

    /// The maximum number of rows; nil for no limit.
    public var limit: Int?

    /// The number of rows to skip before the first one is returned.
    public var offset: Int

    /// Creates a request.
    public init(
        _ entity: String,
        where predicate: RecordPredicate? = nil,
        sort: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }

    /// An attribute to sort rows by, and the direction.
    public struct SortKey: Hashable, Sendable {
        /// The name of the attribute.
        public var attribute: String

        /// Whether smaller values come first.
        ///
        /// In ascending order, rows without a value come before all others; in descending order,
        /// after them.
        public var isAscending: Bool

        /// Creates a sort key.
        public init(_ attribute: String, isAscending: Bool = true) {
            self.attribute = attribute
            self.isAscending = isAscending
        }
    }
}
