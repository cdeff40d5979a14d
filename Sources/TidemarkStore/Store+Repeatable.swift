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
        try writer.writeWithoutTransaction { db in try Self.repeatable(db, body) }
    }

    /// The same, without blocking the caller.
    ///
    /// - Throws: What `body` throws, `CancellationError` when the task was cancelled before, and
    ///   `DatabaseError`.
    public func writeRepeatable<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.writeWithoutTransaction { db in try Self.repeatable(db, body) }
    }

    private static func repeatable<T>(
        _ db: Database,
        _ body: (Database) throws -> T
    ) throws -> T {
        // The setting cannot be changed inside of a transaction.
        try with("synchronous", "NORMAL", db) {
            // What one short transaction changes is little: the memory is better left to others.
            guard let cache = try Int.fetchOne(db, sql: "PRAGMA cache_size"), cache < smallCache
            else { return try transaction(db, body) }
            return try with("cache_size", "\(smallCache)", db) { try transaction(db, body) }
        }
    }

    /// 8 MiB, as SQLite counts it.
    private static let smallCache = -(8 << 10)

    /// Runs a body while the connection has another setting.
    private static func with<T>(
        _ setting: String,
        _ value: String,
        _ db: Database,
        _ body: () throws -> T
    ) throws -> T {
        let before = try Int.fetchOne(db, sql: "PRAGMA \(setting)")
        try db.execute(sql: "PRAGMA \(setting) = \(value)")
        let outcome = Result { try body() }
        if let before { try db.execute(sql: "PRAGMA \(setting) = \(before)") }
        return try outcome.get()
    }

    private static func transaction<T>(
        _ db: Database,
        _ body: (Database) throws -> T
    ) throws -> T {
        try db.beginTransaction(.immediate)
        do {
            let value = try body(db)
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
