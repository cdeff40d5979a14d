/// A pull that was started by ``SyncEngine/startPull(_:)``.
///
/// It runs whether or not its events are read, and when the value is released.
public struct SyncPull: Sendable {
    /// What happens in the pull, from its start to its end.
    ///
    /// The last event is ``SyncEvent/finished(_:)`` or ``SyncEvent/stopped(_:)``; a pull that was
    /// cancelled before it began, or while it had joined another, has none. The sequence supports
    /// one iterator. Of unread events the latest `Limits.events` are kept.
    public let events: AsyncStream<SyncEvent>

    private let task: Task<SyncReport, any Error>

    init(events: AsyncStream<SyncEvent>, task: Task<SyncReport, any Error>) {
        self.events = events
        self.task = task
    }

    /// What the pull did, once it has ended.
    ///
    /// When the task that waits for it is cancelled, the pull is cancelled.
    ///
    /// - Throws: What ``SyncEngine/pull(_:)`` throws.
    public var value: SyncReport {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Cancels the pull: pages that are in the store stay, and the next pull resumes after them.
    ///
    /// Where it has joined a pull that was already running, only this value stops waiting, with
    /// `CancellationError`, and the other pull continues.
    public func cancel() {
        task.cancel()
    }
}
