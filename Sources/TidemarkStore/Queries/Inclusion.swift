import TidemarkModel

/// What a request loads with its rows: the records of a relationship, or their number.
///
/// Its closure knows the type of the linked records, and the request does not.
struct Inclusion<Record: EntityRecord>: Sendable {
    /// What it loads.
    let target: Target

    /// A relationship, of which the records or the number is loaded.
    struct Target: Equatable, Sendable {
        let relationship: String
        let isCount: Bool
    }

    let load: @Sendable (StoreReader, inout [Record]) throws -> Void

    /// Adds what it reads to the dependencies of a live result: of the rows at the end of a path.
    let depend: @Sendable (inout LiveDependencies, [RelationshipLayout], StoreLayout) throws -> Void

    /// Returns hashes of what it loads, by row number.
    let hash: @Sendable (StoreReader, [Int64]) throws -> [Int64: Int]

    /// Creates the inclusion of the record of a to-one relationship.
    init<Destination>(
        _ expression: ToOneExpression<Record, Destination>,
        request: EntityRequest<Destination>
    ) {
        let (property, path) = (expression.property, expression.path)
        target = Target(relationship: path.keyPath, isCount: false)
        // Each link leads to one row: a range would leave out those of other rows.
        let request = request.limit(-1)
        depend = { dependencies, hops, layout in
            let relationship = try layout.relationship(at: path, of: Record.self)
            try dependencies.add(request, at: hops + [relationship])
        }
        hash = { reader, rows in
            let relationship = try reader.layout.relationship(at: path, of: Record.self)
            return try reader.hashes(of: request, linkedBy: relationship, rows)
        }
        load = { reader, records in
            _ = try reader.layout.relationship(at: path, of: Record.self)
            var linked: [Destination] = []
            let rows = records.compactMap { $0[keyPath: property].rowID?.number }
            for batch in rows.distinctBatches {
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
        let (property, path) = (expression.property, expression.path)
        target = Target(relationship: path.keyPath, isCount: false)
        depend = { dependencies, hops, layout in
            let hops = try hops + [layout.relationship(at: path, of: Record.self)]
            try dependencies.add(request, at: hops)
            dependencies.add(orderOf: hops)
        }
        hash = { reader, rows in
            let relationship = try reader.layout.relationship(at: path, of: Record.self)
            return try reader.hashes(of: request, linkedBy: relationship, rows)
        }
        load = { reader, records in
            let sql = try LinkedRowsSQL(
                reader.layout.relationship(at: path, of: Record.self),
                RequestSQL(request.record, in: reader.layout),
                in: reader.layout
            )
            let binding = try reader.layout.binding(of: Destination.self)
            let names = PropertyNames(binding)
            var owners: [Int64] = []
            var linked: [Destination] = []
            for batch in records.map(\.rowID.number).distinctBatches {
                let select = sql.select(binding.columns, of: batch)
                try reader.forEachRow(of: select) { statement in
                    linked.append(try Destination.read(statement, names: names))
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
        let (property, path) = (expression.property, expression.path)
        target = Target(relationship: path.keyPath, isCount: true)
        depend = { dependencies, hops, layout in
            dependencies.add(try hops + [layout.relationship(at: path, of: Record.self)])
        }
        hash = { reader, rows in
            let relationship = try reader.layout.relationship(at: path, of: Record.self)
            return try reader.counts(of: relationship, Destination.entityName, rows)
        }
        load = { reader, records in
            let relationship = try reader.layout.relationship(at: path, of: Record.self)
            let rows = records.map(\.rowID.number)
            let counts = try reader.counts(of: relationship, Destination.entityName, rows)
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

extension [Int64] {
    /// The rows in batches whose linked rows one statement selects, each row once: several records
    /// may be of the same row, if it is in the lists of several others.
    var distinctBatches: [ArraySlice<Int64>] { Set(self).sorted().batches(of: 10_000) }
}

extension StoreReader {
    /// Returns the numbers of linked rows, by the rows that they belong to; those without are left
    /// out.
    fileprivate func counts(
        of relationship: RelationshipLayout,
        _ destination: String,
        _ rows: [Int64]
    ) throws -> [Int64: Int] {
        let request = try RequestSQL(RecordRequest(destination), in: layout)
        let sql = LinkedRowsSQL(relationship, request, in: layout)
        var counts: [Int64: Int] = [:]
        for batch in rows.distinctBatches {
            try forEachRow(of: sql.count(of: batch)) { statement in
                counts[statement.integer(at: 0)] = Int(statement.integer(at: 1))
            }
        }
        return counts
    }

    /// Returns hashes of the linked rows that a request loads, by the rows that they belong to.
    fileprivate func hashes<Record>(
        of request: EntityRequest<Record>,
        linkedBy relationship: RelationshipLayout,
        _ rows: [Int64]
    ) throws -> [Int64: Int] {
        let sql = try LinkedRowsSQL(
            relationship,
            RequestSQL(request.record, in: layout),
            in: layout
        )
        let columns = try layout.binding(of: Record.self).columns
        var linked: [(owner: Int64, row: Int64, hash: Int)] = []
        for batch in rows.distinctBatches {
            try forEachRow(of: sql.select(columns, of: batch)) { statement in
                var hasher = Hasher()
                for column in 1..<columns.count + 1 {
                    statement.value(at: column).hash(into: &hasher)
                }
                let owner = statement.integer(at: columns.count + 1)
                linked.append((owner, statement.integer(at: 0), hasher.finalize()))
            }
        }
        let nested = try request.inclusions.hashes(self, linked.map(\.row))
        var hashers: [Int64: Hasher] = [:]
        for (owner, row, hash) in linked {
            hashers[owner, default: Hasher()].combine(row)
            hashers[owner]?.combine(hash)
            hashers[owner]?.combine(nested[row])
        }
        return hashers.mapValues { $0.finalize() }
    }
}

extension Array {
    /// Returns hashes of what inclusions load, by row number; rows without linked rows may be left
    /// out.
    func hashes<Record>(
        _ reader: StoreReader,
        _ rows: [Int64]
    ) throws -> [Int64: Int] where Element == Inclusion<Record> {
        guard !isEmpty else { return [:] }
        var hashers: [Int64: Hasher] = [:]
        for (index, inclusion) in enumerated() {
            for (row, hash) in try inclusion.hash(reader, rows) {
                hashers[row, default: Hasher()].combine(index)
                hashers[row]?.combine(hash)
            }
        }
        return hashers.mapValues { $0.finalize() }
    }

    func batches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
