extension Store {
    /// Inserts a record as a new row, in a transaction of its own.
    ///
    /// Group writes that belong together with ``write(durability:_:)-9to8``.
    ///
    /// ```swift
    /// let ada = try store.insert(User(id: 1, name: "Ada"))
    /// ```
    ///
    /// - Parameter record: A record that has not been inserted yet.
    /// - Returns: The record with the identity of its row.
    /// - Throws: As ``StoreWriter/insert(_:)-(Record)``.
    @discardableResult
    public func insert<Record: EntityRecord>(_ record: Record) throws -> Record {
        try write { writer in try writer.insert(record) }
    }

    /// Inserts a record as a new row, without blocking the caller.
    ///
    /// - Parameter record: A record that has not been inserted yet.
    /// - Returns: The record with the identity of its row.
    /// - Throws: As ``StoreWriter/insert(_:)-(Record)``, and `CancellationError`.
    @discardableResult
    public func insert<Record: EntityRecord>(_ record: Record) async throws -> Record {
        try await write { writer in try writer.insert(record) }
    }

    /// Inserts records as new rows, in a transaction of its own.
    ///
    /// - Parameter records: Records that have not been inserted yet.
    /// - Returns: The records with the identities of their rows.
    /// - Throws: As ``StoreWriter/insert(_:)-(Record)``.
    @discardableResult
    public func insert<Record: EntityRecord>(contentsOf records: [Record]) throws -> [Record] {
        try write { writer in try writer.insert(contentsOf: records) }
    }

    /// Inserts records as new rows, without blocking the caller.
    ///
    /// - Parameter records: Records that have not been inserted yet.
    /// - Returns: The records with the identities of their rows.
    /// - Throws: As ``StoreWriter/insert(_:)-(Record)``, and `CancellationError`.
    @discardableResult
    public func insert<Record: EntityRecord>(
        contentsOf records: [Record]
    ) async throws -> [Record] {
        try await write { writer in try writer.insert(contentsOf: records) }
    }

    /// Reads the record of a row, lets a closure change it, and writes what it has changed, in a
    /// transaction of its own.
    ///
    /// ```swift
    /// func rename(_ user: User, to name: String, in store: Store) throws {
    ///     try store.update(user.rowID) { $0.name = name }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - row: The identity of the row.
    ///   - change: Changes the record.
    /// - Returns: The names of the properties that changed.
    /// - Throws: As ``StoreWriter/update(_:change:)``.
    @discardableResult
    public func update<Record: EntityRecord>(
        _ row: RowID<Record>,
        change: (inout Record) throws -> Void
    ) throws -> [String] {
        try write { writer in try writer.update(row, change: change) }
    }

    /// Reads the record of a row, lets a closure change it, and writes what it has changed, without
    /// blocking the caller.
    ///
    /// - Parameters:
    ///   - row: The identity of the row.
    ///   - change: Changes the record.
    /// - Returns: The names of the properties that changed.
    /// - Throws: As ``StoreWriter/update(_:change:)``, and `CancellationError`.
    @discardableResult
    public func update<Record: EntityRecord>(
        _ row: RowID<Record>,
        change: @escaping @Sendable (inout Record) throws -> Void
    ) async throws -> [String] {
        try await write { writer in try writer.update(row, change: change) }
    }

    /// Assigns values to all rows that a request selects, in a transaction of its own.
    ///
    /// ```swift
    /// try store.update(Note.filter { !$0.isDone }) { $0.set(\.isDone, to: true) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - assign: Makes the assignments.
    /// - Returns: The number of rows that changed.
    /// - Throws: As ``StoreWriter/update(_:assign:)``.
    @discardableResult
    public func update<Record>(
        _ request: EntityRequest<Record>,
        assign: (inout BatchUpdate<Record>) -> Void
    ) throws -> Int {
        try write { writer in try writer.update(request, assign: assign) }
    }

    /// Assigns values to all rows that a request selects, without blocking the caller.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - assign: Makes the assignments.
    /// - Returns: The number of rows that changed.
    /// - Throws: As ``StoreWriter/update(_:assign:)``, and `CancellationError`.
    @discardableResult
    public func update<Record>(
        _ request: EntityRequest<Record>,
        assign: @escaping @Sendable (inout BatchUpdate<Record>) -> Void
    ) async throws -> Int {
        try await write { writer in try writer.update(request, assign: assign) }
    }

    /// Inserts a record, or updates the row with its primary key (upsert), in a transaction of its
    /// own.
    ///
    /// - Parameter record: The record.
    /// - Returns: The record with the identity of its row.
    /// - Throws: As ``StoreWriter/upsert(_:)``.
    @discardableResult
    public func upsert<Record: EntityRecord>(_ record: Record) throws -> Record {
        try write { writer in try writer.upsert(record) }
    }

    /// Inserts a record, or updates the row with its primary key (upsert), without blocking the
    /// caller.
    ///
    /// - Parameter record: The record.
    /// - Returns: The record with the identity of its row.
    /// - Throws: As ``StoreWriter/upsert(_:)``, and `CancellationError`.
    @discardableResult
    public func upsert<Record: EntityRecord>(_ record: Record) async throws -> Record {
        try await write { writer in try writer.upsert(record) }
    }

    /// Saves a draft in a transaction of its own.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - policy: What happens to a property that was changed in the draft and in the store.
    /// - Returns: What was written, and the record as it is now.
    /// - Throws: As ``StoreWriter/save(_:onConflict:)``.
    @discardableResult
    public func save<Record: EntityRecord>(
        _ draft: Draft<Record>,
        onConflict policy: DraftConflictPolicy = .mine
    ) throws -> DraftOutcome<Record> {
        try write { writer in try writer.save(draft, onConflict: policy) }
    }

    /// Saves a draft without blocking the caller.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - policy: What happens to a property that was changed in the draft and in the store.
    /// - Returns: What was written, and the record as it is now.
    /// - Throws: As ``StoreWriter/save(_:onConflict:)``, and `CancellationError`.
    @discardableResult
    public func save<Record: EntityRecord>(
        _ draft: Draft<Record>,
        onConflict policy: DraftConflictPolicy = .mine
    ) async throws -> DraftOutcome<Record> {
        try await write { writer in try writer.save(draft, onConflict: policy) }
    }

    /// Deletes a row and applies the delete rules of the model, in a transaction of its own.
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: As ``StoreWriter/delete(_:)-(RecordLocator)``.
    @discardableResult
    public func delete<Record: EntityRecord>(_ row: RowID<Record>) throws -> [String: Int] {
        try write { writer in try writer.delete(row) }
    }

    /// Deletes a row and applies the delete rules of the model, without blocking the caller.
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: As ``StoreWriter/delete(_:)-(RecordLocator)``, and `CancellationError`.
    @discardableResult
    public func delete<Record: EntityRecord>(_ row: RowID<Record>) async throws -> [String: Int] {
        try await write { writer in try writer.delete(row) }
    }

    /// Deletes the rows that a request selects and applies the delete rules of the model, in a
    /// transaction of its own.
    ///
    /// - Parameter request: The request. Its limit and offset apply.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: As ``StoreWriter/delete(_:)-(EntityRequest<Record>)``.
    @discardableResult
    public func delete<Record>(_ request: EntityRequest<Record>) throws -> [String: Int] {
        try write { writer in try writer.delete(request) }
    }

    /// Deletes the rows that a request selects and applies the delete rules of the model, without
    /// blocking the caller.
    ///
    /// - Parameter request: The request. Its limit and offset apply.
    /// - Returns: The numbers of deleted rows by entity, those deleted by a cascade included.
    /// - Throws: As ``StoreWriter/delete(_:)-(EntityRequest<Record>)``, and `CancellationError`.
    @discardableResult
    public func delete<Record>(_ request: EntityRequest<Record>) async throws -> [String: Int] {
        try await write { writer in try writer.delete(request) }
    }
}
