import Foundation
import GRDB
import TidemarkModel

/// The exclusive right of one run to write to a store and to send its changes, across threads and
/// processes.
///
/// The lease is a row of the store. If its holder is a process of this host that is not running, it
/// is replaced at once; otherwise when it has expired. Every transaction of a run renews the lease
/// first, and fails if the lease was lost. A request starts only while the lease outlasts it: see
/// ``RequestPermits``.
struct Lease: Sendable {
    /// The identifier of the run that holds the lease.
    let token: String

    let holder: ProcessIdentity

    /// How long the service may send nothing (`Limits.http.idleTimeout`), and the lease is not
    /// renewed.
    private let idleTimeout: Duration

    /// How long a lease is valid without renewal, not counting the idle timeout.
    static let duration = Duration.seconds(60)

    /// The longest time until expiry that is accepted, in seconds.
    ///
    /// A lease that expires later was written by a wrong clock, and is ignored.
    static let longest = 86_400.0

    /// The longest time until expiry that is written, in seconds, however long the timeouts are.
    ///
    /// It is an hour less than ``longest``, because the clocks of two hosts differ.
    private static let longestWritten = longest - 3_600

    /// How long a request lasts at most until the head of its response.
    ///
    /// A lease that was just renewed outlasts it, whatever the timeouts are.
    var requestTime: Duration {
        min(idleTimeout, .seconds(Self.longestWritten) - Self.duration)
    }

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
    /// - Returns: The earliest time at which the lease expires, in seconds since 1970.
    /// - Throws: ``SyncError/Code/leaseLost`` if another run has taken over the lease.
    @discardableResult
    func renew(
        _ db: Database,
        _ environment: SystemEnvironment,
        for wait: Duration = .zero
    ) throws -> Double {
        let expiry = expiry(in: environment, after: wait)
        guard try extend(db, until: expiry) else { throw SyncError.leaseLost }
        return expiry
    }

    /// Renews the lease, and returns whether the run still has it.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - environment: Supplies the time.
    /// - Returns: Whether the run still has the lease.
    /// - Throws: `DatabaseError`.
    func isRenewed(_ db: Database, _ environment: SystemEnvironment) throws -> Bool {
        try extend(db, until: expiry(in: environment, after: .zero))
    }

    private func extend(_ db: Database, until expiry: Double) throws -> Bool {
        // Never shortens the lease: another task of this run may have extended it for a longer
        // wait.
        try db.cachedStatement(
            sql: "UPDATE _tidemark_lease SET expires = max(expires, ?) WHERE token = ?"
        )
        .execute(arguments: [expiry, token])
        return db.changesCount > 0
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
        let token = try String.fetchOne(db, sql: "SELECT token FROM _tidemark_lease")
        try db.execute(sql: "DELETE FROM _tidemark_lease")
        if let token, try db.tableExists("_tidemark_run") {
            try SendingRuns(db: db, environment: environment).forget(token)
        }
        return holder
    }

    /// Releases the lease if this run still holds it.
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
            "Another run is using this store: process \(holder.number) on \(holder.host).",
            hint: isHere
                ? "Wait until it finishes, and try again."
                : "Wait until it finishes; if it is not running any more, release its lease with "
                    + "tidemark unlock."
        )
    }

    static var leaseLost: SyncError {
        SyncError(
            .leaseLost,
            "Another run has taken over the lease: this one did not renew it in time.",
            hint: "Let that one finish, or try again later."
        )
    }
}
