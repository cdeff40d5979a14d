/// A limit on the number of rows that an import session may delete without approval.
///
/// The guard is applied to every entity that loses rows: to the entity of the list, to nested
/// objects, and to rows deleted by cascade. Only rows that were stored before the list was
/// requested count, both as deleted rows and towards the total. Rows whose deletion was rejected do
/// not count.
///
/// ```swift
/// var options = PullOptions()
/// options.deletionGuard = DeletionGuard(share: 0.2, rows: 20)
/// ```
public struct DeletionGuard: Sendable, Hashable {
    /// The share of the entity's rows, from 0 to 1, that may be deleted, whatever their number.
    ///
    /// The default is 0.5.
    public var share: Double

    /// The number of rows that may be deleted, whatever their share.
    ///
    /// The default is 100.
    public var rows: Int

    /// The number of rows from which on deleting all rows of an entity requires approval.
    ///
    /// The default is 10.
    public var all: Int

    /// Creates a guard.
    ///
    /// The default permits the deletion of half of the rows or of up to 100 rows, but not of all
    /// rows if there are ten or more.
    public init(share: Double = 0.5, rows: Int = 100, all: Int = 10) {
        self.share = share
        self.rows = rows
        self.all = all
    }

    /// Returns whether `count` of `total` rows may be deleted.
    func permits(_ count: Int, of total: Int) -> Bool {
        // A response in an unexpected format looks like a list without items.
        if count >= total { return count < all }
        return count <= rows || Double(count) <= share * Double(total)
    }
}
