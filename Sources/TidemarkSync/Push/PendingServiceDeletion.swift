/// Local deletions of one entity that exceed the guard of a push, and await approval.
///
/// The objects are still at the service. Ask the user, and then call
/// ``Outbox/approveDeletions(_:of:)``, after which the next push deletes them, or
/// ``Outbox/rejectDeletions(_:of:)``, which restores the rows. `PendingDeletion` is the other
/// direction: rows that the service does not list any more.
///
/// ```swift
/// for pending in try SyncStatus.of(store).localChanges.pendingServiceDeletions {
///     print("Delete \(pending.count) of \(pending.known) objects of \(pending.entity)?")
/// }
/// ```
public struct PendingServiceDeletion: Sendable, Hashable, CustomStringConvertible {
    /// The entity of the objects.
    public let entity: String

    /// The number of deletions that wait.
    public let count: Int

    /// The number of objects that the service was last known to have.
    public let known: Int

    /// The numbers in one sentence.
    public var description: String {
        "\(entity): \(count) of \(known) objects would be deleted at the service."
    }
}
