import Foundation
import GRDB
import TidemarkModel

/// The runs whose requests may still be on their way, in `_tidemark_run`.
///
/// A frozen request names its run. Its outcome is unknown once that run cannot receive it any more:
/// at once if the process is not running, otherwise when the deadline has passed. Until then a run
/// that has taken over the lease does not send the request again.
struct SendingRuns {
    let db: Database
    let environment: SystemEnvironment

    /// Records how long requests of a run may last.
    ///
    /// - Parameters:
    ///   - token: The identifier of the run.
    ///   - holder: Its process.
    ///   - deadline: When none of its requests is on its way any more, in seconds since 1970.
    /// - Throws: `DatabaseError`.
    func record(_ token: String, of holder: ProcessIdentity, until deadline: Double) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_run (token, host, process, started, deadline) \
                VALUES (?1, ?2, ?3, ?4, ?5) \
                ON CONFLICT DO UPDATE SET deadline = max(deadline, excluded.deadline)
                """
        )
        .execute(arguments: [token, holder.host, holder.number, holder.started, deadline])
    }

    /// Makes the outcomes of requests unknown that no run waits for any more: they may have been
    /// applied.
    ///
    /// - Throws: `DatabaseError`.
    func settleEnded() throws {
        let runs = try Row.fetchAll(db, sql: "SELECT * FROM _tidemark_run")
        let ended = runs.filter { !isSending($0) }.map { $0["token"] as String }
        for token in ended { try forget(token) }
        // Those without a run: it has ended, or is not known.
        try markUncertain(where: "run IS NULL OR run NOT IN (SELECT token FROM _tidemark_run)")
    }

    /// Records that a run has ended: it receives no more outcomes.
    ///
    /// - Parameter token: The identifier of the run.
    /// - Throws: `DatabaseError`.
    func end(_ token: String) throws {
        try forget(token)
        try markUncertain(where: "run = ?", token)
    }

    /// Forgets a run whose host does not exist any more, as its user says.
    ///
    /// - Parameter token: The identifier of the run.
    /// - Throws: `DatabaseError`.
    func forget(_ token: String) throws {
        try db.execute(sql: "DELETE FROM _tidemark_run WHERE token = ?", arguments: [token])
    }

    private func isSending(_ run: Row) -> Bool {
        let holder = ProcessIdentity(run)
        let left = (run["deadline"] as Double) - environment.now().timeIntervalSince1970
        let isDead = holder.host == environment.process().host && !environment.isRunning(holder)
        // A later deadline was written by a wrong clock.
        return !isDead && left > 0 && left <= Lease.longest
    }

    private func markUncertain(
        where condition: String,
        _ arguments: (any DatabaseValueConvertible)?...
    ) throws {
        let sent = """
            (SELECT _id FROM _tidemark_change LEFT JOIN _tidemark_request ON change = _id \
            WHERE state = 'inFlight' AND (\(condition)))
            """
        let now = environment.now().timeIntervalSince1970
        try db.execute(
            sql: "UPDATE _tidemark_request SET lastAttempt = ? WHERE change IN \(sent)",
            arguments: StatementArguments([now] + arguments)
        )
        try db.execute(
            sql: "UPDATE _tidemark_change SET state = 'uncertain' WHERE _id IN \(sent)",
            arguments: StatementArguments(arguments)
        )
    }
}
