import Foundation
import GRDB
public import TidemarkImport
import TidemarkModel
import TidemarkRemote

/// The state that the pulls of all resources of one run share.
struct PullContext: Sendable {
    let importer: Importer
    let remote: Remote
    let limits: Limits
    let environment: SystemEnvironment
    let lease: Lease
    let turns: WriteFairness
    let options: PullOptions

    /// The entity of each object type that responses may contain.
    let kinds: [String: String]

    /// The rows that were stored when the pull began.
    let stored: StoredRows

    /// The entities of the lists that delete unlisted rows, by path.
    let sweptLists: [String: String]

    var tell: @Sendable (SyncEvent) -> Void

    /// Returns the entities with a list that was read completely before, and that deletes unlisted
    /// rows: this list decides which rows exist.
    func listedEntities(_ db: Database) throws -> Set<String> {
        try Set(sweptLists.filter { try ResourceState.isComplete($0.key, db) }.values)
    }

    /// Runs a transaction of the pull, and renews the lease in it.
    ///
    /// - Parameters:
    ///   - isLong: Whether the transaction belongs to a page that takes several.
    ///   - body: The work. It must be repeatable, since a power failure may undo the transaction.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``SyncError/Code/overtaken`` if the lease was lost; errors that `body` throws.
    func write<T: Sendable>(
        isLong: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await turns.write(importer.store, isLong: isLong) { [lease, environment] db in
            try lease.renew(db, environment)
            return try body(db)
        }
    }

    /// Returns what the state machine has to know of the stored state of a resource.
    func memory(
        of resource: RemoteResource,
        _ state: ResourceState,
        hasPendingDeletion: Bool
    ) -> PullStateMachine.Memory {
        var memory = PullStateMachine.Memory()
        memory.isCompleted = state.firstFullSync != nil
        memory.cursor = state.cursor
        memory.version = state.version
        memory.latest = options.isFull ? nil : state.latest.flatMap { ChangeStamp($0) }
        memory.walk = state.walk
        memory.isFull = options.isFull
        memory.isVerification = options.approvedDeletion != nil
        memory.hasPendingDeletion = hasPendingDeletion
        memory.mismatch = state.mismatch
        memory.isListDue = isListDue(resource, state)
        memory.areChangesBroken = state.changesProblem?.isSettled == true
        return memory
    }

    private func isListDue(_ resource: RemoteResource, _ state: ResourceState) -> Bool {
        guard let interval = resource.style.fullInterval, let read = state.listRead else {
            return false
        }
        return environment.now().timeIntervalSince(read) >= interval / .seconds(1)
    }
}

/// Options of a pull: which resources it reads, how, and what it may delete.
public struct PullOptions: Sendable, Hashable {
    /// The entities whose resources are pulled; nil for all.
    public var entities: Set<String>?

    /// Whether to read all lists completely, regardless of cursors and cached pages; the default
    /// is false.
    public var isFull = false

    /// How many rows a pull may delete without approval; nil for any number.
    ///
    /// By default, half of an entity's rows or up to 100, but not all of ten or more.
    public var deletionGuard: DeletionGuard? = DeletionGuard()

    /// The path of a list whose pending deletion is approved.
    ///
    /// Only this list is pulled, and its rows are deleted if the service still lacks them.
    var approvedDeletion: String?

    /// How the objects of lists are imported: what happens to invalid values and to unresolved
    /// references, and which operations are permitted.
    ///
    /// If these options change, all pages are read again. `ImportOptions.showsValues` is an
    /// exception: it applies to pages that are read anyway.
    ///
    /// ```swift
    /// var options = PullOptions()
    /// options.importing.invalid = .null
    /// ```
    public var importing = ImportOptions()

    /// Creates the default options.
    public init() {}
}
