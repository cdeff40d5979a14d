import GRDB

extension Store {
    /// Runs a checkpoint that moves the write-ahead log (WAL) into the database file and truncates
    /// the log.
    ///
    /// Stores run checkpoints by themselves. Call this after a large import, when the size of the
    /// `-wal` file matters, or before the file is copied or measured. It does not wait for other
    /// connections: if a transaction is reading or writing, the log is not truncated, and a later
    /// checkpoint does it. It waits for a background checkpoint of this store. Without a log, as in
    /// memory, it has no effect.
    ///
    /// ```swift
    /// _ = try await engine.pull()
    /// try store.checkpoint()
    /// ```
    ///
    /// - Throws: `DatabaseError`, but not if the database is busy.
    public func checkpoint() throws {
        // SQLite runs one checkpoint at a time: a second one fails with SQLITE_BUSY.
        backgroundCheckpoint?.finish()
        try writer.writeWithoutTransaction { db in
            // A TRUNCATE checkpoint calls the busy handler until no connection writes to or reads
            // from the log.
            try withoutWaiting(db) {
                do {
                    try db.checkpoint(.truncate)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return
                }
            }
        }
    }

    /// Runs a body that fails immediately, rather than waiting, when another connection has a lock.
    ///
    /// Only a busy timeout is switched off. A busy handler that an app has installed stays in
    /// effect.
    private func withoutWaiting(_ db: Database, _ body: () throws -> Void) throws {
        let timeout = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        guard timeout > 0 else { return try body() }
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        let result = Result { try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(timeout)")
        try result.get()
    }
}
