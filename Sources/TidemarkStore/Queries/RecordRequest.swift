/// A query for records of an entity: a filter, an order and a range.
///
/// ```swift
/// let recent = RecordRequest(
///     "Film",
///     where: try RecordPredicate("releasedAt >= '1980-01-01'"),
///     sort: [.init("director.name"), .init("releasedAt", .descending)],
///     limit: 10
/// )
/// let films = try store.read { db in try db.fetch(recent) }
/// ```
///
/// A request is a value: it can be created once, changed and used with any store. Names are checked
/// when it is used.
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

    /// The relationships whose links are read with each row.
    ///
    /// Each relationship takes a query per row, so none is read by default.
    public var links: Links

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - predicate: The condition that rows must satisfy; nil for all rows.
    ///   - sort: The sort keys, most significant first.
    ///   - limit: The maximum number of rows; nil for no limit.
    ///   - offset: The number of rows to skip.
    ///   - links: The relationships whose links are read.
    public init(
        _ entity: String,
        where predicate: RecordPredicate? = nil,
        sort: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0,
        links: Links = .none
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.links = links
    }

    /// The relationships whose links a request reads.
    public enum Links: Hashable, Sendable {
        /// No relationship.
        case none
        /// The relationships with these names; a row whose entity lacks one has no links in it.
        case only(Set<String>)
        /// All relationships.
        case all

        func contains(_ name: String) -> Bool {
            switch self {
            case .none: false
            case .only(let names): names.contains(name)
            case .all: true
            }
        }
    }

    /// An attribute to sort rows by, and the direction.
    public struct SortKey: Hashable, Sendable {
        /// The path to the attribute: its name, after those of to-one relationships that lead to
        /// it, such as `company.name`.
        public var path: String

        /// Whether smaller or larger values come first.
        public var direction: SortDirection

        /// Creates a sort key.
        public init(_ path: String, _ direction: SortDirection = .ascending) {
            self.path = path
            self.direction = direction
        }
    }
}

/// Whether smaller or larger values come first.
public enum SortDirection: Hashable, Sendable {
    /// Smaller values come first, after the rows without a value.
    case ascending
    /// Larger values come first, before the rows without a value.
    case descending
}
