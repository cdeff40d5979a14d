/// A deletion that exceeds a ``DeletionGuard`` and awaits approval, or was rejected.
///
/// Its rows are kept until the deletion is approved, or until a list contains or links them again.
/// Get pending deletions from ``Importer/pendingDeletions(_:)``.
public struct PendingDeletion: Sendable, Hashable {
    /// The part of a pending deletion that concerns one entity.
    public struct Share: Sendable, Hashable {
        /// The entity.
        public var entity: String

        /// The number of its rows that would be deleted.
        public var rows: Int

        /// The number of its rows that count towards the guard: those that were stored when the
        /// list was requested, except rows without a primary key that no import created.
        public var total: Int

        /// Creates a share.
        public init(entity: String, rows: Int, total: Int) {
            self.entity = entity
            self.rows = rows
            self.total = total
        }
    }

    /// The name of the list.
    public var resource: String

    /// The entity of the list's objects.
    public var entity: String

    /// The rows that would be deleted, by entity, with the list's own entity first.
    ///
    /// Nested objects and rows that would be deleted by cascade are included.
    public var shares: [Share]

    /// Whether the deletion was rejected: the rows are kept until a list contains or links them, or
    /// until the deletion of other rows exceeds the guard.
    public var isRejected: Bool

    /// The total number of rows that would be deleted.
    public var rows: Int { shares.reduce(0) { $0 + $1.rows } }

    /// Creates a pending deletion.
    public init(resource: String, entity: String, shares: [Share], isRejected: Bool = false) {
        self.isRejected = isRejected
        self.resource = resource
        self.entity = entity
        self.shares = shares
    }
}
