import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The end of a list.
extension PullRun {
    /// Ends the walk: deletes what the list did not name, as far as that is proved, and keeps from
    /// where the next changes are asked for.
    mutating func close(_ sweep: SyncCycle.Sweep) async throws -> SyncCycle.ClosedWalk {
        var after = state
        cycle.walk.leg.finish(
            &after,
            candidate: cycle.walk.candidate,
            isProof: sweep.isSweeping,
            now: setting.environment.now()
        )
        let (end, closed) = try await store.writer.write { [self, after] db in
            try setting.lease.renew(db, setting.environment)
            try begin(db)
            let digest = try importer.digest(db, of: walk())
            var closed = SyncCycle.ClosedWalk(digest: digest)
            if try !isProved(sweep, digest, db) {
                closed.isUnproved = true
                return (WalkEnd.finished(ImportReport()), closed)
            }
            let end = try importer.finish(
                db,
                walk(deletes: sweep.isSweeping),
                guardedBy: setting.options.sweepGuard
            )
            if case .parked = end { closed.isParked = true }
            try PageRecord.forgetOthers(db, in: resource.path, than: cycle.walk)
            try after.save(db)
            return (end, closed)
        }
        highest = nil
        guard !closed.isUnproved else { return closed }
        state = after
        if case .changes = cycle.walk.leg { reached = cycle.walk.candidate }
        report.imported.add(end.report)
        if case .parked(_, let sweep) = end {
            report.parked = sweep
            setting.tell(.parked(sweep))
        }
        return closed
    }

    /// Whether a reading may be believed alone, or has named the same as the one before.
    private func isProved(
        _ sweep: SyncCycle.Sweep,
        _ digest: String,
        _ db: Database
    ) throws -> Bool {
        switch sweep {
        case .nothing, .unnamed: true
        case .nothingIfSame(let expected): expected == digest || !isCursorMoving
        case .unnamedIfSame(let expected):
            try expected == digest
                || !isCursorMoving && importer.countUnnamed(db, walk()) == 0
        }
    }

    /// Whether changes would be asked for from another time on, by the word of several pages.
    private var isCursorMoving: Bool {
        guard case .since = resource.style.delta else { return false }
        return cycle.walk.candidate != nil && cycle.walk.number > 1
    }
}

extension SyncCycle.Sweep {
    /// Whether what the list did not name is deleted.
    fileprivate var isSweeping: Bool {
        switch self {
        case .nothing, .nothingIfSame: false
        case .unnamed, .unnamedIfSame: true
        }
    }
}

extension OpenWalk.Leg {
    /// What is known of a resource when a list of it was read to its end.
    fileprivate func finish(
        _ state: inout ResourceState,
        candidate: String?,
        isProof: Bool,
        now: Date
    ) {
        state.walk = nil
        if isProof { state.swept = now }
        switch self {
        case .list:
            state.completed = state.completed ?? now
            state.cursor = candidate ?? state.cursor
            state.version = candidate ?? state.version
        case .changes, .keys:
            // Whether all is here is looked at yet.
            break
        }
    }
}
