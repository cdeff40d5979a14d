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
        _ environment: Environment,
        silence: Duration = .zero
    ) throws -> Lease {
        let lease = Lease(
            token: "\(environment.uuid())",
            holder: environment.process(),
            silence: silence
        )
        if let other = try holder(db, environment) { throw SyncError.busy(other) }
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

    /// The process whose run has the right; nil where nobody has it, or the holder is dead.
    ///
    /// - Throws: `DatabaseError`.
    static func holder(_ db: Database, _ environment: Environment) throws -> ProcessIdentity? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM _tidemark_lease") else {
            return nil
        }
        let holder = ProcessIdentity(
            host: row["host"],
            number: row["process"],
            started: row["started"]
        )
        let isOver = environment.now().timeIntervalSince1970 >= row["expires"]
        let isDead = holder.host == environment.process().host && !environment.isRunning(holder)
        return isOver || isDead ? nil : holder
    }

    /// Makes sure that this run has the right, and has it for a while longer.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - environment: where the time comes from.
    ///   - wait: for how long there will be no sign of life.
    /// - Throws: ``SyncError/Code/overtaken`` when another run has taken over.
    func renew(_ db: Database, _ environment: Environment, for wait: Duration = .zero) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_lease SET expires = max(expires, ?) WHERE token = ?"
        )
        .execute(arguments: [expiry(environment, wait), token])
        guard db.changesCount > 0 else { throw SyncError.overtaken }
    }

    /// Gives the right back, if this run still has it.
    func release(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM _tidemark_lease WHERE token = ?", arguments: [token])
    }

    private func expiry(_ environment: Environment, _ wait: Duration) -> Double {
        environment.now().timeIntervalSince1970 + (Self.duration + silence + wait) / .seconds(1)
    }
}

extension SyncError {
    fileprivate static func busy(_ holder: ProcessIdentity) -> SyncError {
        SyncError(
            .busy,
            "Process \(holder.number) on \(holder.host) pulls into this store.",
            hint: "Let it finish, or try again later."
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
