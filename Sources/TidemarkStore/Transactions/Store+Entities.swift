public import GRDB
public import TidemarkModel

extension Store {
    /// Returns the records that a request selects, in a transaction of its own.
    ///
    /// Use ``read(_:)-1y3vr`` for several reads that belong together.
    ///
    /// ```swift
    /// let users = try store.fetch(User.filter { $0.age >= 18 })
    /// ```
    ///
    /// - Parameter request: The request.
    /// - Returns: The records, in the order of the request.
    /// - Throws: As ``StoreReader/fetch(_:)->[Record]``, and ``StoreError/Code/outdated``.
    public func fetch<Record>(_ request: EntityRequest<Record>) throws -> [Record] {
        try read { reader in try reader.fetch(request) }
    }

    /// Returns the records that a request selects, without blocking the caller.
    ///
    /// ```swift
    /// let users = try await store.fetch(User.filter { $0.age >= 18 })
    /// ```
    ///
    /// - Parameter request: The request.
    /// - Returns: The records, in the order of the request.
    /// - Throws: As ``StoreReader/fetch(_:)->[Record]``, ``StoreError/Code/outdated``, and
    ///   `CancellationError` if the task is cancelled.
    public func fetch<Record>(_ request: EntityRequest<Record>) async throws -> [Record] {
        try await read { reader in try reader.fetch(request) }
    }

    /// Returns the record of a row, in a transaction of its own; nil if it does not exist.
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The record.
    /// - Throws: As ``fetch(_:)-34w4p``.
    public func fetch<Record>(_ row: RowID<Record>) throws -> Record? {
        try read { reader in try reader.fetch(row) }
    }

    /// Returns the record of a row, without blocking the caller; nil if it does not exist.
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The record.
    /// - Throws: As ``fetch(_:)-34w4p``, and `CancellationError`.
    public func fetch<Record>(_ row: RowID<Record>) async throws -> Record? {
        try await read { reader in try reader.fetch(row) }
    }

    /// Returns the record with a primary key, in a transaction of its own; nil if it is not stored.
    ///
    /// ```swift
    /// let ada = try store.fetch(User.self, key: 6)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - key: The primary key: one value, or as many as the key has parts.
    /// - Returns: The record.
    /// - Throws: As ``StoreReader/fetch(_:key:)``, and ``StoreError/Code/outdated``.
    public func fetch<Record: EntityRecord>(
        _ type: Record.Type,
        key: any AttributeValue...
    ) throws -> Record? {
        try read { reader in try reader.fetch(type, key: key) }
    }

    /// Returns the record with a primary key, without blocking the caller; nil if it is not stored.
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - key: The primary key: one value, or as many as the key has parts.
    /// - Returns: The record.
    /// - Throws: As ``StoreReader/fetch(_:key:)``, ``StoreError/Code/outdated``, and
    ///   `CancellationError`.
    public func fetch<Record: EntityRecord>(
        _ type: Record.Type,
        key: any AttributeValue...
    ) async throws -> Record? {
        try await read { reader in try reader.fetch(type, key: key) }
    }

    /// Returns the first record that a request selects, in a transaction of its own; nil
    /// without one.
    ///
    /// - Parameter request: The request.
    /// - Returns: The record.
    /// - Throws: As ``fetch(_:)-34w4p``.
    public func first<Record>(_ request: EntityRequest<Record>) throws -> Record? {
        try read { reader in try reader.first(request) }
    }

    /// Returns the first record that a request selects, without blocking the caller; nil
    /// without one.
    ///
    /// - Parameter request: The request.
    /// - Returns: The record.
    /// - Throws: As ``fetch(_:)-34w4p``.
    public func first<Record>(_ request: EntityRequest<Record>) async throws -> Record? {
        try await read { reader in try reader.first(request) }
    }

    /// Returns the number of rows that a request selects, in a transaction of its own.
    ///
    /// - Parameter request: The request.
    /// - Returns: The number of rows.
    /// - Throws: As ``fetch(_:)-34w4p``.
    public func count<Record>(_ request: EntityRequest<Record>) throws -> Int {
        try read { reader in try reader.count(request) }
    }

    /// Returns the number of rows that a request selects, without blocking the caller.
    ///
    /// - Parameter request: The request.
    /// - Returns: The number of rows.
    /// - Throws: As ``fetch(_:)-34w4p``.
    public func count<Record>(_ request: EntityRequest<Record>) async throws -> Int {
        try await read { reader in try reader.count(request) }
    }

    /// Returns the SQL of a typed request as a request of GRDB, without what it includes.
    ///
    /// ```swift
    /// let adults = try store.sql(for: User.filter { $0.age >= 18 })
    /// let observation = ValueObservation.tracking { db in try adults.fetchAll(db) }
    /// for try await users in observation.values(in: store.reader) { print(users.count) }
    /// ```
    ///
    /// Values are bound, never inserted into the text. It selects `_id` and the columns of the
    /// record type, by position.
    ///
    /// - Parameter request: The request.
    /// - Returns: The SQL with its values.
    /// - Throws: ``StoreError/Code/typeMismatch`` if the type does not match the store's model,
    ///   ``RecordPredicateError`` if the predicate cannot be used.
    public func sql<Record>(for request: EntityRequest<Record>) throws -> SQLRequest<Record> {
        let binding = try layout.binding(of: Record.self)
        let sql = try RequestSQL(request.record, in: layout).select(binding.columns)
        return SQLRequest(sql: sql.text, arguments: sql.bindings)
    }
}
