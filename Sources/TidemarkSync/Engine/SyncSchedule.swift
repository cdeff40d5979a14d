/// When a store is pulled: again and again, when somebody asks for it, or both.
///
/// ```swift
/// var schedule = SyncSchedule.every(.seconds(300))
/// schedule.debounce = .seconds(2)
/// try await engine.run(schedule)    // until the task is cancelled
/// ```
public struct SyncSchedule: Sendable, Hashable {
    /// How long after the end of a pull the next one begins; nil where nothing but
    /// ``SyncEngine/requestPull()`` begins one.
    public var interval: Duration?

    /// How long a requested pull waits for further requests, which it then serves too.
    ///
    /// Each request lengthens the wait, to ten times this at most.
    public var debounce = Duration.zero

    /// Pulls when it is asked to, and only then.
    public static let manual = SyncSchedule()

    /// Pulls at once, and again so long after each pull has ended.
    public static func every(_ interval: Duration) -> SyncSchedule {
        var schedule = SyncSchedule()
        schedule.interval = interval
        return schedule
    }

    /// Pulls when it is asked to, a while after the last request.
    public static func debounced(by debounce: Duration) -> SyncSchedule {
        var schedule = SyncSchedule()
        schedule.debounce = debounce
        return schedule
    }
}
