import GRDB
import TidemarkModel
import TidemarkStore

/// Deletions are sent as far as the guard of the push permits.
extension OutboxPush {
    nonisolated func approval(_ db: Database) -> DeletionApproval {
        DeletionApproval(db: db, layout: run.store.layout, environment: run.environment)
    }

    /// Flags the deletions that exceed the guard.
    nonisolated func checkDeletions(_ db: Database) throws {
        let deletionGuard = allowance.withLock { $0.deletionGuard }
        let left = try approval(db).check(resources.deletingEntities, by: deletionGuard)
        allowance.withLock { $0.begin(left) }
    }

    /// Returns whether the guard permits a change, and flags one that it does not.
    nonisolated func mayDelete(
        _ change: CapturedChange,
        after attempts: StoredAttempts,
        in db: Database
    ) throws -> Bool {
        guard change.kind == .delete, resources.deletingEntities.contains(change.row.entity),
            !attempts.isApproved(change.number)
        else { return true }
        let approval = approval(db)
        let isAdmitted = try allowance.withLock { try $0.admits(change, approval) }
        if !isAdmitted { try approval.hold(change) }
        return isAdmitted
    }
}
