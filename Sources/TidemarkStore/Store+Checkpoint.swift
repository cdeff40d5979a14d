import GRDB

extension Store {
    /// Empties the write-ahead log into the database, unless somebody is reading.
    ///
    /// A reader keeps the pages it sees, and is not waited for; the log is then emptied by a later
    /// checkpoint.
    ///
    /// - Throws: `DatabaseError`.
    public func checkpoint() throws {
        backgroundCheckpoint?.finish()
        try writer.writeWithoutTransaction { db in
            try withoutWaiting(db) {
                do {
                    try db.checkpoint(.truncate)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return
                }
            }
        }
    }

    /// Runs a body that ends at once where it would wait for others, if the connection waits by
    /// time; what an app has set up of its own is left alone.
    private func withoutWaiting(_ db: Database, _ body: () throws -> Void) throws {
        let timeout = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        guard timeout > 0 else { return try body() }
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        let result = Result { try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(timeout)")
        try result.get()
    }
}
