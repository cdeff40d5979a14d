import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Finishing a list.
extension ResourcePull {
    /// Finishes the import session: deletes the rows that the list did not name, as far as that is
    /// proved, and saves the cursor.
    mutating func finish(
        _ list: PullStateMachine.ListEnd
    ) async throws -> PullStateMachine.Event {
        // One of many lists of children may have a single object, which is invalid.
        if isRejected, child == nil { throw report.nothingStored(of: resource) }
        let now = context.run.environment.now()
        let (event, outcome, ended) = try await writeEnd {
            [self] db -> (PullStateMachine.Event, SessionOutcome, ResourceState) in
            try startSession(db)
            let session = session(deletesUnlistedRows: list.deletesUnlistedRows)
            let digest = try list.confirmation.map { _ in try importer.digest(db, of: session) }
            let isConfirmed = list.confirmation.map { $0.digest == digest } ?? true
            let unconfirmed = PullStateMachine.Event.unconfirmed(digest: digest)
            guard isConfirmed || list.confirmation?.isRequired == false else {
                return (unconfirmed, .unproved, state)
            }
            // Once the list was read completely, other lists can no longer insert rows of its
            // entity.
            let isFirst =
                state.firstFullSync == nil && machine.checkpoint.mode == .list
                && list.deletesUnlistedRows
            let hasUnlistedRows = try isFirst && importer.hasUnlistedRows(db, self.session())
            let outcome = try importer.finish(
                db,
                session,
                guardedBy: context.options.deletionGuard,
                isApproved: context.options.approvedDeletion == resource.path,
                isProof: isConfirmed
            )
            guard outcome != .unproved else { return (unconfirmed, outcome, state) }
            // Pages that this read did not visit are no longer part of the list.
            try PageCacheEntry.forgetOthers(db, in: resource.path, than: machine.checkpoint)
            var ended = self.ended(list, at: now)
            if list.deletesUnlistedRows {
                ended.mismatch = try machine.mismatch { try storedRows(db) }
            }
            try save(CheckpointUpdate(machine.checkpointAfterList), with: ended, db)
            try store.sealChanges(db)
            return (.finished(digest: digest, hasUnlistedRows: hasUnlistedRows), outcome, ended)
        }
        highestRow = nil
        guard outcome != .unproved else { return event }
        recordReading()
        state = ended
        context.record(outcome, in: &report)
        return event
    }

    /// Whether no object of the list could be stored.
    private var isRejected: Bool {
        let (checkpoint, rejected) = (machine.checkpoint, report.reading.rejectedItems)
        guard rejected > 0 else { return false }
        // How many objects an interrupted pull has rejected is not stored, but how many of them
        // have a row is known.
        return isResumed
            ? checkpoint.itemsWithoutRow >= checkpoint.items : rejected == checkpoint.items
    }

    /// Records what the list that was read to its end proves about changes that were pushed before.
    private mutating func recordReading() {
        guard !isResumed, !machine.isInconsistent, !machine.isUnproven else { return }
        switch machine.checkpoint.mode {
        case .list: report.reading.extent = .whole
        case .keys: if report.reading.extent != .whole { report.reading.extent = .keys }
        case .changes: break
        }
    }

    /// Returns the state of the resource after a list was read to its end.
    private func ended(_ list: PullStateMachine.ListEnd, at now: Date) -> ResourceState {
        let candidate = isRejected ? nil : machine.checkpoint.cursor.candidate
        var state = state
        state.cursor = candidate ?? state.cursor
        guard machine.checkpoint.mode == .list, !machine.isUnproven else { return state }
        if list.deletesUnlistedRows || resource.style.deletes == .none { state.listRead = now }
        if !machine.isInconsistent { state.firstFullSync = state.firstFullSync ?? now }
        state.version = candidate ?? state.version
        return state
    }

    /// Runs the transaction that finishes a list, and waits until it is on disk.
    ///
    /// Child lists do not wait, since there may be thousands of them: the last transaction of their
    /// resource does.
    private func writeEnd<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        child == nil ? try await context.run.writeDurably(body) : try await context.run.write(body)
    }
}

extension SyncReport.ResourceReport {
    /// Returns the error of a list of which no object could be stored: with the most frequent
    /// reason.
    func nothingStored(of resource: RemoteResource) -> ImportError {
        let reason = imported.diagnostics.filter { $0.severity == .error }
            .max { $0.count < $1.count }
        let what =
            items == 1
            ? "its only object could not be stored" : "none of its \(items) objects could be stored"
        return ImportError(
            .nothingStored,
            "\(resource.path): \(what)." + (reason.map { " \($0)" } ?? ""),
            hint:
                "Check the primary key and the required properties of \(entity) in the model, and "
                + "`envelope` and `item` of the list."
        )
    }
}
