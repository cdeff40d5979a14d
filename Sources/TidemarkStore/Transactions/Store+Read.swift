public import GRDB

extension Store {
    /// Reads in a transaction: all that the closure reads comes from the same commit (snapshot
    /// isolation).
    ///
    /// Use it for several reads that belong together. Reads and writes do not block each other,
    /// except in a store with a single connection. It blocks the calling thread: in asynchronous
    /// functions `await` the asynchronous variant.
    ///
    /// ```swift
    /// let (films, count) = try store.read { reader in
    ///     (try reader.fetch(RecordRequest("Film", limit: 10)), try reader.count("Film"))
    /// }
    /// ```
    ///
    /// SQL runs on the connection, ``StoreReader/db``. Transactions of one store cannot be nested:
    /// pass the reader to functions instead of calling this again, which stops the program.
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
    /// Use it in asynchronous functions and on the main actor. The closure runs on a thread of the
    /// connection, so it captures only `Sendable` values.
    ///
    /// ```swift
    /// let count = try await store.read { reader in try reader.count("Film") }
    /// ```
    ///
    /// If the task is cancelled, the running statement is interrupted.
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
    /// Give the observation the tables to track: the store reads rows without GRDB's statements,
    /// whose tables would be tracked by themselves.
    ///
    /// ```swift
    /// let observation = ValueObservation.tracking(region: Table("Film")) { db in
    ///     try store.read(in: db) { reader in
    ///         try reader.fetch(RecordRequest("Film", sort: [.init("episode")]))
    ///     }
    /// }
    /// for try await films in observation.values(in: store.reader) { print(films.count) }
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
