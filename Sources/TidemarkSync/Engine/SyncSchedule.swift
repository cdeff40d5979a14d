/// The times at which ``SyncEngine/run(_:with:)`` pulls: at an interval, on request, or both.
///
/// ```swift
/// var schedule = SyncSchedule.every(.seconds(300))
/// schedule.debounce = .seconds(2)
/// try await engine.run(schedule)    // until the task is cancelled
/// ```
public struct SyncSchedule: Sendable, Hashable {
    /// The time from the end of a pull to the start of the next one; nil if only
    /// ``SyncEngine/requestPull()`` starts pulls.
    public var interval: Duration?

    /// How long a requested pull waits for further requests, which it serves as well.
    ///
    /// Each further request extends the wait, up to ten times this duration. The default is zero: a
    /// requested pull starts at once.
    public var debounce = Duration.zero

    /// Pulls on request only.
    public static let manual = SyncSchedule()

    /// Pulls at once, and again when the interval has elapsed after the end of each pull.
    public static func every(_ interval: Duration) -> SyncSchedule {
        var schedule = SyncSchedule()
        schedule.interval = interval
        return schedule
    }

    /// Pulls on request only, when no further request has arrived for the specified duration.
    public static func debounced(by debounce: Duration) -> SyncSchedule {
        var schedule = SyncSchedule()
        schedule.debounce = debounce
        return schedule
    }
}
