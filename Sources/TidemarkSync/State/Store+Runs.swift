import GRDB
public import TidemarkModel
public import TidemarkStore

extension Store {
    /// Releases the lease that a pull left whose host no longer exists.
    ///
    /// A pull takes over the lease of a process that was killed: at once on the same host; from
    /// another, a minute plus `Limits.idleTimeout` after its last transaction, or later where it
    /// was waiting to try a request again. Call this for a host that no longer exists,
    /// or whose clock is wrong. A pull that is running on another host after all ends with
    /// ``SyncError/Code/overtaken`` at its next transaction, and loses nothing.
    ///
    /// - Parameter environment: how processes are looked up.
    /// - Returns: the process that had the lease; nil where none had.
    /// - Throws: ``SyncError/Code/busy`` when the process is running on this host; `DatabaseError`.
    @discardableResult
    public func releaseLease(environment: SystemEnvironment = .live) throws -> ProcessIdentity? {
        try writer.write { db in
            guard try SyncTables.exist(db) else { return nil }
            return try Lease.releaseAbandoned(db, environment)
        }
    }

    /// What the store knows its service by; nil where it mirrors none.
    ///
    /// That is the service's `name`, else its origin, such as `https://api.example.com`.
    ///
    /// A row that is written locally into such a store is not sent to the service, and a later pull
    /// may undo it: the service's lists decide which rows there are.
    ///
    /// - Throws: `DatabaseError`.
    public func mirroredService() throws -> String? {
        try writer.read { db in try ServiceBinding.of(db)?.origin }
    }

    /// Forgets who is at work on the store.
    ///
    /// They go on elsewhere: at a copy of the store nobody is at work.
    package func forgetRuns() throws {
        try writer.write { db in
            guard try SyncTables.exist(db) else { return }
            for table in ["_tidemark_lease", "_tidemark_schedule"] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
        }
    }
}
