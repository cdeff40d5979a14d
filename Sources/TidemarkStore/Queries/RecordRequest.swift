/// Which rows of an entity somebody wants, and in which order.
public struct RecordRequest: Hashable, Sendable {
    /// The entity; rows of entities that inherit from it are included.
    public var entity: String

    /// What the rows must meet; nil for all.
    public var predicate: RecordPredicate?

    /// What the rows are sorted by, first things first; rows that are equal in all of it stand by
    /// number.
    public var sort: [SortKey]

    /// How many rows at most; nil for all.
    public var limit: Int?

    /// How many rows are passed over first.
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

    /// One attribute that rows are sorted by.
    public struct SortKey: Hashable, Sendable {
        /// The attribute's name.
        public var attribute: String

        /// Whether the smallest comes first.
        ///
        /// Rows without a value come before all others.
        public var isAscending: Bool

        /// Creates a sort key.
        public init(_ attribute: String, isAscending: Bool = true) {
            self.attribute = attribute
            self.isAscending = isAscending
        }
    }
}
