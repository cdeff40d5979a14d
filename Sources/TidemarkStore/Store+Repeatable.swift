public import GRDB

extension Store {
    /// Runs a write transaction that is not flushed to the disk when it is committed.
    ///
    /// The transaction is atomic, and survives a crash of the process. A power failure may roll it
    /// back together with later ones of its kind, until the next transaction that is committed in
    /// the usual way (`synchronous = FULL`). Use this only for work that can be repeated. An import
    /// session applies its pages this way: its checkpoint is part of the same transaction, so a
    /// page that is rolled back is read again.
    ///
    /// - Throws: Errors that `body` throws, and `DatabaseError`.
    public func writeRepeatable<T>(_ body: (Database) throws -> T) throws -> T {
        try writer.writeWithoutTransaction { db in try repeatable(db, body) }
    }

    /// Runs a write transaction that is not flushed to the disk when it is committed, without
    /// blocking the caller.
    ///
    /// - Throws: Errors that `body` throws, `CancellationError` if the task was cancelled before
    ///   the transaction started, and `DatabaseError`.
    public func writeRepeatable<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.writeWithoutTransaction { db in try repeatable(db, body) }
    }

    private func repeatable<T>(
        _ db: Database,
        _ body: (Database) throws -> T
    ) throws -> T {
        // PRAGMA synchronous has no effect inside a transaction. A short transaction changes few
        // pages, so it needs less of the cache than the connection's 16 MiB.
        try Self.with("cache_size", Self.smallCache, db) {
            try Self.with("synchronous", Self.normal, db) { try transaction(db, body) }
        }
    }

    /// 8 MiB: SQLite reads a negative size as a number of KiB.
    private static let smallCache: Int64 = -(8 << 10)

    /// The value of `PRAGMA synchronous` for `NORMAL`.
    private static let normal: Int64 = 1

    /// Runs a body while a setting of the connection has another value.
    private static func with<T>(
        _ setting: String,
        _ value: Int64,
        _ db: Database,
        _ body: () throws -> T
    ) throws -> T {
        guard let before = try self.value(of: setting, db), before != value else {
            return try body()
        }
        try set(setting, to: value, db)
        let outcome = Result { try body() }
        try set(setting, to: before, db)
        return try outcome.get()
    }

    // These use RowStatement because GRDB takes longer to prepare such a statement than SQLite to
    // run it.

    private static func value(of setting: String, _ db: Database) throws -> Int64? {
        let statement = try RowStatement(db, "PRAGMA \(setting)")
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    private static func set(_ setting: String, to value: Int64, _ db: Database) throws {
        try RowStatement(db, "PRAGMA \(setting) = \(value)").run()
    }

    private func transaction<T>(
        _ db: Database,
        _ body: (Database) throws -> T
    ) throws -> T {
        try db.beginTransaction(.immediate)
        do {
            let value = try body(db)
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
