import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

/// The right of a run to start requests: only while its lease outlasts them.
///
/// A process may be suspended between two instructions, for hours. Another run then takes over the
/// lease, and settles what this one had sent: a request that this one starts afterwards would be a
/// second one for the same change.
final class RequestPermits: Sendable {
    /// What the store contains of the lease, as far as this run knows.
    struct Extension: Sendable {
        /// When the lease was found to be that of the run.
        let time: Date

        /// When the lease expires, and with it the requests that were started until then.
        let deadline: Date
    }

    let lease: Lease
    private let store: Store
    private let environment: SystemEnvironment

    /// Whether the store records local changes, which only the holder of the lease sends.
    private let isPushing: Bool
    private let last: Locked<Extension?> = Locked(nil)

    /// How long after it was looked at the lease is believed to be unchanged, in seconds.
    ///
    /// Before its expiry only its user can release it, or a clock that was set. Looking at it
    /// before each request would cost a transaction each.
    private static let trust = 1.0

    init(
        _ lease: Lease,
        in store: Store,
        by environment: SystemEnvironment,
        isPushing: Bool
    ) {
        self.lease = lease
        self.store = store
        self.environment = environment
        self.isPushing = isPushing
    }

    /// Renews the lease, and records until when requests of the run may last.
    ///
    /// - Parameter db: The transaction. After its commit call ``record(_:)``.
    /// - Returns: What the store contains then.
    /// - Throws: ``SyncError/Code/leaseLost``; `DatabaseError`.
    func extend(_ db: Database) throws -> Extension {
        let now = environment.now()
        let expiry = try lease.renew(db, environment)
        if isPushing {
            try SendingRuns(db: db, environment: environment)
                .record(lease.token, of: lease.holder, until: expiry)
        }
        return Extension(time: now, deadline: Date(timeIntervalSince1970: expiry))
    }

    /// Records what a committed transaction has stored.
    func record(_ stored: Extension) {
        last.withLock { last in
            // Concurrent transactions may be recorded in any order.
            if last.map({ $0.time <= stored.time }) ?? true { last = stored }
        }
    }

    /// Releases the lease at the end of the run, which receives no more outcomes.
    ///
    /// - Parameter db: The transaction.
    /// - Throws: `DatabaseError`.
    func release(_ db: Database) throws {
        try lease.release(db)
        if isPushing { try SendingRuns(db: db, environment: environment).end(lease.token) }
    }

    /// Renews the lease in a transaction of its own.
    func renew() async throws {
        let stored = try await store.transaction(durability: .relaxed) { [self] db in
            try extend(db)
        }
        record(stored)
    }

    /// Checks that a request that only reads may be started.
    ///
    /// - Throws: ``SyncError/Code/leaseLost``; `DatabaseError`; `CancellationError`.
    func expectRead() async throws {
        if !outlasts(requestAt: environment.now()) { try await renew() }
    }

    /// Checks that a request that changes an object may be started.
    ///
    /// - Throws: ``SyncError/Code/leaseLost``; `DatabaseError`; `CancellationError`.
    func expectWrite() async throws {
        let now = environment.now()
        // An interval in either direction: the clock may have been set back.
        let isTrusted = last.withLock { last in
            last.map { abs(now.timeIntervalSince($0.time)) < Self.trust } ?? false
        }
        if !isTrusted || !outlasts(requestAt: now) { try await renew() }
        // The process may have been suspended meanwhile.
        guard outlasts(requestAt: environment.now()) else { throw SyncError.leaseLost }
    }

    private func outlasts(requestAt time: Date) -> Bool {
        let end = time.addingTimeInterval(lease.requestTime / .seconds(1))
        return last.withLock { $0.map { end <= $0.deadline } ?? false }
    }
}
