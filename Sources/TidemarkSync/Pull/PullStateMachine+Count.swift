import TidemarkModel
import TidemarkRemote

/// The comparison of the service's number of objects with the number of rows.
///
/// It shows deletions that the changes do not: tombstones may be purged, and services reset.
extension PullStateMachine {
    /// Requests the number of objects after the changes were read, or all keys.
    mutating func verifyCount() -> Action? {
        guard resource.style.deletes != .none, !findings.hasReadAll else { return end(success) }
        let reportsDeletions = resource.style.deletes != .sweep
        let isDue = findings.hasChanges || findings.isUnverified || start.hasPendingDeletion
        guard isDue || !reportsDeletions else { return end(success) }
        if resource.style.count != .none {
            state = .verifyingCount
            return .count
        }
        guard !reportsDeletions || start.hasPendingDeletion, resource.style.parameters.keys != nil
        else {
            return end(success)
        }
        findings.followsAnotherList = true
        return begin(.keys)
    }

    /// Decides what follows a count.
    mutating func compare(_ count: Int?, with rows: RowCounts) -> Action? {
        guard let count, !agrees(count, with: rows) else {
            return areChangesWhole || count == rows.kept && rows.pending > 0
                ? end(success) : distrustChanges()
        }
        let isKnown = start.mismatch?.explains(count: count, rows: rows.kept) ?? false
        guard !checkpoint.isRecount, !isKnown,
            let cursor = checkpoint.cursor.candidate ?? start.cursor
        else {
            findings.serviceCount = count
            return escalate(to: resource.style.parameters.keys == nil ? .list : .keys)
        }
        // The count includes objects that were inserted after the changes were read.
        findings.isUnverified = true
        let recount = PullCheckpoint(recountSince: cursor, run: run)
        return begin(changes(since: cursor), repeating: recount)
    }

    /// Whether the service's count equals the number of rows, apart from a mismatch that the whole
    /// list did not resolve.
    private func agrees(_ count: Int, with rows: RowCounts) -> Bool {
        guard let mismatch = start.mismatch else { return count == rows.all || count == rows.kept }
        guard mismatch.explains(count: count, rows: rows.kept),
            !findings.isUnverified || checkpoint.isRecount
        else { return false }
        // An object that was rejected now may hide that another was deleted.
        return checkpoint.itemsWithoutRow == 0
            || count == mismatch.count && rows.kept == mismatch.rows && !hasNews
    }

    /// Whether the pages may have contained changes that are later than all earlier ones.
    private var hasNews: Bool { findings.latest == nil || findings.latest != start.latest }

    /// Returns whether a count shows that the service has all objects whose rows await deletion.
    func withdrawsDeletion(_ count: Int?, with rows: RowCounts) -> Bool {
        guard let count, rows.pending > 0 else { return false }
        return start.mismatch?.explains(count: count, rows: rows.all) ?? (count == rows.all)
    }

    /// Returns the count mismatch to save, after the rows that the list lacks were deleted or await
    /// approval; nil if the list explains the service's count.
    ///
    /// Without it, a list that does not explain the count would be read again in every pull.
    ///
    /// - Parameter counting: Counts the rows, if that is necessary.
    /// - Returns: The mismatch.
    /// - Throws: Errors that `counting` throws.
    func mismatch(counting: () throws -> RowCounts) rethrows -> CountMismatch? {
        let rejected = checkpoint.itemsWithoutRow
        if findings.serviceCount == nil {
            guard checkpoint.mode == .list else { return start.mismatch }
            guard rejected > 0 else { return nil }
        }
        let rows = try counting()
        let count = findings.serviceCount ?? rows.kept + rejected
        // The service may still have the rows whose deletion is pending, unless the rejected
        // objects account for the difference.
        guard count != rows.kept, rows.pending == 0 || count - rows.kept == rejected else {
            return nil
        }
        return CountMismatch(count: count, rows: rows.kept)
    }
}
