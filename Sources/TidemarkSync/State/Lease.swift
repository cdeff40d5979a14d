import Foundation
import GRDB
import TidemarkModel

/// The exclusive right of one pull to write to a store, across threads and processes.
///
/// The lease is a row of the store. If its holder is a process of this host that is not running, it
/// is replaced at once; otherwise when it has expired. Every transaction of a pull renews the lease
/// first, and fails if the lease was lost.
struct Lease: Sendable {
    /// The identifier of the pull that holds the lease.
    let token: String

    private let holder: ProcessIdentity

    /// How long the service may send nothing (`Limits.http.idleTimeout`), and the lease is not
    /// renewed.
    private let idleTimeout: Duration

    /// How long a lease is valid without renewal, not counting the idle timeout.
    static let duration = Duration.seconds(60)

    /// The longest time until expiry that is accepted, in seconds.
    ///
    /// A lease that expires later was written by a wrong clock, and is ignored.
    private static let longest = 86_400.0

    /// The longest time until expiry that is written, in seconds, however long the timeouts are.
    ///
    /// It is an hour less than ``longest``, because the clocks of two hosts differ.
    private static let longestWritten = longest - 3_600

    /// Acquires the lease.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - environment: Supplies the time and the identity of the process.
    ///   - idleTimeout: How long the service may send nothing.
    /// - Returns: The lease.
    /// - Throws: ``SyncError/Code/busy`` if another pull holds the lease.
    static func acquire(
        _ db: Database,
        _ environment: SystemEnvironment,
        idleTimeout: Duration = .zero
    ) throws -> Lease {
        let lease = Lease(
            token: "\(environment.uuid())",
            holder: environment.process(),
            idleTimeout: idleTimeout
        )
        if let other = try holder(db, environment) { throw SyncError.busy(other, in: environment) }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO _tidemark_lease \
                (_id, token, host, process, started, expires) VALUES (1, ?, ?, ?, ?, ?)
                """,
            arguments: [
                lease.token, lease.holder.host, lease.holder.number, lease.holder.started,
                lease.expiry(in: environment, after: .zero),
            ]
        )
        return lease
    }

    /// Returns the process that holds the lease; nil if the lease is free, has expired, or belongs
    /// to a process that is not running.
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

    /// Returns the stored holder of the lease, and the time of expiry in seconds since 1970.
    private static func row(
        _ db: Database
    ) throws -> (holder: ProcessIdentity, expires: Double)? {
        try Row.fetchOne(db, sql: "SELECT * FROM _tidemark_lease").map { row in
            (ProcessIdentity(row), row["expires"])
        }
    }

    /// Renews the lease.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - environment: Supplies the time.
    ///   - wait: How long no transaction will renew the lease, such as the delay before a retry.
    /// - Throws: ``SyncError/Code/leaseLost`` if another pull has taken over the lease.
    func renew(_ db: Database, _ environment: SystemEnvironment, for wait: Duration = .zero) throws
    {
        // Never shortens the lease: another task of this pull may have extended it for a longer
        // wait.
        try db.cachedStatement(
            sql: "UPDATE _tidemark_lease SET expires = max(expires, ?) WHERE token = ?"
        )
        .execute(arguments: [expiry(in: environment, after: wait), token])
        guard db.changesCount > 0 else { throw SyncError.leaseLost }
    }

    /// Releases the lease of a process that no longer exists, and returns the process.
    ///
    /// - Throws: ``SyncError/Code/busy`` if it is a running process of this host.
    static func releaseAbandoned(
        _ db: Database,
        _ environment: SystemEnvironment
    ) throws -> ProcessIdentity? {
        guard let (holder, _) = try row(db) else { return nil }
        let isHere = holder.host == environment.process().host
        // Whether a process of another host is running is unknown here: the caller decides.
        if isHere, environment.isRunning(holder) { throw SyncError.busy(holder, in: environment) }
        try db.execute(sql: "DELETE FROM _tidemark_lease")
        return holder
    }

    /// Releases the lease if this pull still holds it.
    func release(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM _tidemark_lease WHERE token = ?", arguments: [token])
    }

    private func expiry(in environment: SystemEnvironment, after wait: Duration) -> Double {
        let seconds = (Self.duration + idleTimeout + wait) / .seconds(1)
        return environment.now().timeIntervalSince1970 + min(seconds, Self.longestWritten)
    }
}

extension ProcessIdentity {
    /// Creates the identity of the process that a stored row names.
    init(_ row: Row) {
        self.init(host: row["host"], number: row["process"], started: row["started"])
    }
}

extension SyncError {
    fileprivate static func busy(
        _ holder: ProcessIdentity,
        in environment: SystemEnvironment
    ) -> SyncError {
        // Whether a process is running can be determined on its own host only.
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

    static var leaseLost: SyncError {
        SyncError(
            .leaseLost,
            "Another pull has taken over the lease: this one did not renew it in time.",
            hint: "Let that one finish, or try again later."
        )
    }
}
