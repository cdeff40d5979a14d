import GRDB
package import TidemarkStore

extension Store {
    /// Forgets who is at work on the store, and what they have put aside.
    ///
    /// They go on elsewhere: at a copy of the store nobody is at work.
    package func forgetRuns() throws {
        try writer.write { db in
            guard try SyncTables.exist(db) else { return }
            for table in ["_tidemark_lease", "_tidemark_schedule", "_tidemark_stage"] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
        }
    }
}
