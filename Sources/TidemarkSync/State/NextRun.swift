import Foundation
import GRDB
import TidemarkModel

/// The time of the next scheduled pull, and the process that will start it.
struct NextRun: Equatable {
    /// The process that runs the schedule.
    var process: ProcessIdentity

    /// The time of the next pull; nil if none is scheduled.
    var date: Date?

    /// Returns when the next pull begins; nil if no running process of this host will start one.
    static func date(_ db: Database, _ environment: SystemEnvironment) throws -> Date? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM _tidemark_schedule") else {
            return nil
        }
        let process = ProcessIdentity(row)
        // Whether a process is running can be determined on its own host only.
        let isHere = process.host == environment.process().host
        guard isHere, environment.isRunning(process) else { return nil }
        return try SyncTables.date("next", of: row)
    }

    /// Saves the entry, replacing any other.
    ///
    /// If ``date`` is nil, deletes the entry of the process.
    func save(_ db: Database) throws {
        guard let date else {
            // Only its own entry: another process may have replaced it.
            return try db.execute(
                sql: """
                    DELETE FROM _tidemark_schedule WHERE host = ? AND process = ? AND started = ?
                    """,
                arguments: [process.host, process.number, process.started]
            )
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO _tidemark_schedule (_id, host, process, started, next) \
                VALUES (1, ?, ?, ?, ?)
                """,
            arguments: [
                process.host, process.number, process.started, date.timeIntervalSince1970,
            ]
        )
    }
}
