public import TidemarkImport

/// Options of a push: what it may delete at the service.
///
/// They are a value: two pushes with equal options at the same time are one push.
///
/// ```swift
/// let strict = DeletionGuard(share: 0.1, rows: 20)
/// let pushed = try await engine.push(with: PushOptions(deletionGuard: strict))
/// for pending in pushed.localChanges.pendingServiceDeletions { print(pending) }
/// ```
public struct PushOptions: Sendable, Hashable {
    /// How many objects of an entity a push may delete without approval; nil for any number.
    ///
    /// By default, half of the objects that the service is known to have or up to 100, but not all
    /// of ten or more. Those that were deleted in the last hour without an approval count, too. If
    /// the local deletions of an entity exceed it, all of them wait, and the other changes are
    /// sent: see ``LocalChangeSummary/pendingServiceDeletions``. The guard protects the service
    /// against a statement without a condition (`DELETE FROM Note`), and against an import of an
    /// incomplete document.
    ///
    /// ```swift
    /// let options = PushOptions(deletionGuard: nil)    // the user has been asked
    /// let pushed = try await engine.push(with: options)
    /// ```
    public var deletionGuard: DeletionGuard?

    /// Creates options.
    ///
    /// - Parameter deletionGuard: How many objects a push may delete. Defaults to the usual guard.
    public init(deletionGuard: DeletionGuard? = DeletionGuard()) {
        self.deletionGuard = deletionGuard
    }
}
