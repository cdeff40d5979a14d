import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The end of a list.
extension ResourcePull {
    /// Ends the walk: deletes what the list did not name, as far as that is proved, and keeps from
    /// where the next changes are asked for.
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
            // Only until the list was read completely may others insert rows of its entity.
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

    /// The mismatch to be saved, once what the list lacks is deleted or awaits approval; nil where
    /// the whole list explains the service's count.
    ///
    /// A list that does not explain it would otherwise be read again in every pull.
    private func mismatch(_ db: Database) throws -> CountMismatch? {
        let rejected = cycle.walk.unknown
        guard cycle.counted != nil || cycle.walk.leg == .list else { return state.mismatch }
        guard cycle.counted != nil || rejected > 0 else { return nil }
        let (rows, pending) = try importer.countKeyed(db, by: walk())
        let left = rows - pending
        let count = cycle.counted ?? left + rejected
        // The service may have the rows whose deletion is pending after all, unless the rejected
        // objects account for the difference.
        guard count != left, pending == 0 || count - left == rejected else { return nil }
        return CountMismatch(count: count, rows: left)
    }

    /// Runs the transaction that ends a list, which is on disk when it returns.
    ///
    /// The lists of several parents are too many to wait for the disk each time: the end of their
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

    /// What is to be done yet behind the list that was read: a pull that dies before that leaves it
    /// to the next.
    private func rest(behind cursor: String?) throws -> PullCheckpoint? {
        let run = cycle.walk.run
        if cycle.isListDue { return try sequel(PullCheckpoint(.list, run: run)) }
        guard resource.style.delta != .none, cycle.isCountDue else { return nil }
        return cursor.map { PullCheckpoint(recountSince: $0, run: run) }
    }

    /// Whether a reading may be believed.
    private struct Proof {
        /// What it has named, where that was asked for.
        var digest: String?
        /// Whether it names what there is, and nothing else is left.
        var isGiven = true
        /// Whether it cannot be believed even where nothing would be deleted.
        var isMissing = false
    }

    /// Whether a reading may be believed alone, or has named the same as the one before.
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

    /// Whether changes would be asked for from another time on, by the word of several pages.
    private var isCursorMoving: Bool {
        guard case .since = resource.style.delta else { return false }
        return cycle.walk.candidate != nil && cycle.walk.number > 1
    }
}

extension PullStateMachine.Sweep {
    /// Whether what the list did not name is deleted.
    fileprivate var isSweeping: Bool {
        switch self {
        case .nothing, .nothingIfSame: false
        case .unnamed, .unnamedIfSame: true
        }
    }
}

extension ResourceState {
    /// Keeps what is known when a list was read to its end.
    fileprivate mutating func end(_ list: PullCheckpoint, isProof: Bool, isWhole: Bool, now: Date) {
        cursor = list.candidate ?? cursor
        guard list.leg == .list else { return }
        if isProof { listRead = now }
        if isWhole { firstFullSync = firstFullSync ?? now }
        version = list.candidate ?? version
    }
}
