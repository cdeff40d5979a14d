public import GRDB
import TidemarkStore

/// The end of an import session.
extension Importer {
    /// Deletes the rows that the list did not contain, and ends the session.
    ///
    /// Call it only after every page of the list has been applied. Rows that no page contained are
    /// deleted if they were stored when the session began, whatever their number: no
    /// ``DeletionGuard`` applies. A session without ``ImportOperations/delete`` keeps them,
    /// but should be finished, too, to remove its record of rows.
    ///
    /// If the process is killed before the commit, nothing is deleted; call the method again.
    ///
    /// ```swift
    /// let report = try store.writer.write { db in try importer.finish(db, session) }
    /// print(report.entities["User"]?.deleted ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - session: The session.
    /// - Returns: The numbers of changed rows, and diagnostics.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started, or is
    ///   finished; `StoreError`, `DatabaseError`. Roll the transaction back then.
    public func finish(_ db: Database, _ session: ImportSession) throws -> ImportReport {
        try finish(db, session, guardedBy: nil).report
    }

    /// Deletes the rows that the list did not contain and those that the service reported as
    /// deleted, unless that exceeds a guard, and ends the session.
    ///
    /// Rows whose deletion exceeds the guard are kept and await approval, whatever list contained
    /// them last: ``approveDeletion(_:_:)`` deletes them, ``rejectDeletion(_:_:)`` keeps them, and
    /// a list that contains or links one of them withdraws its deletion. Two kinds of rows are
    /// kept, whatever the guard permits: those that a former guard has kept that permits no
    /// deletion, and those whose deletion was rejected, until a list contains or links them or the
    /// deletion of other rows exceeds the guard.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - session: The session.
    ///   - deletionGuard: The limit on deletions; nil for none.
    ///   - isApproved: Whether rows whose deletion was already pending are deleted if the list
    ///     still lacks them, or nothing links them again.
    ///   - isProof: Whether the absence of a row from the list proves that the service has deleted
    ///     it. If not, the session ends only if no row would be deleted.
    /// - Returns: The outcome.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started.
    package func finish(
        _ db: Database,
        _ session: ImportSession,
        guardedBy deletionGuard: DeletionGuard?,
        isApproved: Bool = false,
        isProof: Bool = true
    ) throws -> SessionOutcome {
        var pending: PendingDeletion?
        var isUnproved = false
        let before = try pendingRows(db, of: session.resource)
        let report = try perform(db, session) { transaction in
            if session.decidesAboutUnlistedRows {
                let hasUnlisted = try transaction.findUnlistedRows()
                isUnproved = !isProof && hasUnlisted
                guard !isUnproved else { return transaction.run.keepUnlisted() }
            }
            if case .children(let parent) = session.scope {
                try transaction.gatherUnlistedRows(for: parent)
            } else {
                pending = try transaction.deleteUnlistedRows(
                    unlessExceeding: deletionGuard,
                    isApproved: isApproved,
                    before: before
                )
                // A list that deletes nothing does not prove anything about rows that await
                // approval.
                if pending == nil, session.isComplete, try hasDecidedAll(db, session) {
                    try forget(db, session.pending.resource)
                }
            }
            try forget(db, session.resource)
        }
        if isUnproved { return .unproved }
        return pending.map { .pending(report, $0) } ?? .finished(report)
    }

    /// Returns whether the session has decided about all rows that await approval.
    ///
    /// The lists of some parents may not have been read: the rows that they lacked before stay
    /// pending.
    private func hasDecidedAll(_ db: Database, _ session: ImportSession) throws -> Bool {
        try session.scope == .entity || pendingRows(db, of: session.resource).byTable.isEmpty
    }
}

extension ImportSession {
    /// Whether the list contains all rows that it decides about, so that it deletes the others.
    fileprivate var isComplete: Bool { options.permitted.contains(.delete) }

    /// Whether rows that the list does not contain are looked for.
    fileprivate var decidesAboutUnlistedRows: Bool { isComplete || scope == .gathered }
}

extension ImportRun {
    /// Keeps the rows that the document does not contain.
    fileprivate func keepUnlisted() {
        for (_, progress) in usedTables { progress.unlisted = [] }
    }
}

extension SessionTransaction {
    /// Finds the rows that the list does not contain, among those that it decides about, and
    /// returns whether there are any.
    fileprivate func findUnlistedRows() throws -> Bool {
        switch session.scope {
        case .entity:
            entity.progress.unlisted += try run.unlistedRows(of: entity, upTo: highest)
        case .children(let parent):
            entity.progress.unlisted = try unlistedChildren(of: parent).filter { $0 <= highest }
        case .gathered:
            for (table, rows) in try pendingRows().byTable {
                run.table(table).unlisted = rows
            }
        }
        return run.usedTables.contains { !$0.progress.unlisted.isEmpty }
    }

    /// Adds the rows that the list of one parent lacks to the session of its resource.
    fileprivate func gatherUnlistedRows(for parent: ListParent) throws {
        let gathered = SeenRows(run.writer.db, of: parent.session, layout: run.layout)
        try gathered.gather(run.takeUnlisted().deleted)
        try retryPostponed(isLast: true)
        // A retried item may have removed children from lists.
        try gathered.gather(run.takeUnlisted().deleted)
    }

    /// Deletes rows that the service no longer has, unless that exceeds a guard.
    ///
    /// - Parameters:
    ///   - deletionGuard: The limit on deletions; nil for none.
    ///   - isApproved: Whether the guard ignores the rows that awaited approval before.
    ///   - before: The rows whose deletion was pending or rejected before.
    /// - Returns: The deletion that is pending or was rejected; nil if all rows were deleted.
    /// - Throws: `DatabaseError`.
    fileprivate func deleteUnlistedRows(
        unlessExceeding deletionGuard: DeletionGuard?,
        isApproved: Bool,
        before: PendingRows
    ) throws -> PendingDeletion? {
        let unlisted = try run.takeUnlisted()
        var doomed = unlisted.deleted
        let awaitsDecision = !isApproved && deletionGuard != nil
        var kept = PendingRows(isRejected: before.isRejected)
        kept.isHeld = before.isHeld && awaitsDecision || deletionGuard?.permitsNothing == true
        if session.isComplete { kept.byTable = try add(before.byTable, to: &doomed) }
        // What a list lacks makes it doubtful, also the rows that are kept nevertheless.
        var counted = doomed.merging(unlisted.spared) { $0 + $1 }
        try run.resolver?.spare(&doomed, with: run.writer)
        // The user has approved these rows only: the guard applies to all others.
        if isApproved { try run.delete(doomed.remove(before.byTable)) }
        let isRejected = before.isRejected && awaitsDecision
        if isRejected { kept.byTable.merge(doomed.remove(before.byTable)) { $0 + $1 } }
        if isApproved || isRejected { _ = counted.remove(before.byTable) }
        // Evaluated as one graph: cascades count towards the guard, and a rule may deny the
        // deletion of a row unless others are deleted too.
        if !doomed.isEmpty {
            let graph = try run.deletionGraph(of: doomed)
            let rejected = isRejected ? before : PendingRows()
            let all = try run.deletionGraph(of: counted, sparingEdited: false)
            if let deletionGuard, try !permits(deletionGuard, graph: all, except: rejected) {
                kept.byTable.merge(doomed) { $0 + $1 }
                // The user has to decide again, because further rows exceed the guard.
                kept.isRejected = false
            } else {
                let held = before.isHeld && awaitsDecision ? doomed.remove(before.byTable) : [:]
                kept.byTable.merge(held) { $0 + $1 }
                try run.delete(held.isEmpty ? graph : run.deletionGraph(of: doomed))
            }
        }
        var pending: PendingDeletion?
        if !kept.byTable.isEmpty {
            try keepPending(kept, replacing: session.isComplete && session.scope == .entity)
            pending = try pendingDeletion(of: kept)
        }
        try retryPostponed(isLast: true)
        // A retried item may have removed rows from lists.
        try run.deleteUnlisted()
        return pending
    }

    /// Adds the rows of an earlier pending deletion that no list will report again, because they
    /// have already lost their parent.
    ///
    /// - Parameters:
    ///   - before: The rows of the earlier deletion, by table.
    ///   - doomed: The rows to delete, by table.
    /// - Returns: The rows that stay pending, because an object without a usable key may refer to
    ///   them.
    /// - Throws: `DatabaseError`.
    private func add(
        _ before: [Int: [Int64]],
        to doomed: inout [Int: [Int64]]
    ) throws -> [Int: [Int64]] {
        var undecided: [Int: [Int64]] = [:]
        for (table, numbers) in before {
            guard run.progress(ofTable: table)?.hasUnidentifiedObject != true else {
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
            doomed[table] = Array(RowSet(left + (doomed[table] ?? [])).rows)
        }
        return undecided
    }

    /// Returns whether a guard permits the deletions of a graph.
    ///
    /// Rows whose deletion was rejected do not count.
    private func permits(
        _ deletionGuard: DeletionGuard,
        graph: DeleteGraph,
        except rejected: PendingRows
    ) throws -> Bool {
        var others: [String: Int] = [:]
        if !rejected.byTable.isEmpty {
            for share in try pendingDeletion(of: rejected).shares {
                others[share.entity] = share.rows
            }
        }
        return try pendingDeletion(along: graph).shares.allSatisfy { share in
            deletionGuard.permits(share.rows, of: share.total - (others[share.entity] ?? 0))
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
