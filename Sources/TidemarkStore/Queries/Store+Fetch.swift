public import GRDB
import TidemarkModel

extension Store {
    /// Calls a closure with each record that a request selects, in the order of the request.
    ///
    /// Only one record at a time is in memory, so the number of records is not limited by it.
    ///
    /// - Throws: ``StoreError``, ``RecordPredicateError`` if the predicate does not match the
    ///   entity, `DatabaseError`, and errors that `body` throws. An error ends the iteration.
    public func forEachRecord(
        _ db: Database,
        _ request: RecordRequest,
        _ body: (StoredRecord) throws -> Void
    ) throws {
        let reader = try StoreReader(db, self)
        let entity = try layout.entity(request.entity)
        let (sql, arguments) = try query(db, request)
        let numbers = try Int64.fetchCursor(db, sql: sql, arguments: arguments)
        while let number = try numbers.next() {
            // The closure may have deleted rows that follow.
            if let record = try reader.record(entity, number) {
                try body(record)
            }
        }
    }

    /// Returns the records that a request selects.
    ///
    /// - Throws: ``StoreError``, ``RecordPredicateError`` if the predicate does not match the
    ///   entity, `DatabaseError`.
    public func fetch(_ db: Database, _ request: RecordRequest) throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        try forEachRecord(db, request) { records.append($0) }
        return records
    }

    /// Returns the number of rows of an entity, including entities that inherit from it.
    public func count(_ db: Database, _ entity: String) throws -> Int {
        try expectLayout(db)
        let entity = try layout.entity(entity)
        return try Int.fetchOne(
            db,
            sql:
                "SELECT count(*) FROM \(layout.name(of: entity.table)) WHERE 1\(entity.familyCondition)"
        ) ?? 0
    }

    /// Returns the number of rows that a request selects.
    ///
    /// - Throws: ``StoreError``, or ``RecordPredicateError`` if the predicate does not match the
    ///   entity.
    public func count(_ db: Database, _ request: RecordRequest) throws -> Int {
        let (sql, arguments) = try query(db, request)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(sql))", arguments: arguments) ?? 0
    }

    /// Returns the numbers of the rows of an entity that satisfy a predicate.
    ///
    /// The result does not change when rows change later.
    ///
    /// - Throws: ``StoreError``, or ``RecordPredicateError`` if the predicate does not match the
    ///   entity.
    public func rows(
        _ db: Database,
        _ entity: String,
        where predicate: RecordPredicate? = nil
    ) throws -> RowSet {
        try rows(db, RecordRequest(entity, where: predicate))
    }

    /// Returns the numbers of the rows that a request selects.
    ///
    /// - Throws: ``StoreError``, or ``RecordPredicateError`` if the predicate does not match the
    ///   entity.
    package func rows(_ db: Database, _ request: RecordRequest) throws -> RowSet {
        let rows = RowSet()
        let (sql, arguments) = try query(db, request)
        let numbers = try Int64.fetchCursor(db, sql: sql, arguments: arguments)
        while let number = try numbers.next() { rows.insert(number) }
        return rows
    }

    /// Returns the number of unresolved references: references by key to rows that are not stored.
    public func unresolvedReferenceCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_held") ?? 0
    }

    /// Returns the number of unresolved references of each relationship, ordered by the identifiers
    /// of the relationships.
    package func heldReferenceCounts(
        _ db: Database
    ) throws -> [(relationship: RelationshipLayout, count: Int)] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT relationship, count(*) FROM _tidemark_held GROUP BY relationship \
                ORDER BY relationship
                """
        )
        guard !rows.isEmpty else { return [] }
        let layouts = layout.entities.flatMap(\.relationships).map { ($0.identifier, $0) }
        let known = Dictionary(layouts) { first, _ in first }
        return rows.compactMap { row in known[row[0]].map { ($0, row[1]) } }
    }

    private func query(
        _ db: Database,
        _ request: RecordRequest
    ) throws -> (sql: String, arguments: StatementArguments) {
        try expectLayout(db)
        try prepareQueries(db)
        let selection = try SelectionSQL(layout, request.entity, where: request.predicate)
        let entity = try layout.entity(request.entity)
        let order = try request.sort.map { try self.order($0, of: entity) }
        // In SQLite, OFFSET requires a LIMIT, and a negative LIMIT is no limit.
        let sql = """
            SELECT \(PredicateSQL.row)._id FROM \(selection.source) WHERE \(selection.condition) \
            ORDER BY \((order + ["\(PredicateSQL.row)._id"]).joined(separator: ", ")) \
            LIMIT \(request.limit ?? -1) OFFSET \(request.offset)
            """
        return (sql, selection.bindings)
    }

    private func order(_ key: RecordRequest.SortKey, of entity: EntityLayout) throws -> String {
        guard let attribute = entity.attribute(key.attribute) else {
            throw StoreError(
                .unknownAttribute,
                "\(entity.name) cannot be sorted by \(key.attribute): it has no such attribute.",
                hint:
                    "It has \(entity.attributes.map(\.attribute.name).sorted().joined(separator: ", "))."
            )
        }
        // Decimals are stored as text, which SQLite would sort by its characters.
        return layout.name(of: attribute.column, in: entity.table)
            + (attribute.attribute.type == .decimal
                ? " COLLATE \(QueryFunction.decimalOrder)" : "")
            + (key.isAscending ? "" : " DESC")
    }
}
