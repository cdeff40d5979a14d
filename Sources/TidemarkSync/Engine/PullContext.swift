import Foundation
import GRDB
public import TidemarkImport
import TidemarkModel
import TidemarkRemote

/// What the pulls of all resources of one run share.
struct PullContext: Sendable {
    let importer: Importer
    let remote: Remote
    let limits: Limits
    let environment: SystemEnvironment
    let lease: Lease
    let turns: WriteFairness
    let options: PullOptions

    /// The entity of each kind of objects that come along with others.
    let kinds: [String: String]

    /// The rows that were stored when the pull began.
    let stored: StoredRows

    /// The entities of the lists that delete what they lack, by path.
    let sweptLists: [String: String]

    var tell: @Sendable (SyncEvent) -> Void

    /// The entities whose rows are decided by a list that was read completely before: what it lacks
    /// is deleted.
    func listedEntities(_ db: Database) throws -> Set<String> {
        try Set(sweptLists.filter { try ResourceState.isComplete($0.key, db) }.values)
    }

    /// Runs a transaction of the run, if it still has the right to pull.
    ///
    /// - Parameters:
    ///   - isLong: whether this is a part of something longer.
    ///   - body: what is to be done; it is done again where the run is.
    /// - Returns: what `body` returns.
    /// - Throws: ``SyncError/Code/overtaken`` when it has not, and what `body` throws.
    func write<T: Sendable>(
        isLong: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await turns.write(importer.store, isLong: isLong) { [lease, environment] db in
            try lease.renew(db, environment)
            return try body(db)
        }
    }

    /// What a cycle has to know of what is kept.
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

/// How a pull goes about its resources.
public struct PullOptions: Sendable, Hashable {
    /// The entities whose resources are pulled; nil for all.
    public var entities: Set<String>?

    /// Whether everything is read, whatever is known of it.
    public var isFull = false

    /// How many rows a pull may delete without approval; nil for any number.
    public var deletionGuard: DeletionGuard? = DeletionGuard()

    /// The path of a list whose pending deletion is approved: it alone is pulled, and its rows are
    /// deleted if the service, asked again, still does not have them.
    var approvedDeletion: String?

    /// How the objects of lists are imported: what happens to invalid values and to references that
    /// cannot be resolved, and which operations are permitted.
    ///
    /// Pages that were read with other options are read again, except for
    /// `ImportOptions.showsValues`: it shows values of pages that are read anyway.
    ///
    /// ```swift
    /// var options = PullOptions()
    /// options.importing.invalid = .null
    /// ```
    public var importing = ImportOptions()

    /// Creates the usual options.
    public init() {}
}
