public import GRDB
import TidemarkModel

extension Store {
    /// Hands the records that a request asks for to `body`, one after the other.
    ///
    /// Only one record is in memory at a time, however many there are.
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
            if let record = try reader.record(entity, number) {
                try body(record)
            }
        }
    }

    /// The records that a request asks for.
    public func fetch(_ db: Database, _ request: RecordRequest) throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        try forEachRecord(db, request) { records.append($0) }
        return records
    }

    /// How many rows of an entity there are, those of entities that inherit from it included.
    public func count(_ db: Database, _ entity: String) throws -> Int {
        try expectLayout(db)
        let entity = try layout.entity(entity)
        return try Int.fetchOne(
            db,
            sql:
                "SELECT count(*) FROM \(layout.name(of: entity.table)) WHERE 1\(entity.familyCondition)"
        ) ?? 0
    }

    /// How many rows a request asks for.
    ///
    /// - Throws: ``StoreError``, or ``RecordPredicateError`` when the predicate does not fit the
    ///   entity.
    public func count(_ db: Database, _ request: RecordRequest) throws -> Int {
        let (sql, arguments) = try query(db, request)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(sql))", arguments: arguments) ?? 0
    }

    /// The numbers of an entity's rows that a predicate holds for.
    ///
    /// They are those of the moment; rows that come to meet it later are not among them.
    ///
    /// - Throws: ``StoreError``, or ``RecordPredicateError`` when the predicate does not fit the
    ///   entity.
    public func rows(
        _ db: Database,
        _ entity: String,
        where predicate: RecordPredicate? = nil
    ) throws -> RowSet {
        try rows(db, RecordRequest(entity, where: predicate))
    }

    /// The numbers of the rows that a request asks for.
    ///
    /// - Throws: ``StoreError``, or ``RecordPredicateError`` when the predicate does not fit the
    ///   entity.
    package func rows(_ db: Database, _ request: RecordRequest) throws -> RowSet {
        let rows = RowSet()
        let (sql, arguments) = try query(db, request)
        let numbers = try Int64.fetchCursor(db, sql: sql, arguments: arguments)
        while let number = try numbers.next() { rows.insert(number) }
        return rows
    }

    /// How many references wait for rows that are not here.
    public func unresolvedReferenceCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_held") ?? 0
    }

    /// How many references of each relationship wait for rows that are not here, in the order of
    /// the relationships' identifiers.
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
        return layout.name(of: attribute.column, in: entity.table)
            + (attribute.attribute.type == .decimal
                ? " COLLATE \(QueryFunction.decimalOrder)" : "")
            + (key.isAscending ? "" : " DESC")
    }
}
