import GRDB
import TidemarkModel
public import TidemarkStore

/// What is left of local changes in a store: how many there are, and what they wait for.
///
/// It is read at the end of a run (``PushReport/localChanges``) or at any moment
/// (``SyncStatus/localChanges``).
///
/// ```swift
/// let left = try SyncStatus.of(store).localChanges
/// print(left.unpushed.map(\.count).reduce(0, +), "changes are not pushed yet")
/// ```
public struct LocalChangeSummary: Sendable {
    /// The changes that the service does not have yet, by entity and state; empty if it has
    /// everything.
    public internal(set) var unpushed: [UnpushedChanges] = []

    /// The numbers of rows whose changes the service has accepted, and not shown yet, by entity.
    ///
    /// A response such as 204 confirms no values. The next pull of the list does, or records what
    /// the service has not taken. ``SyncEngine/sync(with:pushing:)`` pulls in the same run.
    public internal(set) var unconfirmed: [String: Int] = [:]

    /// The deletions that exceed ``PushOptions/deletionGuard`` and await approval before a push
    /// sends them, by entity.
    ///
    /// Show them to the user, and call ``Outbox/approveDeletions(_:of:)`` or
    /// ``Outbox/rejectDeletions(_:of:)``.
    ///
    /// ```swift
    /// let pushed = try await engine.push()
    /// for pending in pushed.localChanges.pendingServiceDeletions {
    ///     print(pending)    // Note: 300 of 300 objects would be deleted at the service.
    /// }
    /// ```
    public internal(set) var pendingServiceDeletions: [PendingServiceDeletion] = []

    /// The numbers of local drafts by entity: rows without a key from before local changes were
    /// recorded, or under the number of a former row, which no push sends by itself.
    ///
    /// ``Outbox/add(_:draftsOf:)`` lets them be pushed.
    public internal(set) var drafts: [String: Int] = [:]

    /// The edits that may not have been recorded, because another program has removed triggers; nil
    /// if all were.
    ///
    /// The next complete pull compares all rows with the service, and ends this. The report of that
    /// pull still has them, with what the comparison has shown.
    public internal(set) var unrecorded: UnrecordedEdits?

    /// Reads what is left in a store, which may be read-only.
    static func of(
        _ db: Database,
        in store: Store,
        outbox: Outbox
    ) throws -> LocalChangeSummary {
        LocalChangeSummary(
            unpushed: try UnpushedChanges.of(db, in: store),
            unconfirmed: try AcknowledgedChanges.unconfirmedCounts(db, in: store),
            pendingServiceDeletions: try outbox.pendingServiceDeletions(db),
            drafts: try outbox.drafts(db),
            unrecorded: try StoreReader.prepare(db, in: store).unrecordedEdits
        )
    }
}
