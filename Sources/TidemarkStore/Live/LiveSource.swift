import TidemarkModel

/// The rows of a live result and how their records are made.
struct LiveSource<Record: Sendable>: Sendable {
    let query: LiveQuery

    /// Returns the records of some rows, by row number, and the failures of those that the record
    /// type cannot represent.
    let records: @Sendable (StoreReader, [Int64]) throws -> LiveRecords<Record>
}

/// Records of rows, by row number.
struct LiveRecords<Record: Sendable>: Sendable {
    var known: [Int64: Record] = [:]
    var failures: [Int64: LiveFailure] = [:]

    /// Returns the record of a row that was read.
    func record(of row: Int64) throws(StoreError) -> Record {
        guard let record = known[row] else { throw StoreError.rowNotFound("row \(row)") }
        return record
    }
}

extension LiveSource where Record: EntityRecord {
    /// Creates the source of a typed request.
    ///
    /// - Throws: ``StoreError/Code/typeMismatch``, ``RecordPredicateError``.
    init(_ request: EntityRequest<Record>, in layout: StoreLayout) throws {
        let binding = try layout.binding(of: Record.self)
        var dependencies = LiveDependencies(on: binding.entity, in: layout)
        try dependencies.add(request)
        let inclusions = request.inclusions
        var hashLinks: LiveQuery.HashLinks?
        if !inclusions.isEmpty {
            hashLinks = { reader, rows in try inclusions.hashes(reader, rows) }
        }
        query = LiveQuery(
            request: request.record,
            columns: binding.columns,
            hashLinks: hashLinks,
            title: request.sectionTitle,
            dependencies: dependencies
        )
        records = { reader, rows in
            var found = LiveRecords<Record>()
            for batch in rows.batches(of: 10_000) {
                var records: [Record] = []
                try reader.forEachReadableRow(Record.self, among: batch) { row, result in
                    switch result {
                    case .success(let record): records.append(record)
                    case .failure(let error):
                        found.failures[row] = LiveFailure(
                            row: RowReference(binding.entity.name, row),
                            reason: "\(error)"
                        )
                    }
                }
                try reader.load(inclusions, into: &records)
                for record in records { found.known[record.rowID.number] = record }
            }
            return found
        }
    }
}

extension LiveSource where Record == StoredRecord {
    /// Creates the source of a request for records without a type.
    ///
    /// - Throws: ``StoreError``, ``RecordPredicateError``.
    init(_ request: RecordRequest, in layout: StoreLayout) throws {
        let entity = try layout.entity(request.entity)
        var dependencies = LiveDependencies(on: entity, in: layout)
        for attribute in entity.attributes { dependencies.add(column: attribute.column, at: []) }
        let lists = entity.relationships.filter {
            request.links.contains($0.relationship.name)
        }
        for list in lists {
            dependencies.add([list])
            dependencies.add(orderOf: [list])
        }
        try dependencies.add(request, of: entity)
        var hashLinks: LiveQuery.HashLinks?
        if !lists.isEmpty {
            hashLinks = { reader, rows in
                var hashes: [Int64: Int] = [:]
                for row in rows {
                    hashes[row] = try lists.map { try reader.linked($0, of: row) }.hashValue
                }
                return hashes
            }
        }
        query = LiveQuery(
            request: request,
            columns: entity.attributes.map {
                "\(PredicateSQL.row).\(layout.name(of: $0.column, in: entity.table))"
            },
            hashLinks: hashLinks,
            title: nil,
            dependencies: dependencies
        )
        records = { reader, rows in
            var found = LiveRecords<StoredRecord>()
            for row in rows {
                found.known[row] = try reader.record(row, of: entity, links: request.links)
            }
            return found
        }
    }
}

extension StoreReader {
    /// Calls a closure with the record of each of some rows, or with the error that prevents it.
    fileprivate func forEachReadableRow<Record: EntityRecord>(
        _ type: Record.Type,
        among rows: ArraySlice<Int64>,
        body: (Int64, Result<Record, any Error>) -> Void
    ) throws {
        let binding = try layout.binding(of: type)
        let names = PropertyNames(binding)
        let request = RecordRequest(type.entityName)
        let sql = try RequestSQL(request, among: rows, in: layout).select(binding.columns)
        try forEachRow(of: sql) { statement in
            let row = statement.integer(at: 0)
            let result = Result { try Record.read(statement, names: names) }
            // Not a property of the row, but of the type.
            try names.check()
            body(row, result)
        }
    }
}
