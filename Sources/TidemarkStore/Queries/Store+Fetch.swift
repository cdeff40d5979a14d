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
        let reader = StoreReader(db, self)
        let entity = try layout.entity(request.entity)
        let numbers = try Int64.fetchCursor(db, sql: sql(request, entity))
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
        let entity = try layout.entity(entity)
        return try Int.fetchOne(
            db,
            sql:
                "SELECT count(*) FROM \(layout.name(of: entity.table)) WHERE 1\(entity.familyCondition)"
        ) ?? 0
    }

    /// How many references wait for rows that are not here.
    public func heldReferenceCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_held") ?? 0
    }

    private func sql(_ request: RecordRequest, _ entity: EntityLayout) throws -> String {
        let order = try request.sort.map { key in
            guard let attribute = entity.attribute(key.attribute) else {
                throw StoreError(
                    .invalidValue,
                    "\(entity.name) cannot be sorted by \(key.attribute).",
                    hint:
                        "It has \(entity.attributes.map(\.attribute.name).sorted().joined(separator: ", "))."
                )
            }
            return layout.name(of: attribute.column, in: entity.table)
                + (key.isAscending ? "" : " DESC")
        }
        return """
            SELECT _id FROM \(layout.name(of: entity.table)) WHERE 1\(entity.familyCondition) \
            ORDER BY \((order + ["_id"]).joined(separator: ", ")) \
            LIMIT \(request.limit ?? -1) OFFSET \(request.offset)
            """
    }
}
