/// A deletion that exceeds a ``DeletionGuard`` and awaits approval, or was rejected.
///
/// A pull reports it as `SyncReport.pendingDeletions` and in an event, and otherwise succeeds. Its
/// rows are kept, and are read as any other row, until the deletion is approved, or until a list
/// contains or links them again. Ask the user, and then call `SyncEngine.approveDeletion(of:)`,
/// which requests the list again first, or ``Importer/rejectDeletion(_:_:)``.
///
/// ```swift
/// for deletion in report.pendingDeletions where !deletion.isRejected {
///     print("\(deletion.resource): \(deletion.rowCount) rows are no longer listed")
/// }
/// ```
///
/// Pending deletions are stored in the database, so that they outlive the process. Outside of a
/// pull, read them with ``Importer/pendingDeletions(_:)``, and their rows with
/// ``Importer/rowsOfPendingDeletion(_:_:limit:)``.
public struct PendingDeletion: Sendable, Hashable {
    /// The part of a pending deletion that concerns one entity.
    package struct Share: Sendable, Hashable {
        /// The entity.
        package var entity: String

        /// The number of its rows that would be deleted.
        package var rows: Int

        /// The number of its rows that count towards the guard: those that were stored when the
        /// list was requested, except rows without a primary key that no import created.
        package var total: Int

        /// Creates a share.
        package init(entity: String, rows: Int, total: Int) {
            self.entity = entity
            self.rows = rows
            self.total = total
        }
    }

    /// The name of the list: the path of the pull's resource, or that of the ``ImportSession``.
    ///
    /// It is the argument of the methods that approve or reject the deletion.
    public var resource: String

    /// The entity of the list's objects.
    ///
    /// The deletion may concern rows of other entities, too: nested objects, and rows that are
    /// deleted by cascade.
    public var entity: String

    /// The rows that would be deleted, by entity, with the list's own entity first.
    ///
    /// Nested objects and rows that would be deleted by cascade are included.
    package var shares: [Share]

    /// Whether the deletion was rejected: the rows are kept until a list contains or links them, or
    /// until the deletion of other rows exceeds the guard.
    ///
    /// A rejected deletion is still reported, and can still be approved. Show it without asking
    /// again.
    public var isRejected: Bool

    /// The total number of rows that would be deleted.
    ///
    /// It includes nested objects and rows deleted by cascade, so that it may exceed the number of
    /// rows of ``entity``.
    public var rowCount: Int { shares.reduce(0) { $0 + $1.rows } }

    /// Creates a pending deletion.
    package init(resource: String, entity: String, shares: [Share], isRejected: Bool = false) {
        self.isRejected = isRejected
        self.resource = resource
        self.entity = entity
        self.shares = shares
    }
}
