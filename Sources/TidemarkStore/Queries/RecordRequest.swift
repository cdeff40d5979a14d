public import TidemarkModel

/// A query for records of an entity: a filter, an order and a range.
///
/// Use it with `StoreReader.fetch(_:)`, `StoreReader.forEach(_:body:)`, `count` and
/// `Store.sql(for:)`. For joins, aggregates and other columns, use SQL or GRDB's query interface
/// on ``StoreReader/db``.
///
/// ```swift
/// let recent = RecordRequest(
///     "Film",
///     where: try RecordPredicate("releasedAt >= '1980-01-01'"),
///     sort: [.init("director.name"), .init("releasedAt", .descending)],
///     limit: 10
/// )
/// let films = try store.read { reader in try reader.fetch(recent) }
/// ```
///
/// A request is a value: it can be created once, changed and used with any store. Names are checked
/// when it is used.
public struct RecordRequest: Hashable, Sendable {
    /// The name of the entity.
    ///
    /// Rows of entities that inherit from it are included.
    public var entity: String

    /// The condition that rows must satisfy, the `WHERE` clause; nil for all rows.
    public var predicate: RecordPredicate?

    /// The sort keys, most significant first: the `ORDER BY` clause.
    ///
    /// Rows with equal values in all of them are ordered by row number, so the order is always
    /// total and pages do not overlap. The default is the order of row numbers, which is that of
    /// insertion.
    public var sort: [SortKey]

    /// The maximum number of rows; nil, the default, and negative numbers mean no limit.
    public var limit: Int?

    /// The number of rows to skip before the first one is returned; 0 by default.
    ///
    /// SQLite reads and discards the skipped rows. To page through a long list, use
    /// `StoreReader.forEach(_:body:)`, or a predicate that continues after the last value of the
    /// previous page (keyset pagination):
    ///
    /// ```swift
    /// var request = RecordRequest("Film", sort: [.init("id")], limit: 50)
    /// let page = try store.read { [request] reader in try reader.fetch(request) }
    /// request.predicate = try RecordPredicate("id > %@", page.last?["id"] ?? .integer(0))
    /// ```
    public var offset: Int

    /// The relationships whose links are read with each row.
    ///
    /// Each relationship takes a query per row, so none is read by default. It has no effect on
    /// counts and on ``Store/sql(for:)->SQLRequest<Row>``.
    public var links: Links

    /// Creates a request.
    ///
    /// ```swift
    /// let characters = RecordRequest("Person", sort: [.init("name")], links: .only(["films"]))
    /// let people = try store.read { reader in try reader.fetch(characters) }
    /// print(people.first?.links["films"]?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The name of the entity; rows of entities that inherit from it are included.
    ///   - predicate: The condition that rows must satisfy; nil for all rows.
    ///   - sort: The sort keys, most significant first; by row number after them.
    ///   - limit: The maximum number of rows; nil for no limit.
    ///   - offset: The number of rows to skip.
    ///   - links: The relationships whose links are read; none by default.
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

    /// The relationships whose links are read with each row of a request: `.none`,
    /// `.only(["films"])` or `.all`.
    ///
    /// Links are row references, not the records they lead to. A to-many list is read whole.
    public enum Links: Hashable, Sendable {
        /// No relationship; ``StoredRecord/links`` is empty.
        case none
        /// The relationships with these names; a row whose entity lacks one has no entry for it.
        case only(Set<String>)
        /// All relationships of the row's entity.
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
    ///
    /// Texts are ordered by their UTF-8 bytes, so `Z` comes before `a`; numbers, decimals and dates
    /// by their value; null before every other value.
    ///
    /// ```swift
    /// let newest = RecordRequest("Film", sort: [.init("releasedAt", .descending), .init("title")])
    /// ```
    public struct SortKey: Hashable, Sendable {
        /// The path to the attribute: its name, after those of to-one relationships that lead to
        /// it, such as `company.name`.
        ///
        /// A row without the related row is sorted like one without a value. `notes.@count` is the
        /// number of rows in a to-many relationship.
        public var path: String

        /// Whether smaller or larger values come first; smaller ones by default.
        public var direction: SortDirection

        /// The differences between texts that the order ignores; none by default.
        public var folding: TextFolding

        /// Creates a sort key.
        ///
        /// - Parameters:
        ///   - path: The name of an attribute, or a key path through to-one relationships, such as
        ///     `company.name`. It is checked when the request is used: an unknown one throws
        ///     ``StoreError/Code/unknownAttribute``.
        ///   - direction: The direction; ascending by default.
        ///   - folding: The differences between texts that the order ignores.
        public init(
            _ path: String,
            _ direction: SortDirection = .ascending,
            folding: TextFolding = []
        ) {
            self.path = path
            self.direction = direction
            self.folding = folding
        }
    }
}

/// The direction of a sort key, `ASC` or `DESC` in SQL.
///
/// Rows without a value come first in ascending and last in descending order, as SQLite sorts
/// `NULL`.
public enum SortDirection: Hashable, Sendable {
    /// Smaller values come first, after the rows without a value.
    case ascending
    /// Larger values come first, before the rows without a value.
    case descending
}
