public import GRDB

extension Store {
    /// Writes in a transaction, which is rolled back if the closure throws.
    ///
    /// One transaction writes at a time. It begins as `IMMEDIATE`: it waits for other writers of
    /// this process, and up to 10 seconds for other processes, after which `SQLITE_BUSY` is thrown
    /// (on an app's own connection, its busy mode decides). Group writes that belong together in
    /// one transaction: it is atomic, and one commit is faster than many.
    ///
    /// ```swift
    /// let ada = try store.write { writer in
    ///     let ada = try writer.insert("User", values: ["name": .string("Ada")])
    ///     try writer.insert("Note", values: [:], links: ["user": [RecordLocator(ada)]])
    ///     return ada
    /// }
    /// ```
    ///
    /// Before the commit, unresolved references to the new rows become links, and GRDB's observers
    /// are notified of the changes. SQL runs on the connection, ``StoreReader/db``. Transactions of
    /// one store cannot be nested: pass the writer to functions instead of calling this again,
    /// which stops the program.
    ///
    /// - Parameters:
    ///   - durability: Whether the commit waits for the disk; it does by default.
    ///   - body: Writes with the writer. The writer must not be used after it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `DatabaseError`, and errors that `body` throws. Nothing is written then.
    @discardableResult
    public func write<T>(
        durability: Durability = .full,
        _ body: (StoreWriter) throws -> T
    ) throws -> T {
        try transaction(durability: durability) { db in try finishing(db, body) }
    }

    /// Writes in a transaction, without blocking the caller.
    ///
    /// Use it in asynchronous functions and on the main actor. The transaction is rolled back if
    /// the closure throws or if the task is cancelled. The closure runs on the thread of the
    /// writing connection, so it captures only `Sendable` values.
    ///
    /// ```swift
    /// try await store.write { writer in
    ///     try writer.update(RecordLocator("User:6"), values: ["name": .string("Ada")])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - durability: Whether the commit waits for the disk; it does by default.
    ///   - body: Writes with the writer. The writer must not be used after it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `CancellationError` if the task is cancelled, `DatabaseError`, and errors that `body`
    ///   throws. Nothing is written then.
    @discardableResult
    public func write<T: Sendable>(
        durability: Durability = .full,
        _ body: @escaping @Sendable (StoreWriter) throws -> T
    ) async throws -> T {
        try await transaction(durability: durability) { db in try finishing(db, body) }
    }

    /// Writes in a transaction of the caller.
    ///
    /// If the closure throws, its changes are rolled back, and those that the caller made before
    /// are kept. Use it to change records and an app's own tables in one transaction, or within the
    /// hooks of an import.
    ///
    /// ```swift
    /// try pool.write { db in
    ///     try db.execute(sql: "UPDATE settings SET lastEdit = ?", arguments: [Date.now])
    ///     try store.write(in: db) { writer in
    ///         try writer.delete(RecordLocator("User:6"))
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection to the database of the store, inside a write transaction.
    ///   - body: Writes with the writer. The writer must not be used after it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `DatabaseError`, and errors that `body` throws.
    @discardableResult
    public func write<T>(in db: Database, _ body: (StoreWriter) throws -> T) throws -> T {
        // Through GRDB, which must know of savepoints to report changes to its observers.
        try db.execute(sql: "SAVEPOINT tidemark_write")
        do {
            let value = try finishing(db, body)
            try db.execute(sql: "RELEASE tidemark_write")
            return value
        } catch {
            // SQLite rolls back on its own after some errors, such as a full disk.
            if db.isInsideTransaction {
                try db.execute(sql: "ROLLBACK TO tidemark_write; RELEASE tidemark_write")
            }
            throw error
        }
    }

    private func finishing<T>(_ db: Database, _ body: (StoreWriter) throws -> T) throws -> T {
        let writer = try StoreWriter.prepare(db, in: self)
        let value = try body(writer)
        try writer.finish()
        return value
    }
}

extension Store {
    /// Runs a write transaction for tables that do not depend on the layout.
    ///
    /// In contrast to ``write(durability:_:)``, it also succeeds after the store was migrated: a
    /// lease must be released even then.
    ///
    /// - Parameters:
    ///   - durability: Whether the commit waits for the disk.
    ///   - body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: Errors that `body` throws, `DatabaseError`.
    package func transaction<T>(
        durability: Durability,
        _ body: (Database) throws -> T
    ) throws -> T {
        try writer.writeWithoutTransaction { db in
            try short(db, durability: durability) { try body(db) }
        }
    }

    /// Runs a write transaction for tables that do not depend on the layout, without blocking the
    /// caller.
    ///
    /// - Parameters:
    ///   - durability: Whether the commit waits for the disk.
    ///   - body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: Errors that `body` throws, `CancellationError` if the task is cancelled, and
    ///   `DatabaseError`.
    package func transaction<T: Sendable>(
        durability: Durability,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        do {
            return try await writer.writeWithoutTransaction { db in
                try short(db, durability: durability) { try body(db) }
            }
        } catch let error as DatabaseError where error.isInterruptionError && Task.isCancelled {
            // GRDB throws this itself for its own statements, but not for RowStatement.
            throw CancellationError()
        }
    }

    private func committed<T>(
        _ db: Database,
        durability: Durability,
        _ body: () throws -> T
    ) throws -> T {
        switch durability {
        case .full:
            // An app's own connection may already have EXTRA.
            return try Self.setting("synchronous", to: 2...3, on: db) { try committed(db, body) }
        case .relaxed:
            return try Self.setting("synchronous", to: 1...1, on: db) { try committed(db, body) }
        }
    }

    /// Runs a short transaction, which changes few pages: it needs less of the cache than the
    /// connection's 16 MiB.
    private func short<T>(
        _ db: Database,
        durability: Durability,
        _ body: () throws -> T
    ) throws -> T {
        // SQLite reads a negative size as a number of KiB.
        try Self.setting("cache_size", to: -5_120 ... -5_120, on: db) {
            try committed(db, durability: durability, body)
        }
    }

    /// Runs a body while a setting of the connection has one of several values: the first of them,
    /// if it has none of them now.
    ///
    /// `PRAGMA synchronous` has no effect inside a transaction: 1 is `NORMAL`, 2 `FULL`, 3 `EXTRA`.
    private static func setting<T>(
        _ name: String,
        to values: ClosedRange<Int64>,
        on db: Database,
        during body: () throws -> T
    ) throws -> T {
        guard let before = try value(of: name, on: db), !values.contains(before) else {
            return try body()
        }
        try set(name, to: values.lowerBound, on: db)
        let outcome = Result { try body() }
        try set(name, to: before, on: db)
        return try outcome.get()
    }

    // These use RowStatement because GRDB takes longer to prepare such a statement than SQLite to
    // run it.

    private static func value(of setting: String, on db: Database) throws -> Int64? {
        let statement = try RowStatement.prepare(db, "PRAGMA \(setting)")
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    private static func set(_ setting: String, to value: Int64, on db: Database) throws {
        try RowStatement.prepare(db, "PRAGMA \(setting) = \(value)").run()
    }

    private func committed<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        try db.beginTransaction(.immediate)
        do {
            let value = try body()
            try sealChanges(db)
            try db.commit()
            return value
        } catch {
            // SQLite rolls back on its own after some errors, such as a full disk.
            if db.isInsideTransaction { try db.rollback() }
            // GRDB caches the schema, which may contain a table that this transaction created.
            db.clearSchemaCache()
            throw error
        }
    }
}
