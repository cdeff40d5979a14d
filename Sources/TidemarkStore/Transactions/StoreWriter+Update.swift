import TidemarkModel

extension StoreWriter {
    /// Updates the row of a record to the record's values.
    ///
    /// Only values that differ from the stored ones are written. A record that was fetched earlier
    /// therefore takes back what others have changed since: to edit a row, use
    /// ``update(_:change:)`` or a ``Draft``.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     var user = try writer.first(User.filter { $0.name == "Ada" })
    ///     user?.age = 36
    ///     if let user { try writer.update(user) }
    /// }
    /// ```
    ///
    /// In SQL it is `UPDATE … SET` with the columns that differ. To-one relationships are written,
    /// to-many ones are not.
    ///
    /// - Parameter record: A record of an existing row.
    /// - Returns: The names of the properties that changed.
    /// - Throws: ``StoreError/Code/rowNotFound``; otherwise as ``insert(_:)-(Record)``.
    @discardableResult
    public func update<Record: EntityRecord>(_ record: Record) throws -> [String] {
        let plan = try writePlan(of: Record.self)
        let stored = try existing(record.rowID)
        return try write(record, over: plan.values(of: stored), plan)
    }

    /// Reads the record of a row, lets a closure change it, and writes what it has changed.
    ///
    /// This is the way to edit a row: values that the closure does not change stay as they are.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     for user in try writer.rowIDs(User.filter { $0.age == nil }) {
    ///         try writer.update(user) { $0.age = 0 }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - row: The identity of the row.
    ///   - change: Changes the record.
    /// - Returns: The names of the properties that changed.
    /// - Throws: ``StoreError/Code/rowNotFound``, ``StoreError/Code/invalidValue`` if the type
    ///   cannot represent the row, errors that `change` throws; otherwise as
    ///   ``insert(_:)-(Record)``.
    @discardableResult
    public func update<Record: EntityRecord>(
        _ row: RowID<Record>,
        change: (inout Record) throws -> Void
    ) throws -> [String] {
        let plan = try writePlan(of: Record.self)
        var record = try existing(row)
        let before = try plan.values(of: record)
        try change(&record)
        record.rowID = row
        return try write(record, over: before, plan)
    }

    /// Inserts a record, or updates the row with its primary key (upsert).
    ///
    /// ```swift
    /// let ada = try store.write { writer in try writer.upsert(User(id: 1, name: "Ada")) }
    /// ```
    ///
    /// A record with an identity updates its row. One without a primary key is inserted: the
    /// service assigns its key later. For documents of a service, use an import.
    ///
    /// - Parameter record: The record.
    /// - Returns: The record with the identity of its row.
    /// - Throws: ``StoreError/Code/typeMismatch`` if the type lacks a part of the primary key, or
    ///   the entity has none; otherwise as ``update(_:)`` and ``insert(_:)-(Record)``.
    @discardableResult
    public func upsert<Record: EntityRecord>(_ record: Record) throws -> Record {
        let plan = try writePlan(of: Record.self)
        let values = try plan.values(of: record)
        var record = record
        if !record.rowID.isSaved {
            guard let row = try row(withKeyIn: values, plan) else {
                var found = FoundRows()
                return try insert(record, values: values, plan, &found)
            }
            record.rowID = RowID(row)
        }
        let stored = try existing(record.rowID)
        _ = try write(record, over: plan.values(of: stored), plan)
        return record
    }

    // MARK: Rows

    /// Returns the plan for writing records of a type.
    func writePlan<Record: EntityRecord>(of type: Record.Type) throws -> EntityWritePlan {
        let key = ObjectIdentifier(type)
        if let plan = localWrites.plans[key] { return plan }
        let plan = try EntityWritePlan(layout.binding(of: type), in: layout)
        localWrites.plans[key] = plan
        return plan
    }

    /// Returns the record of a row, which exists.
    func existing<Record>(_ row: RowID<Record>) throws -> Record {
        guard let record = try fetch(row) else { throw StoreError.rowNotFound("\(row)") }
        return record
    }

    /// Writes the values of a record that differ from others.
    ///
    /// - Parameters:
    ///   - record: The record of an existing row.
    ///   - before: The values of the properties before.
    ///   - plan: How records of the type are written.
    /// - Returns: The names of the properties that changed.
    /// - Throws: ``StoreError``, `DatabaseError`.
    private func write<Record: EntityRecord>(
        _ record: Record,
        over before: [Value],
        _ plan: EntityWritePlan
    ) throws -> [String] {
        let values = try plan.values(of: record)
        let changed = values.indices.filter { !values[$0].isSame(as: before[$0]) }
        try write(values, at: changed, to: record.rowID.number, plan)
        return changed.map(plan.name(at:))
    }

    /// Writes the values of some properties to a row.
    func write(
        _ values: [Value],
        at changed: [Int],
        to row: Int64,
        _ plan: EntityWritePlan
    ) throws {
        var assignments: [(column: Int, value: Value)] = []
        for index in changed {
            guard case .attribute(let column, _) = plan.properties[index] else { continue }
            try plan.check(values[index], at: index)
            assignments.append((column, values[index]))
        }
        try updateRow(row, of: plan.entity, assigning: assignments)
        for index in changed {
            guard case .relationship(let relationship) = plan.properties[index] else { continue }
            var rows: [Int64] = []
            if case .integer(let other) = values[index] {
                try expect(other, atEndOf: relationship)
                rows = [other]
            }
            _ = try setLinks(relationship, of: row, entity: plan.entity, toRows: rows)
        }
    }

    /// Updates columns of a row to values that the model allows.
    func updateRow(
        _ number: Int64,
        of entity: EntityLayout,
        assigning assignments: [(column: Int, value: Value)]
    ) throws {
        guard !assignments.isEmpty else { return }
        let list = assignments.map { "\(name(of: $0.column, in: entity.table)) = ?" }
            .joined(separator: ", ")
        let update = try statement(
            keeping: "UPDATE \(name(of: entity.table)) SET \(list) WHERE _id = ?"
        )
        try rejectingDuplicates(
            of: number,
            entity: entity,
            assigning: Dictionary(uniqueKeysWithValues: assignments.map { ($0.column, $0.value) })
        ) {
            try binding { arena in
                for (index, assignment) in assignments.enumerated() {
                    update.bind(assignment.value.stored(in: arena), at: index + 1)
                }
                update.bind(number, at: assignments.count + 1)
                try update.run()
            }
        }
        var mask = ColumnMask()
        for (column, _) in assignments { mask.insert(column) }
        changes(in: entity.table).update(number, columns: mask)
        // Unresolved references may refer to the new key.
        if assignments.contains(where: { entity.key.contains($0.column) }) {
            recordKeyChange(of: number, in: entity.table)
        }
    }

    /// Returns the row with the primary key that values contain; nil if it is not stored, or a part
    /// of the key has no value.
    private func row(withKeyIn values: [Value], _ plan: EntityWritePlan) throws -> Int64? {
        let entity = plan.entity
        guard !entity.key.isEmpty else {
            throw StoreError(
                .typeMismatch,
                "\(entity.name) has no primary key, by which a row could be found.",
                hint: "Insert the record, or update it by its rowID."
            )
        }
        let key = try entity.key.map { column in
            guard let index = plan.properties.firstIndex(where: { $0.column == column }) else {
                throw StoreError(
                    .typeMismatch,
                    "The type of \(entity.name) lacks "
                        + "\(layout.tables[entity.table].columns[column].name), "
                        + "which is a part of the primary key.",
                    hint: "Add the property to the type."
                )
            }
            return values[index]
        }
        guard !key.contains(.null) else { return nil }
        let conditions = entity.key.map { "\(name(of: $0, in: entity.table)) = ?" }
        let find = try statement(
            """
            SELECT _id FROM \(name(of: entity.table)) \
            WHERE \(conditions.joined(separator: " AND "))\(entity.familyCondition)
            """
        )
        return try binding { arena in
            for (index, part) in key.enumerated() {
                find.bind(part.stored(in: arena), at: index + 1)
            }
            defer { find.reset() }
            return try find.step() ? find.integer(at: 0) : nil
        }
    }

    /// Calls a closure with an arena for the values that a statement binds.
    func binding<T>(_ body: (ValueArena) throws -> T) rethrows -> T {
        localWrites.arena.reset()
        return try body(localWrites.arena)
    }
}
