import Foundation
import GRDB
import TidemarkModel

/// When the process that pulls by a schedule will do so next.
struct NextRun: Equatable {
    /// The process.
    var process: ProcessIdentity

    /// When; nil where it will not.
    var date: Date?

    /// When the next pull begins; nil where no process is there that would begin it.
    static func date(_ db: Database, _ environment: SystemEnvironment) throws -> Date? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM _tidemark_schedule") else {
            return nil
        }
        let process = ProcessIdentity(
            host: row["host"],
            number: row["process"],
            started: row["started"]
        )
        // Of another host's processes nobody knows.
        let isHere = process.host == environment.process().host
        guard isHere, environment.isRunning(process) else { return nil }
        return try SyncTables.date(row, "next")
    }

    /// Writes it, in the place of any other.
    func save(_ db: Database) throws {
        guard let date else {
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
