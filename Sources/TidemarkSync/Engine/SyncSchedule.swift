/// The times at which ``SyncEngine/run(_:with:pushing:)`` pulls and pushes.
///
/// It pulls at an interval, on request, or both. If the service accepts changes, each of these
/// pulls is a sync, which pushes first; and local changes are pushed in between, soon after they
/// are made.
///
/// ```swift
/// var schedule = SyncSchedule.every(.seconds(300))
/// schedule.debounce = .seconds(2)
/// schedule.pushDebounce = .seconds(10)
/// try await engine.run(schedule)    // until the task is cancelled
/// ```
public struct SyncSchedule: Sendable, Hashable {
    /// The time from the end of a pull to the start of the next one; nil if only
    /// ``SyncEngine/requestSync()`` starts pulls.
    ///
    /// A pull that takes longer than the interval is therefore not followed by another at once.
    public var interval: Duration?

    /// How long a requested pull waits for further requests, which it serves as well.
    ///
    /// Each further request extends the wait, up to ten times this duration. The default is zero: a
    /// requested pull starts at once. It does not delay the pulls of ``interval``.
    public var debounce = Duration.zero

    /// How long after a local change it is pushed; nil if only the pulls of the schedule push it.
    ///
    /// Each further change extends the wait, up to ten times this duration, so that a burst of
    /// edits leads to one push. The default is two seconds. With zero, each transaction is pushed
    /// by itself, unless a push is running. It is ignored if the service accepts no changes.
    ///
    /// ```swift
    /// var schedule = SyncSchedule.every(.seconds(900))
    /// schedule.pushDebounce = nil    // 4 syncs an hour, to save energy
    /// try await engine.run(schedule)
    /// ```
    ///
    /// The changes may be made by any program that writes to the store. Nothing is pulled. Whatever
    /// the value is, changes that could not be sent are sent again when they are due.
    public var pushDebounce: Duration? = .seconds(2)

    /// Pulls on request only: ``SyncEngine/requestSync()`` starts each pull at once.
    ///
    /// Local changes are pushed by themselves.
    ///
    /// ```swift
    /// let syncing = Task { try await engine.run(.manual) }
    /// await engine.requestSync()
    /// ```
    public static let manual = SyncSchedule()

    /// Pulls at once, and again when the interval has elapsed after the end of each pull.
    ///
    /// A pull can also be requested in between, which starts the interval again. For a service with
    /// conditional requests or changes, a short interval costs little: a pull without changes is
    /// one request for each list.
    ///
    /// ```swift
    /// let syncing = Task { try await engine.run(.every(.seconds(900))) }
    /// ```
    ///
    /// - Parameter interval: The time between two pulls.
    /// - Returns: A schedule with this interval and no debounce.
    public static func every(_ interval: Duration) -> SyncSchedule {
        var schedule = SyncSchedule()
        schedule.interval = interval
        return schedule
    }

    /// Pulls on request only, when no further request has arrived for the specified duration.
    ///
    /// Use it where pushes or user actions come in bursts: they lead to one pull.
    ///
    /// ```swift
    /// let syncing = Task { try await engine.run(.debounced(by: .seconds(3))) }
    /// for _ in 1...5 { await engine.requestSync() }    // one pull
    /// ```
    ///
    /// - Parameter debounce: How long a requested pull waits for further requests.
    /// - Returns: A schedule without an interval.
    public static func debounced(by debounce: Duration) -> SyncSchedule {
        var schedule = SyncSchedule()
        schedule.debounce = debounce
        return schedule
    }
}
