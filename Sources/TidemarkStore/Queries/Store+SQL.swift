public import GRDB

extension Store {
    /// Returns the SQL of a request as a request of GRDB.
    ///
    /// Use it to observe the rows of a request, or as a subquery of SQL of your own, such as an
    /// aggregate. It selects `_id`, the attributes of the entity, and the row numbers that its
    /// to-one relationships refer to. Values are bound, never inserted into the text.
    ///
    /// ```swift
    /// let recent = try RecordPredicate("releasedAt >= '1980-01-01'")
    /// let films = try store.sql(for: RecordRequest("Film", where: recent))
    /// let latest = try store.read { reader in
    ///     try SQLRequest<Int>("SELECT max(episode) FROM (\(films))").fetchOne(reader.db)
    /// }
    /// ```
    ///
    /// The connections of a store have the functions that the SQL may call. For an app's own
    /// connection, call ``prepareQueries(_:)`` first.
    ///
    /// - Parameter request: The request.
    /// - Returns: The SQL with its values.
    /// - Throws: ``StoreError`` if an entity or an attribute is unknown, ``RecordPredicateError``
    ///   if the predicate does not match the entity.
    public func sql(for request: RecordRequest) throws -> SQLRequest<Row> {
        let entity = try layout.entity(request.entity)
        let columns = entity.columns.map {
            "\(PredicateSQL.row).\(layout.name(of: $0, in: entity.table))"
        }
        let sql = try RequestSQL(request, in: layout).select(columns)
        return SQLRequest(sql: sql.text, arguments: sql.bindings)
    }

    /// Adds the functions and collations that predicates use to a connection.
    ///
    /// The store's own connections have them from the start, and an app's own connection after the
    /// first request. Call this only before running SQL of `sql(for:)` on a connection of an app
    /// that adopted a store. It does nothing if the connection has them already.
    ///
    /// ```swift
    /// let films = try store.sql(for: RecordRequest("Film", where: predicate))
    /// let rows = try pool.read { db in
    ///     try store.prepareQueries(db)
    ///     return try films.fetchAll(db)
    /// }
    /// ```
    ///
    /// - Throws: `DatabaseError`.
    public func prepareQueries(_ db: Database) throws {
        try QueryFunction.prepare(db)
    }
}

extension EntityLayout {
    /// The columns of the attributes and of the to-one relationships that the table stores.
    fileprivate var columns: [Int] {
        attributes.map(\.column)
            + relationships.compactMap { relationship in
                guard case .column(let column) = relationship.storage else { return nil }
                return column
            }
    }
}
