import GRDB
package import TidemarkModel
package import TidemarkStore

extension Store {
    /// Releases the lease of a pull whose host no longer exists.
    ///
    /// This is rarely needed, because a pull takes over the lease of a killed process: at once on
    /// the same host; on another host one minute plus `Limits.http.idleTimeout` after the last
    /// transaction of that process, or later if it was waiting to retry a request. Call this method
    /// if the host of the process no longer exists, or if its clock is wrong. If a pull is still
    /// running on the other host, it ends with ``SyncError/Code/leaseLost`` at its next
    /// transaction or change. Its committed pages stay.
    ///
    /// - Parameter environment: Looks up the host and its processes.
    /// - Returns: The process that held the lease; nil if the lease was free.
    /// - Throws: ``SyncError/Code/busy`` if the process is running on this host; `DatabaseError`.
    @discardableResult
    package func releaseLease(environment: SystemEnvironment = .live) throws -> ProcessIdentity? {
        try writer.write { db in
            guard try SyncTables.exist(db) else { return nil }
            return try Lease.releaseAbandoned(db, environment)
        }
    }

    /// Returns the identifier of the service that the store mirrors; nil if it mirrors no service.
    ///
    /// The identifier is the `name` of the service or, if it has no name, its origin, such as
    /// `https://api.example.com`.
    ///
    /// A row that is written locally into such a store is not sent to the service unless the store
    /// records local changes, and a later pull may undo the change: the lists of the service decide
    /// which rows exist.
    ///
    /// - Throws: `DatabaseError`.
    package func mirroredService() throws -> String? {
        try writer.read { db in try ServiceBinding.of(db)?.origin }
    }

    /// Deletes the lease and the schedule from a copy of a store.
    ///
    /// The processes that hold them work on the original store, not on the copy.
    package func forgetRuns() throws {
        try writer.write { db in
            guard try SyncTables.exist(db) else { return }
            for table in ["_tidemark_lease", "_tidemark_schedule", "_tidemark_run"]
            where try db.tableExists(table) {
                try db.execute(sql: "DELETE FROM \(table)")
            }
        }
    }
}
