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
        var found = FoundRows()
        return try insert(record, values: plan.values(of: record), plan, &found)
    }

    /// Inserts records as new rows, in their order.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     try writer.insert(contentsOf: ["Ada", "Ben"].map { User(id: nil, name: $0) })
    /// }
    /// ```
    ///
    /// An error leaves the rows before it inserted, in the transaction: let it end the transaction,
    /// or use a savepoint.
    ///
    /// - Parameter records: Records that have not been inserted yet.
    /// - Returns: The records with the identities of their rows.
    /// - Throws: As ``insert(_:)-(Record)``.
    @discardableResult
    public func insert<Record: EntityRecord>(
        contentsOf records: some Sequence<Record>
    ) throws -> [Record] {
        let plan = try writePlan(of: Record.self)
        var found = FoundRows()
        return try records.map { try insert($0, values: plan.values(of: $0), plan, &found) }
    }

    /// Inserts a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - values: Its values, in the order of the plan.
    ///   - plan: How records of the type are written.
    ///   - found: The rows that the links of earlier records have led to.
    /// - Returns: The record with the identity of its row.
    /// - Throws: As ``insert(_:)-(Record)``.
    func insert<Record: EntityRecord>(
        _ record: Record,
        values: [Value],
        _ plan: EntityWritePlan,
        _ found: inout FoundRows
    ) throws -> Record {
        guard !record.rowID.isSaved else {
            throw StoreError(
                .invalidValue,
                "\(record.rowID) has been inserted already.",
                hint: "Update it. To insert a copy, set its rowID to .unsaved first."
            )
        }
        var inserted = record
        inserted.rowID = RowID(try insertRow(values, plan, &found))
        return inserted
    }

    /// Inserts a row with the values of a plan's properties, and returns its number.
    private func insertRow(
        _ values: [Value],
        _ plan: EntityWritePlan,
        _ found: inout FoundRows
    ) throws -> Int64 {
        try expectConcrete(plan.entity)
        for index in values.indices { try plan.check(values[index], at: index) }
        let insertion = try insertion(plan)
        for (index, relationship) in plan.relationships {
            guard case .integer(let other) = values[index] else { continue }
            try found.expect(other, by: index, insertion) {
                try expect(other, atEndOf: relationship)
            }
        }
        let number = try insertRow(
            plan.defaults.isEmpty ? values : values + plan.defaults.map(\.value),
            plan.inserted,
            of: plan.entity,
            by: insertion
        )
        found.recordChange()
        for (index, relationship) in plan.relationships
        where !plan.inserted.contains(where: { $0.index == index }) {
            guard case .integer(let other) = values[index] else { continue }
            try link(relationship, of: number, to: other)
        }
        return number
    }

    /// Inserts a row with values, which the model allows, and returns its number.
    func insertRow(
        _ assignments: [(column: Int, value: Value)],
        of entity: EntityLayout
    ) throws -> Int64 {
        try insertRow(
            assignments.map(\.value),
            assignments.enumerated().map { (index: $0, column: $1.column) },
            of: entity,
            by: insertion(of: assignments.map(\.column), into: entity)
        )
    }

    private func insertRow(
        _ values: [Value],
        _ inserted: [(index: Int, column: Int)],
        of entity: EntityLayout,
        by insertion: RowStatement
    ) throws -> Int64 {
        try rejectingDuplicates(
            of: nil,
            entity: entity,
            assigning: Dictionary(
                uniqueKeysWithValues: inserted.map { ($0.column, values[$0.index]) }
            )
        ) {
            try binding { arena in
                for position in inserted.indices {
                    let value = values[inserted[position].index]
                    insertion.bind(value.stored(in: arena), at: position + 1)
                }
                try insertion.run()
            }
        }
        let number = insertion.lastInsertedRow
        changes(in: entity.table).inserted.insert(number)
        return number
    }

    private func insertion(_ plan: EntityWritePlan) throws -> RowStatement {
        try writePending()
        if let insertion = plan.insertion { return insertion }
        for (value, rule) in plan.defaults { try rule.check(value) }
        let insertion = try insertion(of: plan.inserted.map(\.column), into: plan.entity)
        plan.insertion = insertion
        return insertion
    }

    private func insertion(
        of columns: [Int],
        into entity: EntityLayout
    ) throws -> RowStatement {
        let table = entity.table
        let names = columns.map { name(of: $0, in: table) }
        let marks = columns.map { _ in "?" }
        let isNamed = layout.tables[table].hasEntityColumn
        let list = (names + (isNamed ? ["_entity"] : [])).joined(separator: ", ")
        let values = (marks + (isNamed ? [entity.name.quotedText] : [])).joined(separator: ", ")
        // SQL does not allow an empty list of columns.
        return try statement(
            keeping: "INSERT INTO \(name(of: table)) "
                + (list.isEmpty ? "DEFAULT VALUES" : "(\(list)) VALUES (\(values))")
        )
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
        guard row > 0 else {
            throw StoreError(
                .rowNotFound,
                "The linked \(destination.name) has not been inserted.",
                hint: "Insert it first, and link the record that insert returns."
            )
        }
        guard try !exists(row, of: destination) else { return }
        throw StoreError.rowNotFound("\(destination.name)#\(row)")
    }
}

/// The rows that links have led to, while nothing but insertions changes the store: many records
/// have a link to the same row.
struct FoundRows {
    private var rows: [Int: Set<Int64>] = [:]

    /// The changes of the connection, as ``RowStatement/totalChanges`` counts them.
    private var changes: Int32?

    /// Looks for the row of a link, unless it was found before.
    ///
    /// - Parameters:
    ///   - row: The row number.
    ///   - relationship: The index of the relationship.
    ///   - statement: A statement of the connection.
    ///   - find: Throws if the row does not exist.
    /// - Throws: The error of `find`.
    mutating func expect(
        _ row: Int64,
        by relationship: Int,
        _ statement: RowStatement,
        find: () throws -> Void
    ) throws {
        if changes != statement.totalChanges {
            // A trigger or other code may have deleted rows.
            rows = [:]
            changes = statement.totalChanges
        }
        guard rows[relationship]?.contains(row) != true else { return }
        try find()
        rows[relationship, default: []].insert(row)
    }

    /// Records that one row was inserted.
    mutating func recordChange() { changes = changes.map { $0 &+ 1 } }
}
