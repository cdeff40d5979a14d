/// A pull that was started by ``SyncEngine/startPull(with:)``.
///
/// The pull continues if its events are not read, and if this value is released.
///
/// ```swift
/// let pull = engine.startPull()
/// for await event in pull.events {
///     if case .retrying(let delay, _) = event, delay > .seconds(20) { pull.cancel() }
/// }
/// let result = await Task { try await pull.value }.result
/// ```
public struct SyncPull: Sendable {
    /// The events of the pull, from its start to its end.
    ///
    /// The last event is ``SyncEvent/finished(_:)`` or ``SyncEvent/stopped(_:)``. A pull that is
    /// cancelled before it begins, or while it waits for the result of another, has no last event.
    /// The sequence ends in any case, and supports one iterator. At most `Limits.events` unread
    /// events are kept, the latest.
    ///
    /// ```swift
    /// for await case .pulled(let resource, let counts) in engine.startPull().events {
    ///     print(resource, counts.inserted, counts.updated, counts.deleted)
    /// }
    /// ```
    public let events: AsyncStream<SyncEvent>

    private let task: Task<SyncReport, any Error>

    init(events: AsyncStream<SyncEvent>, task: Task<SyncReport, any Error>) {
        self.events = events
        self.task = task
    }

    /// The report of the pull.
    ///
    /// Waits until the pull has ended.
    ///
    /// If the task that waits is cancelled, the pull is cancelled.
    ///
    /// ```swift
    /// let pull = engine.startPull()
    /// do {
    ///     print(try await pull.value)
    /// } catch is CancellationError {
    ///     print("Cancelled: the next pull resumes.")
    /// }
    /// ```
    ///
    /// - Throws: Errors that ``SyncEngine/pull(with:)`` throws.
    public var value: SyncReport {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Cancels the pull.
    ///
    /// Pages that are in the store stay, and the next pull resumes after them. A transaction that
    /// is being committed is not interrupted.
    ///
    /// If the pull has joined one that was already running, the running pull continues, and
    /// ``value`` throws `CancellationError`.
    ///
    /// <!-- example: let isOnCellular = true -->
    /// ```swift
    /// let pull = engine.startPull()
    /// for await case .page(_, _, let expected?) in pull.events where expected > 10_000 {
    ///     if isOnCellular { pull.cancel() }
    /// }
    /// ```
    public func cancel() {
        task.cancel()
    }
}
