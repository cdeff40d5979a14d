package import GRDB

extension Store {
    /// Returns whether the store belongs to a service, or pushes its local changes to one.
    ///
    /// Its rows are then the objects of the service, and what is deleted here would be deleted
    /// there.
    ///
    /// - Parameter db: A connection.
    /// - Returns: Whether an engine has bound or prepared the store.
    /// - Throws: `DatabaseError`.
    package func mirrorsService(_ db: Database) throws -> Bool {
        if try Capture.isInstalled(db) { return true }
        // Not `tableExists`: GRDB's schema cache survives the rollback of a transaction.
        let isMirror = try Bool.fetchOne(
            db,
            sql: "SELECT count(*) FROM sqlite_master WHERE name = '_tidemark_service'"
        )
        guard isMirror == true else { return false }
        return try Bool.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_service") ?? false
    }
}
