import TidemarkModel

/// What a request loads with its rows: the records of a relationship, or their number.
///
/// Its closure knows the type of the linked records, and the request does not.
struct Inclusion<Record: EntityRecord>: Sendable {
    let load: @Sendable (StoreReader, inout [Record]) throws -> Void

    /// Returns rows in batches whose linked rows one statement selects, each row once: several
    /// records may be of the same row, if it is in the lists of several others.
    private static func batches(of rows: [Int64]) -> [ArraySlice<Int64>] {
        Set(rows).sorted().batches(of: 10_000)
    }

    /// Creates the inclusion of the record of a to-one relationship.
    init<Destination>(
        _ expression: ToOneExpression<Record, Destination>,
        request: EntityRequest<Destination>
    ) {
        let property = expression.property
        // Each link leads to one row: a range would leave out those of other rows.
        let request = request.limit(-1)
        load = { reader, records in
            _ = try reader.layout.relationship(at: expression.path, of: Record.self)
            var linked: [Destination] = []
            let rows = records.compactMap { $0[keyPath: property].rowID?.number }
            for batch in Self.batches(of: rows) {
                linked += try reader.fetch(request, among: batch)
            }
            let known = Dictionary(uniqueKeysWithValues: linked.map { ($0.rowID, $0) })
            for index in records.indices {
                guard let row = records[index][keyPath: property].rowID,
                    let record = known[row]
                else { continue }
                records[index][keyPath: property] = One(record)
            }
        }
    }

    /// Creates the inclusion of the records of a to-many relationship.
    init<Destination>(
        _ expression: ToManyExpression<Record, Destination>,
        request: EntityRequest<Destination>
    ) {
        let property = expression.property
        load = { reader, records in
            let sql = try LinkedRowsSQL(
                reader.layout.relationship(at: expression.path, of: Record.self),
                RequestSQL(request.record, in: reader.layout),
                in: reader.layout
            )
            let binding = try reader.layout.binding(of: Destination.self)
            var owners: [Int64] = []
            var linked: [Destination] = []
            for batch in Self.batches(of: records.map(\.rowID.number)) {
                let select = sql.select(binding.columns, of: batch)
                try reader.forEachRow(of: select, binding) { (record: Destination, statement) in
                    linked.append(record)
                    owners.append(statement.integer(at: binding.columns.count + 1))
                }
            }
            try reader.load(request.inclusions, into: &linked)
            var lists: [Int64: [Destination]] = [:]
            for (owner, record) in zip(owners, linked) { lists[owner, default: []].append(record) }
            for index in records.indices {
                let list = lists[records[index].rowID.number] ?? []
                records[index][keyPath: property] = Many(list)
            }
        }
    }

    /// Creates the inclusion of the number of a to-many relationship's rows.
    init<Destination>(counting expression: ToManyExpression<Record, Destination>) {
        let property = expression.property
        load = { reader, records in
            let sql = try LinkedRowsSQL(
                reader.layout.relationship(at: expression.path, of: Record.self),
                RequestSQL(RecordRequest(Destination.entityName), in: reader.layout),
                in: reader.layout
            )
            var counts: [Int64: Int] = [:]
            for batch in Self.batches(of: records.map(\.rowID.number)) {
                try reader.forEachRow(of: sql.count(of: batch)) { statement in
                    counts[statement.integer(at: 0)] = Int(statement.integer(at: 1))
                }
            }
            for index in records.indices {
                let values = records[index][keyPath: property].values
                let count = counts[records[index].rowID.number] ?? 0
                records[index][keyPath: property] = Many(values: values, count: count)
            }
        }
    }
}

extension StoreLayout {
    /// Returns the relationship at the end of a path, which must be one of the record type itself.
    fileprivate func relationship<Record: EntityRecord>(
        at path: PropertyPath,
        of type: Record.Type
    ) throws -> RelationshipLayout {
        let entity = try binding(of: type).entity
        guard path.names.count == 1, let relationship = entity.relationship(path.names[0]) else {
            throw StoreError(
                .typeMismatch,
                "\(entity.name) has no relationship \(path.keyPath) of its own to include.",
                hint: "Include the relationships of linked rows in the closure of their inclusion."
            )
        }
        return relationship
    }
}

extension Array {
    func batches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
