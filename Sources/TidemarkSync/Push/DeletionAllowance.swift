import TidemarkImport
import TidemarkStore

/// How many deletions of each entity a run may still send without approval.
///
/// What is deleted while a push is running does not exceed the guard either.
struct DeletionAllowance: Sendable {
    /// The guard; nil for none.
    let deletionGuard: DeletionGuard?

    /// The numbers by entity, of those that had deletions when the run began.
    private var left: [String: Int] = [:]

    /// The changes that were counted, which may be sent several times.
    private var counted: Set<Int64> = []

    init(guardedBy deletionGuard: DeletionGuard?) {
        self.deletionGuard = deletionGuard
    }

    /// Begins a run: see ``DeletionApproval/check(_:by:)``.
    mutating func begin(_ left: [String: Int]) {
        self.left = left
        counted = []
    }

    /// Returns whether a deletion that was not approved may be sent, and counts it.
    mutating func admits(_ change: CapturedChange, _ approval: DeletionApproval) throws -> Bool {
        guard let deletionGuard, !counted.contains(change.number) else { return true }
        let entity = change.row.entity
        let most = try left[entity] ?? approval.allowance(of: entity, by: deletionGuard)
        left[entity] = max(0, most - 1)
        guard most > 0 else { return false }
        counted.insert(change.number)
        return true
    }
}
