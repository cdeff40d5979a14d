import GRDB
package import TidemarkModel

package import struct Foundation.Date

/// The records of conflicts.
extension Capture {
    /// Deletes the oldest records of decided conflicts that exceed the limits.
    ///
    /// Conflicts that await a decision are kept. One call deletes at most
    /// `Limits.rowsInTransaction` records, so that it does not hold the write lock for long; the
    /// next run continues.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - time: The present time; nil for the clock of SQLite.
    /// - Throws: `DatabaseError`.
    package func deleteOldConflicts(keeping limits: Limits, at time: Date?) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_conflict") ?? 0
        let excess = min(count - limits.conflicts.records, limits.rowsInTransaction)
        guard excess > 0 else { return }
        let old = """
            SELECT _id FROM _tidemark_conflict WHERE decision IS NOT NULL \
            AND time < coalesce(?1, (julianday('now') - 2440587.5) * 86400) - ?2 \
            ORDER BY _id LIMIT ?3
            """
        let arguments: StatementArguments = [
            time?.timeIntervalSince1970, limits.conflicts.age / .seconds(1), excess,
        ]
        // Values first, which determine the same records: an app's own connection may not enforce
        // foreign keys, and would leave them.
        for (table, column) in [
            ("_tidemark_conflict_value", "conflict"), ("_tidemark_conflict", "_id"),
        ] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE \(column) IN (\(old))",
                arguments: arguments
            )
        }
    }
}
