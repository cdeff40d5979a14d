public import GRDB
import TidemarkStore

/// How a walk has ended.
public enum SessionOutcome: Sendable, Hashable {
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
    public func finish(_ db: Database, _ walk: ImportSession) throws -> ImportReport {
        try finish(db, walk, guardedBy: nil).report
    }

    /// Deletes what the list did not name and what the service reported as deleted, unless that
    /// exceeds a guard, and ends the session.
    ///
    /// Rows whose deletion exceeds the guard are kept, whatever list named them last, and await
    /// approval: ``approveDeletion(_:_:)`` deletes them, ``rejectDeletion(_:_:)`` keeps them, and a
    /// list that names or links one of them withdraws its deletion. Rows whose deletion was
    /// rejected are kept, whatever the guard permits, until a list names or links them or the
    /// deletion of others exceeds it.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - walk: the session.
    ///   - deletionGuard: how many rows may be deleted; nil for any number.
    ///   - isApproved: whether the rows whose deletion is pending already are deleted if the list
    ///     still lacks them, or nothing contains them again.
    ///   - isProof: whether a row that the list did not name is known to be deleted; where it is
    ///     not, the session is ended only without one.
    /// - Returns: how it has ended.
    /// - Throws: ``ImportError/Code/unknownWalk`` when the session was not begun.
    public func finish(
        _ db: Database,
        _ walk: ImportSession,
        guardedBy deletionGuard: DeletionGuard?,
        isApproved: Bool = false,
        isProof: Bool = true
    ) throws -> SessionOutcome {
        var pending: PendingDeletion?
        var isUnproved = false
        let isWhole = walk.options.operations.contains(.delete)
        let before = try pendingRows(db, of: walk.resource)
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
                let marks = SeenRows(db, parent.session, store.layout)
                try marks.gather(run.takeStale())
                try run.retryPostponed(of: walk, entity, isLast: true)
                try marks.gather(run.takeStale())
                return try forget(db, walk.resource)
            }
            var rows = StaleRows(rows: try run.takeStale())
            if isWhole { try rows.add(before, entity, run) }
            pending = try run.delete(
                rows,
                of: walk,
                unlessExceeding: deletionGuard,
                isApproved: isApproved,
                before: before
            ) { kept in
                try keepPending(
                    db,
                    kept,
                    of: walk,
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
    private func hasDecidedAll(_ db: Database, _ walk: ImportSession) throws -> Bool {
        try walk.scope == .entity || pendingRows(db, of: walk.resource).byTable.isEmpty
    }
}

extension ImportRun {
    /// Finds the rows that a session has not named, among those that it decides about.
    fileprivate func findStale(
        _ entity: EntityImport,
        upTo highest: Int64,
        by walk: ImportSession
    ) throws {
        switch walk.scope {
        case .entity: try findStale(entity, upTo: highest)
        case .children(let parent):
            let rows = try unnamedChildren(of: parent, entity).filter { $0 <= highest }
            if !rows.isEmpty { stale[entity.plan.entity.table] = rows }
        case .gathered:
            stale = try pendingRows(entity, upTo: 0).byTable
        }
    }

    /// Deletes the rows that are not in the service any more, unless that exceeds a guard.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - walk: The session.
    ///   - deletionGuard: How many rows may be deleted; nil for any number.
    ///   - isApproved: Whether the guard ignores the rows that awaited approval before.
    ///   - before: The rows whose deletion awaited approval or was rejected before.
    ///   - keep: Called with the rows that are kept.
    /// - Returns: What awaits approval or was rejected; nil where all rows were deleted.
    /// - Throws: `DatabaseError`, and what `keep` throws.
    fileprivate func delete(
        _ rows: StaleRows,
        of walk: ImportSession,
        unlessExceeding deletionGuard: DeletionGuard?,
        isApproved: Bool,
        before: PendingRows,
        keep: (PendingRows) throws -> Void
    ) throws -> PendingDeletion? {
        var doomed = rows.rows
        var kept = PendingRows(byTable: rows.undecided, isRejected: before.isRejected)
        if isApproved { try delete(doomed.remove(before.byTable)) }
        let isRejected = before.isRejected && !isApproved && deletionGuard != nil
        if isRejected { kept.byTable.merge(doomed.remove(before.byTable)) { $0 + $1 } }
        if !doomed.isEmpty {
            let graph = try DeleteGraph(writer, deleting: doomed, keeping: seen)
            let rejected = isRejected ? before : PendingRows()
            if let deletionGuard, try !permits(deletionGuard, graph, of: walk, but: rejected) {
                kept.byTable.merge(doomed) { $0 + $1 }
                kept.isRejected = false
            } else {
                try delete(graph)
            }
        }
        guard !kept.byTable.isEmpty else { return nil }
        try keep(kept)
        return try pendingDeletion(of: walk, kept)
    }

    /// Whether a guard permits what a graph deletes; rows whose deletion was rejected do not count.
    private func permits(
        _ deletionGuard: DeletionGuard,
        _ graph: DeleteGraph,
        of walk: ImportSession,
        but rejected: PendingRows
    ) throws -> Bool {
        var others: [String: Int] = [:]
        if !rejected.byTable.isEmpty {
            for share in try pendingDeletion(of: walk, rejected).shares {
                others[share.entity] = share.rows
            }
        }
        return try pendingDeletion(of: walk, along: graph).shares.allSatisfy { share in
            deletionGuard.permits(share.rows, of: share.total - (others[share.entity] ?? 0))
        }
    }
}

/// The rows that a finished session decides to delete.
private struct StaleRows {
    /// The rows, by table; each once.
    var rows: [Int: [Int64]]

    /// Rows that a list lacked before and that an object without a usable key may be, by table.
    var undecided: [Int: [Int64]] = [:]

    /// Adds the rows that a list lacked before and that no list will tell of again: they have lost
    /// their parent already.
    mutating func add(_ before: PendingRows, _ entity: EntityImport, _ run: ImportRun) throws {
        for (table, numbers) in before.byTable {
            guard !run.namelessTables.contains(table) else {
                undecided[table] = numbers
                continue
            }
            var left = numbers
            if table == entity.plan.entity.table {
                // The session has decided about the rows that its list can name.
                try left.removeAll { try run.reader.hasKey($0, of: entity.plan.entity) }
            }
            guard !left.isEmpty else { continue }
            rows[table] = Array(RowSet(left + (rows[table] ?? [])).rows)
        }
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
