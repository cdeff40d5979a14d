import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// What the pulls of all resources of one run share.
struct PullContext: Sendable {
    var run: RunContext
    let options: PullOptions

    /// The entity of each object type that responses may contain.
    let entitiesByType: [String: String]

    /// The rows that were stored when the pull began.
    let stored: StoredRows

    /// The entities of the lists that delete unlisted rows, by path.
    let decidingLists: [String: String]

    /// Returns the entities with a list that was read completely before, and that deletes unlisted
    /// rows: this list decides which rows exist.
    func listedEntities(_ db: Database) throws -> Set<String> {
        try Set(decidingLists.filter { try ResourceState.isComplete($0.key, db) }.values)
    }

    /// Returns the import session of a list.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - scope: The rows that the list decides about.
    ///   - run: The identifier of the read of the list.
    ///   - operations: The operations that the list permits.
    /// - Returns: The session, which deletes no rows if the resource does not detect deletions.
    func session(
        of resource: RemoteResource,
        scope: SessionScope,
        run: String,
        permitting operations: ImportOperations
    ) -> ImportSession {
        var options = options.importing
        options.origin = .service
        // The list of a service proves deletions, unlike another document of it.
        var permitted = options.permitted.intersection(operations)
        if resource.style.deletes == .none { permitted.remove(.delete) }
        options.operations = permitted
        if resource.style.omitsNulls { options.omitsNulls = true }
        return ImportSession(
            resource.path,
            into: resource.entity,
            options: options,
            run: run,
            scope: scope
        )
    }

    /// Records the end of an import session in the report of its list.
    func record(_ outcome: SessionOutcome, in report: inout SyncReport.ResourceReport) {
        report.imported.add(outcome.report, limit: run.limits.diagnostics)
        guard case .pending(_, let deletion) = outcome else { return }
        report.pendingDeletion = deletion
        if !deletion.isRejected { run.emit(.deletionPending(deletion)) }
    }

    /// Returns what the state machine has to know of the stored state of a resource.
    func start(
        of resource: RemoteResource,
        from state: ResourceState,
        hasPendingDeletion: Bool
    ) -> PullStateMachine.Start {
        PullStateMachine.Start(
            isCompleted: state.firstFullSync != nil,
            cursor: state.cursor,
            latest: options.isFull ? nil : state.latest.flatMap { ChangeStamp($0) },
            mismatch: state.mismatch,
            unprovenEnd: state.lastPull.unprovenEnd,
            hasPendingDeletion: hasPendingDeletion,
            areChangesBroken: state.changesProblem?.isSettled == true,
            isListDue: isListDue(resource, since: state.listRead),
            isFull: options.isFull,
            isVerification: options.approvedDeletion != nil,
            isKeyGuessed: run.importer.store.model[resource.entity]?.isKeyGuessed == true
        )
    }

    private func isListDue(_ resource: RemoteResource, since read: Date?) -> Bool {
        guard let interval = resource.style.fullInterval, let read else { return false }
        let elapsed = run.environment.now().timeIntervalSince(read)
        // A time in the future was recorded before the clock was set back: how long ago that is,
        // is not known.
        return elapsed >= interval / .seconds(1) || elapsed < -Self.skew
    }

    /// How far clocks differ without having been set, in seconds.
    private static let skew = 60.0
}
