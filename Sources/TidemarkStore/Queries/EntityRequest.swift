public import TidemarkModel

/// A query for records of a type: a filter, an order, a range, and what is loaded with them.
///
/// It begins with the type. Each function returns a request that selects less or loads more:
///
/// ```swift
/// let adults = User.filter { $0.age >= 18 }.sorted(by: \.name).limit(20)
/// let users = try store.read { reader in try reader.fetch(adults) }
/// ```
///
/// A request is a value: it can be created once, refined, and used with any store that has the
/// entity. The number of SQL statements depends on the request, not on the number of rows: one, and
/// one for each relationship that it includes or counts.
public struct EntityRequest<Record: EntityRecord>: Sendable {
    /// The request for the rows, which does not depend on the type.
    ///
    /// Pass it where a ``RecordRequest`` is needed.
    public private(set) var record = RecordRequest(Record.entityName)

    /// What is loaded with the rows.
    var inclusions: [Inclusion<Record>] = []

    /// The title of a row's section, of the attribute by which the rows are sorted first; nil
    /// without sections.
    private(set) var sectionTitle: (@Sendable (Value) -> String)?

    init() {}

    // MARK: Rows

    /// Returns the request for those rows that satisfy a predicate, too.
    ///
    /// ```swift
    /// let open = Note.all.filter { !$0.isDone && $0.user.name.hasPrefix("A") }
    /// ```
    ///
    /// In SQL it is `WHERE`. Several filters are joined by `AND`.
    ///
    /// - Parameter predicate: The predicate on the properties of a row, or a Boolean attribute.
    /// - Returns: The request.
    public func filter(_ predicate: (Record.Properties) -> some RecordPredicateConvertible) -> Self
    {
        filter(Record.predicate(predicate))
    }

    /// Returns the request for those rows that satisfy a predicate, too.
    ///
    /// ```swift
    /// let some = User.all.filter(try RecordPredicate("name CONTAINS[cd] %@", .string("ada")))
    /// ```
    ///
    /// - Parameter predicate: The predicate.
    /// - Returns: The request.
    public func filter(_ predicate: RecordPredicate) -> Self {
        var request = self
        request.record.predicate = record.predicate.map { $0 && predicate } ?? predicate
        return request
    }

    /// Returns the request with its rows sorted by an attribute.
    ///
    /// The first call decides; each further one sorts the rows that are equal so far. Rows that are
    /// equal in all are in the order of their insertion, so that the order is always total.
    ///
    /// ```swift
    /// let users = User.sorted(by: \.company.name).sorted(by: \.age, .descending)
    /// ```
    ///
    /// In SQL it is `ORDER BY`. Nil comes before all values; texts are ordered by their UTF-8 bytes
    /// unless differences are ignored.
    ///
    /// - Parameters:
    ///   - attribute: The attribute, of the row itself or of one that to-one relationships lead to.
    ///   - direction: The direction.
    ///   - folding: The differences between texts that the order ignores.
    /// - Returns: The request.
    public func sorted<V>(
        by attribute: KeyPath<Record.Properties, AttributeExpression<V>>,
        _ direction: SortDirection = .ascending,
        folding: TextFolding = []
    ) -> Self {
        var request = self
        request.record.sort.append(
            RecordRequest.SortKey(Record.name(of: attribute), direction, folding: folding)
        )
        return request
    }

    /// Returns the request for at most so many of its rows.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - offset: The number of rows that are skipped before. To page through a long list, filter
    ///     by the last row of the previous page instead.
    /// - Returns: The request.
    public func limit(_ count: Int, offset: Int = 0) -> Self {
        var request = self
        request.record.limit = count
        request.record.offset = offset
        return request
    }

    /// The request for the first of its rows.
    var first: Self {
        let limit = record.limit.map { $0 < 0 ? 1 : min($0, 1) } ?? 1
        return self.limit(limit, offset: record.offset)
    }

    /// Returns the request with its rows in sections, in the order of an attribute.
    ///
    /// Live results have the sections. The attribute becomes the first sort key; rows of a section
    /// are sorted by the others.
    ///
    /// ```swift
    /// let users = User.sorted(by: \.age).sections(by: \.name) { name in
    ///     String(name?.prefix(1) ?? "?")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - attribute: The attribute, of the row itself or of one that to-one relationships lead to.
    ///   - direction: The direction.
    ///   - title: Returns the title of the section of a value. All values of a section must follow
    ///     each other in the order of the attribute.
    /// - Returns: The request.
    public func sections<V>(
        by attribute: KeyPath<Record.Properties, AttributeExpression<V>>,
        _ direction: SortDirection = .ascending,
        as title: @escaping @Sendable (V?) -> String
    ) -> Self {
        var request = self
        let path = Record.Properties(.row)[keyPath: attribute].path
        request.record.sort.insert(
            RecordRequest.SortKey(path.keyPath, direction),
            at: 0
        )
        request.sectionTitle = { title(V(attributeValue: $0)) }
        return request
    }

    // MARK: Linked rows

    /// Returns the request with the record of a to-one relationship loaded.
    ///
    /// ```swift
    /// let notes = Note.including(\.user) { $0.including(\.company) }
    /// ```
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - refine: What is loaded with the linked records in turn. Records that a filter leaves out
    ///     are not loaded; a limit has no effect.
    /// - Returns: The request. It takes one more SQL statement, which reads each linked row once.
    public func including<Destination>(
        _ relationship: KeyPath<Record.Properties, ToOneExpression<Record, Destination>>,
        refine: (EntityRequest<Destination>) -> EntityRequest<Destination> = { $0 }
    ) -> Self {
        adding(
            Inclusion(
                Record.Properties(.row)[keyPath: relationship],
                request: refine(Destination.all)
            )
        )
    }

    /// Returns the request with the records of a to-many relationship loaded.
    ///
    /// ```swift
    /// let users = User.including(\.notes) { notes in
    ///     notes.filter { !$0.isDone }.sorted(by: \.text).limit(3)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - refine: Which of the linked records are loaded, in which order, and what is loaded with
    ///     them. A limit is that of each list.
    /// - Returns: The request. It takes one more SQL statement for 10,000 rows.
    public func including<Destination>(
        _ relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>,
        refine: (EntityRequest<Destination>) -> EntityRequest<Destination> = { $0 }
    ) -> Self {
        adding(
            Inclusion(
                Record.Properties(.row)[keyPath: relationship],
                request: refine(Destination.all)
            )
        )
    }

    /// Returns the request with the number of a relationship's rows loaded, without the rows.
    ///
    /// ```swift
    /// let users = User.counting(\.notes)
    /// ```
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The request. It takes one more SQL statement for 10,000 rows.
    public func counting<Destination>(
        _ relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>
    ) -> Self {
        adding(Inclusion(counting: Record.Properties(.row)[keyPath: relationship]))
    }

    /// Returns the request with an inclusion, which replaces one of the same relationship.
    ///
    /// Counts come last: they keep the records that were loaded before.
    private func adding(_ inclusion: Inclusion<Record>) -> Self {
        var request = self
        request.inclusions.removeAll { $0.target == inclusion.target }
        let counts = request.inclusions.firstIndex { $0.target.isCount }
        let end = request.inclusions.endIndex
        request.inclusions.insert(
            inclusion,
            at: inclusion.target.isCount ? end : counts ?? end
        )
        return request
    }
}

extension EntityRecord {
    /// The request for all rows, in the order of their insertion.
    public static var all: EntityRequest<Self> { EntityRequest() }

    /// Returns the request for the rows that satisfy a predicate.
    ///
    /// See ``EntityRequest/filter(_:)-(RecordPredicate)``.
    public static func filter(
        _ predicate: (Properties) -> some RecordPredicateConvertible
    ) -> EntityRequest<Self> {
        all.filter(predicate)
    }

    /// Returns the request for the rows that satisfy a predicate.
    public static func filter(_ predicate: RecordPredicate) -> EntityRequest<Self> {
        all.filter(predicate)
    }

    /// Returns the request for all rows, sorted by an attribute.
    ///
    /// See ``EntityRequest/sorted(by:_:folding:)``.
    public static func sorted<V>(
        by attribute: KeyPath<Properties, AttributeExpression<V>>,
        _ direction: SortDirection = .ascending,
        folding: TextFolding = []
    ) -> EntityRequest<Self> {
        all.sorted(by: attribute, direction, folding: folding)
    }

    /// Returns the request for all rows in sections.
    ///
    /// See ``EntityRequest/sections(by:_:as:)``.
    public static func sections<V>(
        by attribute: KeyPath<Properties, AttributeExpression<V>>,
        _ direction: SortDirection = .ascending,
        as title: @escaping @Sendable (V?) -> String
    ) -> EntityRequest<Self> {
        all.sections(by: attribute, direction, as: title)
    }

    /// Returns the request for the first rows.
    ///
    /// See ``EntityRequest/limit(_:offset:)``.
    public static func limit(_ count: Int, offset: Int = 0) -> EntityRequest<Self> {
        all.limit(count, offset: offset)
    }

    /// Returns the request for all rows, with the record of a to-one relationship loaded.
    ///
    /// See `EntityRequest.including(_:refine:)`.
    public static func including<Destination>(
        _ relationship: KeyPath<Properties, ToOneExpression<Self, Destination>>,
        refine: (EntityRequest<Destination>) -> EntityRequest<Destination> = { $0 }
    ) -> EntityRequest<Self> {
        all.including(relationship, refine: refine)
    }

    /// Returns the request for all rows, with the records of a to-many relationship loaded.
    ///
    /// See `EntityRequest.including(_:refine:)`.
    public static func including<Destination>(
        _ relationship: KeyPath<Properties, ToManyExpression<Self, Destination>>,
        refine: (EntityRequest<Destination>) -> EntityRequest<Destination> = { $0 }
    ) -> EntityRequest<Self> {
        all.including(relationship, refine: refine)
    }

    /// Returns the request for all rows, with the number of a relationship's rows loaded.
    ///
    /// See ``EntityRequest/counting(_:)``.
    public static func counting<Destination>(
        _ relationship: KeyPath<Properties, ToManyExpression<Self, Destination>>
    ) -> EntityRequest<Self> {
        all.counting(relationship)
    }
}
