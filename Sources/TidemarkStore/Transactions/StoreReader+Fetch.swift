import GRDB
import TidemarkModel

extension StoreReader {
    /// Returns the records that a request selects.
    ///
    /// Use ``forEach(_:body:)-(RecordRequest,_)`` if there may be too many for memory.
    ///
    /// ```swift
    /// let films = try store.read { reader in
    ///     try reader.fetch(RecordRequest("Film", sort: [.init("episode")]))
    /// }
    /// ```
    ///
    /// - Parameter request: The request.
    /// - Returns: The records, in the order of the request.
    /// - Throws: ``StoreError``, ``RecordPredicateError`` if the predicate does not match the
    ///   entity, `DatabaseError`.
    public func fetch(_ request: RecordRequest) throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        try forEach(request) { records.append($0) }
        return records
    }

    /// Calls a closure with each record that a request selects, in the order of the request.
    ///
    /// Use it for exports and other work on many rows: only one record at a time is in memory, so
    /// the number of records is not limited by it. For a list on the screen, `fetch(_:)` with a
    /// limit is simpler.
    ///
    /// ```swift
    /// try store.read { reader in
    ///     try reader.forEach(RecordRequest("Film", links: .only(["director"]))) { film in
    ///         print(film["title"], film.links["director"]?.first?.number ?? 0)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Called with each record. It may write, and delete rows that would follow.
    /// - Throws: ``StoreError``, ``RecordPredicateError`` if the predicate does not match the
    ///   entity, `DatabaseError`, and errors that `body` throws. An error ends the iteration.
    public func forEach(
        _ request: RecordRequest,
        body: (StoredRecord) throws -> Void
    ) throws {
        let entity = try layout.entity(request.entity)
        let numbers = try numbers(of: request)
        while let number = try numbers.next() {
            // The closure may have deleted rows that follow.
            if let record = try record(number, of: entity, links: request.links) {
                try body(record)
            }
        }
    }

    /// Returns the number of rows of an entity, including entities that inherit from it.
    ///
    /// ```swift
    /// let count = try store.read { reader in try reader.count("Film") }
    /// ```
    ///
    /// - Parameter entity: The name of the entity.
    /// - Returns: The number of rows.
    /// - Throws: ``StoreError/Code/unknownEntity``, `DatabaseError`.
    public func count(_ entity: String) throws -> Int {
        try count(RecordRequest(entity))
    }

    /// Returns the number of rows that a request selects.
    ///
    /// ```swift
    /// let count = try store.read { reader in
    ///     try reader.count(RecordRequest("Film", where: RecordPredicate("episode > 3")))
    /// }
    /// ```
    ///
    /// - Parameter request: The request. Its limit and offset apply to the count.
    /// - Returns: The number of rows.
    /// - Throws: ``StoreError``, ``RecordPredicateError`` if the predicate does not match the
    ///   entity, `DatabaseError`.
    public func count(_ request: RecordRequest) throws -> Int {
        try prepareQueries()
        let sql = try RequestSQL(request, in: layout).count
        return try Int.fetchOne(db, sql: sql.text, arguments: sql.bindings) ?? 0
    }

    /// Returns the numbers of the rows that a request selects.
    ///
    /// The result does not change when rows change later.
    ///
    /// - Throws: ``StoreError``, ``RecordPredicateError`` if the predicate does not match the
    ///   entity, `DatabaseError`.
    package func rows(_ request: RecordRequest) throws -> RowSet {
        let rows = RowSet()
        let numbers = try numbers(of: request)
        while let number = try numbers.next() { rows.insert(number) }
        return rows
    }

    private func numbers(of request: RecordRequest) throws -> FastDatabaseValueCursor<Int64> {
        try prepareQueries()
        let sql = try RequestSQL(request, in: layout).select()
        return try Int64.fetchCursor(db, sql: sql.text, arguments: sql.bindings)
    }

    /// Returns the number of unresolved references: references by key to rows that are not stored.
    ///
    /// An import stores a foreign key whose row is missing as an unresolved reference, so documents
    /// and lists may be imported in any order. It is resolved when a row with its key is stored.
    /// References that stay unresolved after a complete pull lead to objects that no list of the
    /// service contains.
    ///
    /// ```swift
    /// let count = try store.read { reader in try reader.unresolvedReferenceCount() }
    /// ```
    ///
    /// - Returns: The number of references, over all relationships.
    /// - Throws: `DatabaseError`.
    public func unresolvedReferenceCount() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_held") ?? 0
    }

    /// Returns the number of unresolved references of each relationship, ordered by the identifiers
    /// of the relationships.
    package func unresolvedReferenceCounts() throws
        -> [(relationship: RelationshipLayout, count: Int)]
    {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT relationship, count(*) FROM _tidemark_held GROUP BY relationship \
                ORDER BY relationship
                """
        )
        return rows.compactMap { row in layout.relationships[row[0]].map { ($0, row[1]) } }
    }
}
