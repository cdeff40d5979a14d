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
    let lease: Lease
    let fairness: WriteFairness

    /// The files that rows refer to; nil if the store has no folder for them.
    let assets: AssetFolder?

    /// Reports an event.
    var emit: @Sendable (SyncEvent) -> Void

    var store: Store { importer.store }

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

    /// Runs a transaction that merges objects of the service into rows, which is not recorded as
    /// local changes.
    func merge<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await write { [store] db in
            guard let capture = try Capture.of(db, store.layout) else { return try body(db) }
            return try capture.applyingRemote { try body(db) }
        }
    }

    /// Runs a transaction of the run, and waits until it is on disk.
    func writeDurably<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await store.transaction(durability: .full) { [lease, environment] db in
            try lease.renew(db, environment)
            return try body(db)
        }
    }
}
