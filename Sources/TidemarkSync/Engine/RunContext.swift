import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// What all work of one run of an engine shares, whether it pulls or pushes.
struct RunContext: Sendable {
    let importer: Importer
    let remote: Remote
    let limits: Limits
    let environment: SystemEnvironment
    let permits: RequestPermits
    let fairness: WriteFairness

    /// The files that rows refer to; nil if the store has no folder for them.
    let assets: AssetFolder?

    /// Reports an event.
    var emit: @Sendable (SyncEvent) -> Void

    var store: Store { importer.store }
    var lease: Lease { permits.lease }

    /// Runs a transaction of the run, and renews the lease in it.
    ///
    /// - Parameters:
    ///   - isLong: Whether the transaction belongs to work that takes several.
    ///   - body: The work. It must be repeatable, since a power failure may undo the transaction.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``SyncError/Code/leaseLost`` if the lease was lost; errors that `body` throws.
    func write<T: Sendable>(
        isLong: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await fairness.write(to: store, isLong: isLong) { [lease, environment] db in
            try lease.renew(db, environment)
            return try body(db)
        }
    }

    /// Runs a transaction that records outcomes of requests, even if the lease was lost.
    ///
    /// - Parameter body: The work, which merges objects of the service into rows. It is passed
    ///   whether the run still has the lease: otherwise another one may have settled changes of
    ///   this one.
    /// - Returns: The value that `body` returns, and whether the run still has the lease.
    /// - Throws: Errors that `body` throws.
    func recordOutcomes<T: Sendable>(
        _ body: @escaping @Sendable (Database, _ holdsLease: Bool) throws -> T
    ) async throws -> (value: T, holdsLease: Bool) {
        try await fairness.write(to: store, isLong: false) { [lease, environment, store] db in
            let holdsLease = try lease.isRenewed(db, environment)
            let value = try Capture.of(db, store.layout)?
                .applyingRemote { try body(db, holdsLease) }
            return (try value ?? body(db, holdsLease), holdsLease)
        }
    }

    /// Runs a transaction that merges objects of the service into rows, which is not recorded as
    /// local changes.
    func merge<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await write { [store] db in
            guard let capture = try Capture.of(db, store.layout) else { return try body(db) }
            return try capture.applyingRemote { try body(db) }
        }
    }

    /// Runs a transaction that stores requests, and waits until it is on disk.
    ///
    /// They may be started until the lease expires, which the transaction renews.
    func writeDurably<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let (value, stored) = try await store.transaction(durability: .full) { [permits] db in
            let stored = try permits.extend(db)
            return (try body(db), stored)
        }
        permits.record(stored)
        return value
    }
}
