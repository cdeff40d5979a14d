public import GRDB

extension Store {
    /// Runs a transaction whose work is done again if it is undone.
    ///
    /// It happens as a whole or not at all, and outlives the process that made it. A power cut may
    /// undo it, with those behind it, as long as no usual transaction follows: the disk is not
    /// waited for. So a walk applies its pages, for what it has seen of them is kept with them.
    ///
    /// - Throws: What `body` throws, and `DatabaseError`.
    public func writeRepeatable<T>(_ body: (Database) throws -> T) throws -> T {
        try writer.writeWithoutTransaction { db in try repeatable(db, body) }
    }

    /// The same, without blocking the caller.
    ///
    /// - Throws: What `body` throws, `CancellationError` when the task was cancelled before, and
    ///   `DatabaseError`.
    public func writeRepeatable<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.writeWithoutTransaction { db in try repeatable(db, body) }
    }

    private func repeatable<T>(
        _ db: Database,
        _ body: (Database) throws -> T
    ) throws -> T {
        // The settings cannot be changed inside of a transaction. What a short one changes is
        // little: the memory is better left to others.
        try Self.with("cache_size", Self.smallCache, db) {
            try Self.with("synchronous", Self.normal, db) { try transaction(db, body) }
        }
    }

    /// 8 MiB, as SQLite counts it.
    private static let smallCache: Int64 = -(8 << 10)

    /// The number of the setting `NORMAL`.
    private static let normal: Int64 = 1

    /// Runs a body while the connection has another setting.
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

    // GRDB takes longer to prepare these than SQLite to run them.

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
            // SQLite may have rolled back on its own.
            if db.isInsideTransaction { try db.rollback() }
            // A table that it made is gone with it.
            db.clearSchemaCache()
            throw error
        }
    }
}
