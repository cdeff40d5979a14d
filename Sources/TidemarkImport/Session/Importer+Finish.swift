public import GRDB
import TidemarkStore

/// The outcome of ``Importer/finish(_:_:guardedBy:isApproved:isProof:)``.
public enum SessionOutcome: Sendable, Hashable {
    /// The session has ended; rows that the list did not contain were deleted.
    case finished(ImportReport)

    /// The session has ended, but its deletions exceed the guard: the rows are kept until the
    /// deletion is approved.
    case pending(ImportReport, PendingDeletion)

    /// Rows would be deleted without proof that the service has deleted them: the session stays
    /// open, and nothing was deleted.
    case unproved

    /// The numbers of changed rows, and diagnostics.
    ///
    /// Empty for ``unproved``.
    public var report: ImportReport {
        switch self {
        case .finished(let report), .pending(let report, _): report
        case .unproved: ImportReport()
        }
    }
}

extension Importer {
    /// Deletes the rows that the list did not contain, and ends the session.
    ///
    /// Call it only after every page of the list has been applied.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - walk: The session.
    /// - Returns: The numbers of changed rows, and diagnostics.
    /// - Throws: ``ImportError/Code/unknownWalk`` if the session was not started.
    public func finish(_ db: Database, _ walk: ImportSession) throws -> ImportReport {
        try finish(db, walk, guardedBy: nil).report
    }

    /// Deletes the rows that the list did not contain and those that the service reported as
    /// deleted, unless that exceeds a guard, and ends the session.
    ///
    /// Rows whose deletion exceeds the guard are kept and await approval, whatever list contained
    /// them last: ``approveDeletion(_:_:)`` deletes them, ``rejectDeletion(_:_:)`` keeps them, and
    /// a list that contains or links one of them withdraws its deletion. Rows whose deletion was
    /// rejected are kept, whatever the guard permits, until a list contains or links them or the
    /// deletion of other rows exceeds the guard.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - walk: The session.
    ///   - deletionGuard: The limit on deletions; nil for none.
    ///   - isApproved: Whether rows whose deletion was already pending are deleted if the list
    ///     still lacks them, or nothing links them again.
    ///   - isProof: Whether the absence of a row from the list proves that the service has deleted
    ///     it. If not, the session ends only if no row would be deleted.
    /// - Returns: The outcome.
    /// - Throws: ``ImportError/Code/unknownWalk`` if the session was not started.
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
                // A retried item may have removed children from lists.
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
            // A retried item may have removed rows from lists.
            try run.deleteStale()
            try forget(db, walk.resource)
            // A list that deletes nothing does not prove anything about rows that await approval.
            if pending == nil, isWhole, try hasDecidedAll(db, walk) {
                try forget(db, walk.pending.resource)
            }
        }
        if isUnproved { return .unproved }
        return pending.map { .pending(report, $0) } ?? .finished(report)
    }
}

extension Importer {
    /// Returns whether the session has decided about all rows that await approval.
    ///
    /// The lists of some parents may not have been read: the rows that they lacked before stay
    /// pending.
    private func hasDecidedAll(_ db: Database, _ walk: ImportSession) throws -> Bool {
        try walk.scope == .entity || pendingRows(db, of: walk.resource).byTable.isEmpty
    }
}

extension ImportRun {
    /// Finds the rows that a session does not contain, among those that it decides about.
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

    /// Deletes rows that the service no longer has, unless that exceeds a guard.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - walk: The session.
    ///   - deletionGuard: The limit on deletions; nil for none.
    ///   - isApproved: Whether the guard ignores the rows that awaited approval before.
    ///   - before: The rows whose deletion was pending or rejected before.
    ///   - keep: Called with the rows that are kept.
    /// - Returns: The deletion that is pending or was rejected; nil if all rows were deleted.
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
        // The user has approved these rows only: the guard applies to all others.
        if isApproved { try delete(doomed.remove(before.byTable)) }
        let isRejected = before.isRejected && !isApproved && deletionGuard != nil
        if isRejected { kept.byTable.merge(doomed.remove(before.byTable)) { $0 + $1 } }
        // Evaluated as one graph: cascades count towards the guard, and a rule may deny the
        // deletion of a row unless others are deleted too.
        if !doomed.isEmpty {
            let graph = try DeleteGraph.resolve(deleting: doomed, keeping: seen, with: writer)
            let rejected = isRejected ? before : PendingRows()
            if let deletionGuard, try !permits(deletionGuard, graph, of: walk, but: rejected) {
                kept.byTable.merge(doomed) { $0 + $1 }
                // The user has to decide again, because further rows exceed the guard.
                kept.isRejected = false
            } else {
                try delete(graph)
            }
        }
        guard !kept.byTable.isEmpty else { return nil }
        try keep(kept)
        return try pendingDeletion(of: walk, kept)
    }

    /// Returns whether a guard permits the deletions of a graph.
    ///
    /// Rows whose deletion was rejected do not count.
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

/// The rows that a finished session has decided to delete.
private struct StaleRows {
    /// The rows by table, each once.
    var rows: [Int: [Int64]]

    /// Rows by table that a list lacked before, and that an object without a usable key may refer
    /// to.
    var undecided: [Int: [Int64]] = [:]

    /// Adds the rows of an earlier pending deletion that no list will report again, because they
    /// have already lost their parent.
    mutating func add(_ before: PendingRows, _ entity: EntityImport, _ run: ImportRun) throws {
        for (table, numbers) in before.byTable {
            guard !run.namelessTables.contains(table) else {
                undecided[table] = numbers
                continue
            }
            var left = numbers
            if table == entity.plan.entity.table {
                // The list contains all rows of its entity that have a key, so that the session has
                // decided about these.
                try left.removeAll { try run.reader.hasKey($0, of: entity.plan.entity) }
            }
            guard !left.isEmpty else { continue }
            rows[table] = Array(RowSet(left + (rows[table] ?? [])).rows)
        }
    }
}

extension [Int: [Int64]] {
    /// Removes rows by table, and returns those that were present.
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
