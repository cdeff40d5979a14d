import Logging
import TidemarkModel

/// Everybody who is told what happens: whoever made the engine, those who follow it, the log and
/// the metrics.
struct Telemetry: Sendable {
    private(set) var log: Logger
    let metrics: SyncMetrics
    let followers = EventBroadcaster()
    let onEvent: @Sendable (SyncEvent) -> Void

    /// Whether all of it happens to a copy of the store.
    private(set) var isRehearsal = false

    init(
        log: Logger,
        metrics: SyncMetrics,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) {
        self.log = log
        self.metrics = metrics
        self.onEvent = onEvent
    }

    /// Those who are told what happens to a copy of the store: the same log and metrics, nobody of
    /// those who follow the store itself.
    func ofRehearsal(onEvent: @escaping @Sendable (SyncEvent) -> Void) -> Telemetry {
        var observers = Telemetry(log: log, metrics: metrics, onEvent: onEvent)
        observers.isRehearsal = true
        observers.log[metadataKey: "rehearsal"] = "true"
        return observers
    }

    /// What the span of a pull says of it.
    var attributes: [String: String] { isRehearsal ? ["rehearsal": "true"] : [:] }

    func tell(_ event: SyncEvent) {
        log.note(event)
        metrics.note(event, isRehearsal: isRehearsal)
        followers.tell(event)
        onEvent(event)
    }

    /// Notes that a request was answered with a status, or was not; the URL has no secrets.
    func noteRequest(_ method: String, _ url: String, status: Int?, _ duration: Duration) {
        metrics.noteRequest(status: status, duration)
        log.debug(
            "A request was sent.",
            metadata: [
                "method": "\(method)", "url": "\(url)",
                "status": "\(status.map(String.init) ?? "none")", "duration": "\(duration.shown)",
            ]
        )
    }
}
