import GRDB

extension Store {
    /// Empties the write-ahead log into the database, unless somebody is reading.
    ///
    /// A reader keeps the pages it sees; the log is then emptied by a later checkpoint.
    public func truncateLog() throws {
        try writer.writeWithoutTransaction { db in
            do {
                try db.checkpoint(.truncate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return
            }
        }
    }
}
