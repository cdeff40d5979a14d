import TidemarkModel

extension StoreWriter {
    /// Inserts a record as a new row.
    ///
    /// ```swift
    /// let ada = try store.write { writer in try writer.insert(User(id: 1, name: "Ada")) }
    /// print(ada.rowID)   // User#1
    /// ```
    ///
    /// In SQL it is `INSERT`. Attributes that the type lacks get their defaults. To-one
    /// relationships are linked; to-many ones are not, as a ``Many`` is what was loaded: see
    /// ``setLinks(_:of:to:)``.
    ///
    /// - Parameter record: A record that has not been inserted yet.
    /// - Returns: The record with the identity of its row.
    /// - Throws: ``StoreError`` such as ``StoreError/Code/invalidValue``,
    ///   ``StoreError/Code/duplicate``, ``StoreError/Code/typeMismatch`` or, for a linked row,
    ///   ``StoreError/Code/rowNotFound``; `DatabaseError`.
    @discardableResult
    public func insert<Record: EntityRecord>(_ record: Record) throws -> Record {
        let plan = try writePlan(of: Record.self)
        return try insert(record, values: plan.values(of: record), plan)
    }

    /// Inserts records as new rows, in their order.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     try writer.insert(contentsOf: ["Ada", "Ben"].map { User(id: nil, name: $0) })
    /// }
    /// ```
    ///
    /// - Parameter records: Records that have not been inserted yet.
    /// - Returns: The records with the identities of their rows.
    /// - Throws: As ``insert(_:)-(Record)``.
    @discardableResult
    public func insert<Record: EntityRecord>(
        contentsOf records: some Sequence<Record>
    ) throws -> [Record] {
        let plan = try writePlan(of: Record.self)
        return try records.map { try insert($0, values: plan.values(of: $0), plan) }
    }

    func insert<Record>(
        _ record: Record,
        values: [Value],
        _ plan: EntityWritePlan<Record>
    ) throws -> Record {
        let entity = plan.entity
        guard !record.rowID.isSaved else {
            throw StoreError(
                .invalidValue,
                "\(record.rowID) has been inserted already.",
                hint: "Update it. To insert a copy, set its rowID to .unsaved first."
            )
        }
        try expectConcrete(entity)
        for (index, value) in values.enumerated() { try plan.check(value, at: index) }
        for (column, value) in plan.defaults { try plan.rules.check(value, forColumn: column) }
        let attributes = plan.properties.enumerated().compactMap { index, property in
            property.attribute.map { (column: $0, value: values[index]) }
        }
        var inserted = record
        inserted.rowID = RowID(try insertRow(attributes + plan.defaults, of: entity))
        for (index, property) in plan.properties.enumerated() {
            guard case .relationship(let relationship) = property,
                case .integer(let other) = values[index]
            else { continue }
            try expect(other, atEndOf: relationship)
            try link(relationship, of: inserted.rowID.number, to: other)
        }
        return inserted
    }

    /// Inserts a row with values, which the model allows, and returns its number.
    func insertRow(
        _ assignments: [(column: Int, value: Value)],
        of entity: EntityLayout
    ) throws -> Int64 {
        let insert = try statement(keeping: insertSQL(assignments.map(\.column), of: entity))
        try rejectingDuplicates(
            of: nil,
            entity: entity,
            assigning: Dictionary(uniqueKeysWithValues: assignments.map { ($0.column, $0.value) })
        ) {
            try binding { arena in
                for (index, assignment) in assignments.enumerated() {
                    insert.bind(assignment.value.stored(in: arena), at: index + 1)
                }
                try insert.run()
            }
        }
        let number = insert.lastInsertedRow
        changes(in: entity.table).inserted.insert(number)
        return number
    }

    private func insertSQL(_ columns: [Int], of entity: EntityLayout) -> String {
        let table = entity.table
        let names = columns.map { name(of: $0, in: table) }
        let marks = columns.map { _ in "?" }
        let isNamed = layout.tables[table].hasEntityColumn
        let list = (names + (isNamed ? ["_entity"] : [])).joined(separator: ", ")
        let values = (marks + (isNamed ? [entity.name.quotedText] : [])).joined(separator: ", ")
        // SQL does not allow an empty list of columns.
        return "INSERT INTO \(name(of: table)) "
            + (list.isEmpty ? "DEFAULT VALUES" : "(\(list)) VALUES (\(values))")
    }

    /// Throws if no row can be of an entity.
    func expectConcrete(_ entity: EntityLayout) throws(StoreError) {
        guard entity.isAbstract else { return }
        throw StoreError(
            .invalidValue,
            "\(entity.name) is abstract: no row can be of it.",
            hint: "Insert a row of an entity that inherits from it."
        )
    }

    /// Throws if a row does not exist, or a relationship does not lead to rows of its entity.
    func expect(_ row: Int64, atEndOf relationship: RelationshipLayout) throws {
        let destination = layout.entities[relationship.destination]
        guard try !exists(row, of: destination) else { return }
        throw StoreError.rowNotFound("\(destination.name)#\(row)")
    }
}
