/// How many rows of an entity an import session may delete without approval.
///
/// The guard is applied to every entity that loses rows: to the entity of the list, to nested
/// objects, and to rows deleted by cascade. Only rows that were stored before the list was
/// requested count, both as deleted rows and towards the total; rows whose deletion was rejected do
/// not.
///
/// ```swift
/// var options = PullOptions()
/// options.deletionGuard = DeletionGuard(share: 0.2, rows: 20)
/// ```
public struct DeletionGuard: Sendable, Hashable {
    /// The share of the entity's rows, from 0 to 1, that may be deleted however many they are.
    public var share: Double

    /// How many rows may be deleted whatever their share is.
    public var rows: Int

    /// The number of rows from which on deleting all of them requires approval.
    public var all: Int

    /// Creates a guard.
    ///
    /// The default permits half of the rows, or up to 100, but not all where there are ten or more.
    public init(share: Double = 0.5, rows: Int = 100, all: Int = 10) {
        self.share = share
        self.rows = rows
        self.all = all
    }

    /// Whether `count` of `total` rows may be deleted.
    func permits(_ count: Int, of total: Int) -> Bool {
        if count >= total { return count < all }
        return count <= rows || Double(count) <= share * Double(total)
    }
}
