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
            isProof: sweep != .nothing,
            now: setting.environment.now()
        )
        let (end, closed) = try await store.writer.write { [self, after] db in
            try setting.lease.renew(db, setting.environment)
            if let highest { try importer.begin(db, walk(), upTo: highest) }
            let digest = try importer.digest(db, of: walk())
            var closed = SyncCycle.ClosedWalk(digest: digest)
            if case .unnamedIfSame(let expected) = sweep, expected != digest,
                try importer.countUnnamed(db, walk()) > 0
            {
                closed.isUnproved = true
                return (WalkEnd.finished(ImportReport()), closed)
            }
            let end = try importer.finish(
                db,
                walk(deletes: sweep != .nothing),
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
        report.imported.add(end.report)
        if case .parked(_, let sweep) = end {
            report.parked = sweep
            setting.tell(.parked(sweep))
        }
        return closed
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
        case .changes:
            state.cursor = candidate ?? state.cursor
        case .keys:
            break
        }
    }
}
