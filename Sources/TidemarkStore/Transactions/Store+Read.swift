public import GRDB

extension Store {
    /// Reads in a transaction: all that the closure reads comes from the same commit.
    ///
    /// Use it for several reads that belong together. Reads and writes do not block each other.
    ///
    /// ```swift
    /// let (films, count) = try store.read { db in
    ///     (try db.fetch(RecordRequest("Film", limit: 10)), try db.count("Film"))
    /// }
    /// ```
    ///
    /// SQL runs on the connection, ``StoreReader/db``.
    ///
    /// - Parameter body: Reads from the reader. The reader must not be used after it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `DatabaseError`, and errors that `body` throws.
    public func read<T>(_ body: (StoreReader) throws -> T) throws -> T {
        try reader.read { db in try read(in: db, body) }
    }

    /// Reads in a transaction, without blocking the caller.
    ///
    /// Use it in asynchronous functions.
    ///
    /// ```swift
    /// let count = try await store.read { db in try db.count("Film") }
    /// ```
    ///
    /// - Parameter body: Reads from the reader. The reader must not be used after it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `CancellationError` if the task is cancelled, `DatabaseError`, and errors that `body`
    ///   throws.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (StoreReader) throws -> T
    ) async throws -> T {
        do {
            return try await reader.read { db in try read(in: db, body) }
        } catch let error as DatabaseError where error.isInterruptionError && Task.isCancelled {
            // GRDB throws this itself for its own statements, but not for RowStatement.
            throw CancellationError()
        }
    }

    /// Reads in a transaction of the caller.
    ///
    /// Use it to combine records with other reads of GRDB, for example in a `ValueObservation`.
    ///
    /// ```swift
    /// let count = try pool.read { db in
    ///     try store.read(in: db) { reader in try reader.count("Film") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection to the database of the store, inside a transaction.
    ///   - body: Reads from the reader. The reader must not be used after it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `DatabaseError`, and errors that `body` throws.
    public func read<T>(in db: Database, _ body: (StoreReader) throws -> T) throws -> T {
        try body(StoreReader.prepare(db, in: self))
    }
}
