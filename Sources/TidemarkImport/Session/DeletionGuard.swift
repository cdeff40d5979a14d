/// A limit on the number of rows that an import session may delete without approval, and on the
/// number of objects that a push may.
///
/// A service that fails often responds with an empty or a shortened list. Without a guard, the rows
/// that such a list lacks would be lost, and with them what an app links to them. Deletions beyond
/// the limit become a ``PendingDeletion``; all other changes are applied.
///
/// The guard is applied to every entity that loses rows: to the entity of the list, to nested
/// objects, and to rows deleted by cascade. Only rows that were stored before the list was
/// requested count, both as deleted rows and towards the total. Rows whose deletion was rejected do
/// not count.
///
/// ```swift
/// var options = PullOptions()
/// options.deletionGuard = DeletionGuard(share: 0.2, rows: 20)
/// let report = try await engine.pull(with: options)
/// print(report.pendingDeletions.count)
/// ```
///
/// An import of one document has no guard: if its operations permit deletions, it deletes what the
/// document lacks.
public struct DeletionGuard: Sendable, Hashable {
    /// The share of the entity's rows, from 0 to 1, that may be deleted, whatever their number.
    ///
    /// The default is 0.5. A deletion is permitted if it respects either this share or ``rows``;
    /// with 0, only ``rows`` applies.
    public var share: Double

    /// The number of rows that may be deleted, whatever their share.
    ///
    /// The default is 100. It keeps small tables, whose shares are large, from requiring approval
    /// all the time.
    public var rows: Int

    /// The number of rows from which on deleting all rows of an entity requires approval.
    ///
    /// The default is 10. If all rows would be deleted, it decides instead of ``share`` and
    /// ``rows``: a response in an unexpected format looks like a list without items.
    public var fullDeletionThreshold: Int

    /// Creates a guard.
    ///
    /// The default permits the deletion of half of the rows or of up to 100 rows, but not of all
    /// rows if there are ten or more. Rows that a guard has kept that permits no deletion await a
    /// decision, even if a later guard would permit theirs.
    ///
    /// ```swift
    /// let strict = DeletionGuard(share: 0, rows: 0, fullDeletionThreshold: 1)
    /// // every deletion needs approval
    /// ```
    ///
    /// - Parameters:
    ///   - share: The share of an entity's rows that may be deleted, from 0 to 1.
    ///   - rows: The number of rows that may be deleted, whatever their share.
    ///   - fullDeletionThreshold: The number of rows from which on not all of them may be deleted.
    public init(share: Double = 0.5, rows: Int = 100, fullDeletionThreshold: Int = 10) {
        self.share = share
        self.rows = rows
        self.fullDeletionThreshold = fullDeletionThreshold
    }

    /// Whether each deletion requires approval.
    package var permitsNothing: Bool { share == 0 && rows == 0 && fullDeletionThreshold <= 1 }

    /// Returns whether `count` of `total` rows may be deleted.
    package func permits(_ count: Int, of total: Int) -> Bool {
        // A response in an unexpected format looks like a list without items.
        if count >= total { return count < fullDeletionThreshold }
        return count <= rows || Double(count) <= share * Double(total)
    }

    /// Returns the most of `total` rows that may be deleted.
    package func most(of total: Int) -> Int {
        guard total >= fullDeletionThreshold else { return max(0, fullDeletionThreshold - 1) }
        let byShare = share * Double(total)
        let limit = byShare >= Double(total) ? total : byShare > 0 ? Int(byShare) : 0
        return max(0, min(max(rows, limit), total - 1))
    }
}
