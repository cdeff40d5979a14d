public import GRDB
import TidemarkStore

/// How a walk has ended.
public enum WalkEnd: Sendable, Hashable {
    /// What the list did not name was deleted.
    case finished(ImportReport)

    /// More would be deleted than the guard permits: the rows are kept until the deletion is
    /// approved.
    case pending(ImportReport, PendingDeletion)

    /// Rows would be deleted, and that is not proved: the session stays open.
    case unproved

    /// What became of rows and references.
    public var report: ImportReport {
        switch self {
        case .finished(let report), .pending(let report, _): report
        case .unproved: ImportReport()
        }
    }
}

extension Importer {
    /// Deletes what the list did not name, and ends the walk.
    ///
    /// Call it only when every page of the list has been applied.
    public func finish(_ db: Database, _ walk: Walk) throws -> ImportReport {
        try finish(db, walk, guardedBy: nil).report
    }

    /// Deletes what the list did not name and what the service reported as deleted, unless that
    /// exceeds a guard, and ends the session.
    ///
    /// Rows whose deletion exceeds the guard are kept, whatever list named them last, and await
    /// approval: ``approveDeletion(_:_:)`` deletes them, ``rejectDeletion(_:_:)`` keeps them, and a
    /// list that names one of them withdraws its deletion. Rows whose deletion was rejected are
    /// kept, whatever the guard permits, until a list names them or the deletion of others exceeds
    /// it.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - walk: the session.
    ///   - deletionGuard: how many rows may be deleted; nil for any number.
    ///   - isApproved: whether the rows whose deletion is pending already are deleted if the list
    ///     still lacks them.
    ///   - isProof: whether a row that the list did not name is known to be deleted; where it is
    ///     not, the session is ended only without one.
    /// - Returns: how it has ended.
    /// - Throws: ``ImportError/Code/unknownWalk`` when the session was not begun.
    public func finish(
        _ db: Database,
        _ walk: Walk,
        guardedBy deletionGuard: DeletionGuard?,
        isApproved: Bool = false,
        isProof: Bool = true
    ) throws -> WalkEnd {
        var pending: PendingDeletion?
        var isUnproved = false
        let isWhole = walk.options.operations.contains(.delete)
        let approved = isApproved ? try pendingRows(db, of: walk.resource) : [:]
        let rejected = isApproved ? [:] : try rejectedRows(db, of: walk.resource)
        let report = try perform(db, walk, postponedAfter: 0) { run, entity, highest in
            if isWhole || walk.scope == .gathered {
                try run.findStale(entity, upTo: highest, by: walk)
                isUnproved = !isProof && !run.stale.isEmpty
                guard !isUnproved else {
                    run.stale = [:]
                    return
                }
            }
            if case .children(let parent) = walk.scope {
                let marks = SweepMarks(db, parent.session, store.layout)
                try marks.gather(run.takeStale())
                try run.retryPostponed(of: walk, entity, isLast: true)
                try marks.gather(run.takeStale())
                return try forget(db, walk.resource)
            }
            pending = try run.deleteStale(
                of: walk,
                unlessExceeding: deletionGuard,
                approved: approved,
                rejected: rejected
            ) { rows, isRejected in
                try keepPending(
                    db,
                    rows,
                    of: walk,
                    isRejected: isRejected,
                    countingOnly: run.highest,
                    replacing: isWhole && walk.scope == .entity
                )
            }
            try run.retryPostponed(of: walk, entity, isLast: true)
            try run.deleteStale()
            try forget(db, walk.resource)
            // A list that deletes nothing reports nothing about what awaits approval.
            if pending == nil, isWhole, try hasDecidedAll(db, walk) {
                try forget(db, walk.pending.resource)
            }
        }
        if isUnproved { return .unproved }
        return pending.map { .pending(report, $0) } ?? .finished(report)
    }
}

extension Importer {
    /// Whether the session has decided about all rows that await approval.
    ///
    /// Of several parents' lists some may not have been read: what they lacked before is kept.
    private func hasDecidedAll(_ db: Database, _ walk: Walk) throws -> Bool {
        try walk.scope == .entity || pendingRows(db, of: walk.resource).isEmpty
    }
}

extension ImportRun {
    /// Finds the rows that a session has not named, among those that it decides about.
    fileprivate func findStale(
        _ entity: EntityImport,
        upTo highest: Int64,
        by walk: Walk
    ) throws {
        switch walk.scope {
        case .entity: try findStale(entity, upTo: highest)
        case .children(let parent):
            let rows = try unnamedChildren(of: parent, entity).filter { $0 <= highest }
            if !rows.isEmpty { stale[entity.plan.entity.table] = rows }
        case .gathered:
            stale = try pendingRows(walk, entity, upTo: 0)
        }
    }

    /// Deletes the rows that are not in the service any more, unless that exceeds a guard.
    ///
    /// - Parameters:
    ///   - walk: The session.
    ///   - deletionGuard: How many rows may be deleted; nil for any number.
    ///   - approved: The rows whose deletion was approved, by table: the guard ignores them.
    ///   - rejected: The rows whose deletion was rejected, by table.
    ///   - keep: Called with the rows that exceed the guard, or whose deletion was rejected.
    /// - Returns: What awaits approval or was rejected; nil where all rows were deleted.
    /// - Throws: `DatabaseError`, and what `keep` throws.
    fileprivate func deleteStale(
        of walk: Walk,
        unlessExceeding deletionGuard: DeletionGuard?,
        approved: [Int: [Int64]],
        rejected: [Int: [Int64]],
        keep: ([Int: [Int64]], _ isRejected: Bool) throws -> Void
    ) throws -> PendingDeletion? {
        var rows = try takeStale()
        guard let deletionGuard else {
            try delete(rows)
            return nil
        }
        try delete(rows.remove(approved))
        guard !rows.isEmpty else { return nil }
        let graph = try DeleteGraph(writer, deleting: rows, keeping: seen)
        var pending = try pendingDeletion(of: walk, along: graph)
        let kept = rows.remove(rejected)
        guard
            rows.isEmpty
                || pending.shares.allSatisfy({ deletionGuard.permits($0.rows, of: $0.total) })
        else {
            try keep(rows.merging(kept) { $0 + $1 }, false)
            return pending
        }
        guard !kept.isEmpty else {
            try delete(graph)
            return nil
        }
        try delete(rows)
        pending = try pendingDeletion(of: walk, kept)
        pending.isRejected = true
        try keep(kept, true)
        return pending
    }
}

extension [Int: [Int64]] {
    /// Removes rows, by table, and returns those that were there.
    fileprivate mutating func remove(_ others: [Int: [Int64]]) -> [Int: [Int64]] {
        var removed: [Int: [Int64]] = [:]
        for (table, numbers) in others {
            guard var rest = self[table] else { continue }
            let isRemoved = RowSet(numbers)
            let middle = rest.partition(by: isRemoved.contains)
            removed[table] = middle == rest.endIndex ? nil : Array(rest[middle...])
            self[table] = middle == 0 ? nil : Array(rest[..<middle])
        }
        return removed
    }
}
