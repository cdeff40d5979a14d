import Foundation
import GRDB
import TidemarkModel

/// The right to pull into a store, which one run has at a time, across threads and processes.
///
/// It is a row of the store. A holder on this host that is dead is replaced at once, any other when
/// its time has run out. Every transaction of a run asks first whether it still has the right.
struct Lease: Sendable {
    /// What tells this run from others.
    let token: String

    private let holder: ProcessIdentity

    /// For how long a service may say nothing: a run gives no sign of life meanwhile.
    private let silence: Duration

    /// For how long a run has the right without a sign of life, the silence of a service apart.
    static let duration = Duration.seconds(60)

    /// How far in the future a lease may expire, in seconds: one that expires later was written by
    /// a clock that is wrong, and is ignored.
    private static let longest = 86_400.0

    /// How far in the future an expiry is written at most, in seconds, however long the timeouts
    /// are: an hour less than ``longest``, because the clocks of two hosts differ.
    private static let longestWritten = longest - 3_600

    /// Takes the right.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - environment: where the time and the process come from.
    ///   - silence: for how long the service may say nothing.
    /// - Returns: the right.
    /// - Throws: ``SyncError/Code/busy`` when another run has it.
    static func acquire(
        _ db: Database,
        _ environment: SystemEnvironment,
        silence: Duration = .zero
    ) throws -> Lease {
        let lease = Lease(
            token: "\(environment.uuid())",
            holder: environment.process(),
            silence: silence
        )
        if let other = try holder(db, environment) { throw SyncError.busy(other, environment) }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO _tidemark_lease \
                (_id, token, host, process, started, expires) VALUES (1, ?, ?, ?, ?, ?)
                """,
            arguments: [
                lease.token, lease.holder.host, lease.holder.number, lease.holder.started,
                lease.expiry(environment, .zero),
            ]
        )
        return lease
    }

    /// The process whose run has the right; nil without one, or where its holder is dead.
    ///
    /// - Throws: `DatabaseError`.
    static func holder(_ db: Database, _ environment: SystemEnvironment) throws -> ProcessIdentity?
    {
        guard let (holder, expires) = try row(db) else { return nil }
        let now = environment.now().timeIntervalSince1970
        let isValid = now < expires && expires - now <= longest
        let isDead = holder.host == environment.process().host && !environment.isRunning(holder)
        return isValid && !isDead ? holder : nil
    }

    /// The process in the lease, and when the lease expires, in seconds since 1970.
    private static func row(
        _ db: Database
    ) throws -> (holder: ProcessIdentity, expires: Double)? {
        try Row.fetchOne(db, sql: "SELECT * FROM _tidemark_lease").map { row in
            let holder = ProcessIdentity(
                host: row["host"],
                number: row["process"],
                started: row["started"]
            )
            return (holder, row["expires"])
        }
    }

    /// Makes sure that this run has the right, and has it for a while longer.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - environment: where the time comes from.
    ///   - wait: for how long there will be no sign of life.
    /// - Throws: ``SyncError/Code/overtaken`` when another run has taken over.
    func renew(_ db: Database, _ environment: SystemEnvironment, for wait: Duration = .zero) throws
    {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_lease SET expires = max(expires, ?) WHERE token = ?"
        )
        .execute(arguments: [expiry(environment, wait), token])
        guard db.changesCount > 0 else { throw SyncError.overtaken }
    }

    /// Releases the lease of a run that does not exist any more, and returns its process.
    ///
    /// - Throws: ``SyncError/Code/busy`` when it is a process on this host that is running.
    static func releaseAbandoned(
        _ db: Database,
        _ environment: SystemEnvironment
    ) throws -> ProcessIdentity? {
        guard let (holder, _) = try row(db) else { return nil }
        let isHere = holder.host == environment.process().host
        if isHere, environment.isRunning(holder) { throw SyncError.busy(holder, environment) }
        try db.execute(sql: "DELETE FROM _tidemark_lease")
        return holder
    }

    /// Gives the right back, if this run still has it.
    func release(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM _tidemark_lease WHERE token = ?", arguments: [token])
    }

    private func expiry(_ environment: SystemEnvironment, _ wait: Duration) -> Double {
        let seconds = (Self.duration + silence + wait) / .seconds(1)
        return environment.now().timeIntervalSince1970 + min(seconds, Self.longestWritten)
    }
}

extension SyncError {
    fileprivate static func busy(
        _ holder: ProcessIdentity,
        _ environment: SystemEnvironment
    ) -> SyncError {
        // The end of a process is noticed on its own host only.
        let isHere = holder.host == environment.process().host
        return SyncError(
            .busy,
            "Another pull is using this store: process \(holder.number) on \(holder.host).",
            hint: isHere
                ? "Wait until it finishes, and try again."
                : "Wait until it finishes; if it is not running any more, release its lease with "
                    + "tidemark unlock."
        )
    }

    static var overtaken: SyncError {
        SyncError(
            .overtaken,
            "Another run has taken over: this one had given no sign of life.",
            hint: "Let that one finish, or try again later."
        )
    }
}
