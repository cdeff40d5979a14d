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
    mutating func close(_ sweep: PullStateMachine.Sweep) async throws -> PullStateMachine.ClosedWalk
    {
        var after = state
        after.end(
            cycle.walk,
            isProof: sweep.isSweeping || resource.style.deletes == .none,
            isWhole: !cycle.isDrifted,
            now: setting.environment.now()
        )
        after.walk = try rest(behind: after.cursor)
        let (end, proof, hasUnlistedRows, ended) = try await writeEnd {
            [self, after] db -> (SessionOutcome, Proof, Bool, ResourceState) in
            try begin(db)
            let proof = try self.proof(of: sweep, db)
            guard !proof.isMissing else { return (.unproved, proof, false, after) }
            // Once the list was read completely, other lists can no longer insert rows of its
            // entity.
            let isFirst = state.firstFullSync == nil && cycle.walk.leg == .list && sweep.isSweeping
            let hasUnlistedRows =
                try isFirst && importer.hasUnlistedRows(db, walk())
            let end = try importer.finish(
                db,
                walk(deletes: sweep.isSweeping),
                guardedBy: setting.options.deletionGuard,
                isApproved: setting.options.approvedDeletion == resource.path,
                isProof: proof.isGiven
            )
            guard end != .unproved else { return (end, proof, false, after) }
            // Pages that this read did not visit are no longer part of the list.
            try PageCacheEntry.forgetOthers(db, in: resource.path, than: cycle.walk)
            var ended = after
            if sweep.isSweeping { ended.mismatch = try mismatch(db) }
            try ended.save(db)
            try store.sealChanges(db)
            return (end, proof, hasUnlistedRows, ended)
        }
        highest = nil
        var closed = PullStateMachine.ClosedWalk()
        if case .unproved = end {
            closed.isUnproved = true
            closed.digest = proof.digest
            return closed
        }
        state = ended
        report.imported.add(end.report, limit: setting.limits.diagnostics)
        closed.digest = proof.digest
        closed.hasUnlistedRows = hasUnlistedRows
        if case .pending(_, let deletion) = end {
            closed.isPending = true
            report.pendingDeletion = deletion
            if !deletion.isRejected { setting.tell(.deletionPending(deletion)) }
        }
        return closed
    }

    /// Returns the count mismatch to save, after the rows that the list lacks were deleted or await
    /// approval; nil if the list explains the service's count.
    ///
    /// Without it, a list that does not explain the count would be read again in every pull.
    private func mismatch(_ db: Database) throws -> CountMismatch? {
        let rejected = cycle.walk.unknown
        guard cycle.counted != nil || cycle.walk.leg == .list else { return state.mismatch }
        guard cycle.counted != nil || rejected > 0 else { return nil }
        let (rows, pending) = try importer.countKeyed(db, by: walk())
        let left = rows - pending
        let count = cycle.counted ?? left + rejected
        // The service may still have the rows whose deletion is pending, unless the rejected
        // objects account for the difference.
        guard count != left, pending == 0 || count - left == rejected else { return nil }
        return CountMismatch(count: count, rows: left)
    }

    /// Runs the transaction that finishes a list, and waits until it is on disk.
    ///
    /// Child lists do not wait, since there may be thousands of them: the last transaction of their
    /// resource does.
    private func writeEnd<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        guard child == nil else { return try await setting.write(body) }
        return try await store.writer.write { [setting] db in
            try setting.lease.renew(db, setting.environment)
            return try body(db)
        }
    }

    /// Returns the checkpoint of what remains to be done after the list.
    ///
    /// If the pull is killed before, the next pull does it.
    private func rest(behind cursor: String?) throws -> PullCheckpoint? {
        let run = cycle.walk.run
        if cycle.isListDue { return try sequel(PullCheckpoint(.list, run: run)) }
        guard resource.style.delta != .none, cycle.isCountDue else { return nil }
        return cursor.map { PullCheckpoint(recountSince: $0, run: run) }
    }

    /// Whether a read of a list can be trusted.
    private struct Proof {
        /// The digest of the named objects; nil if none was required.
        var digest: String?
        /// Whether the list names all objects that exist, so that other rows may be deleted.
        var isGiven = true
        /// Whether the list cannot be trusted even if no row would be deleted.
        var isMissing = false
    }

    /// Returns whether a list can be trusted by itself, or names the same objects as an earlier
    /// read.
    private func proof(of sweep: PullStateMachine.Sweep, _ db: Database) throws -> Proof {
        switch sweep {
        case .nothing, .unnamed:
            return Proof()
        case .nothingIfSame(let expected), .unnamedIfSame(let expected):
            let digest = try importer.digest(db, of: walk())
            let isSame = digest == expected
            return Proof(
                digest: digest,
                isGiven: isSame,
                isMissing: !isSame && isCursorMoving
            )
        }
    }

    /// Whether the cursor would advance because of a list of several pages.
    private var isCursorMoving: Bool {
        guard case .since = resource.style.delta else { return false }
        return cycle.walk.candidate != nil && cycle.walk.number > 1
    }
}

extension PullStateMachine.Sweep {
    /// Whether rows that the list did not name are deleted.
    fileprivate var isSweeping: Bool {
        switch self {
        case .nothing, .nothingIfSame: false
        case .unnamed, .unnamedIfSame: true
        }
    }
}

extension ResourceState {
    /// Records that a list was read to its end.
    fileprivate mutating func end(_ list: PullCheckpoint, isProof: Bool, isWhole: Bool, now: Date) {
        cursor = list.candidate ?? cursor
        guard list.leg == .list else { return }
        if isProof { listRead = now }
        if isWhole { firstFullSync = firstFullSync ?? now }
        version = list.candidate ?? version
    }
}
