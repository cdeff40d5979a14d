import Logging
import TidemarkModel

/// The recipients of events: the callback of the engine, the sequences of its observers, the log
/// and the metrics.
struct Telemetry: Sendable {
    private(set) var log: Logger
    let metrics: SyncMetrics
    let followers = EventBroadcaster()
    let onEvent: @Sendable (SyncEvent) -> Void

    /// Whether the events are those of a dry run on a copy of the store.
    private(set) var isDryRun = false

    init(
        log: Logger,
        metrics: SyncMetrics,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) {
        self.log = log
        self.metrics = metrics
        self.onEvent = onEvent
    }

    /// Returns the recipients for a dry run: the same log and metrics, but no observers of the
    /// original engine.
    func ofDryRun(onEvent: @escaping @Sendable (SyncEvent) -> Void) -> Telemetry {
        var observers = Telemetry(log: log, metrics: metrics, onEvent: onEvent)
        observers.isDryRun = true
        observers.log[metadataKey: "dry_run"] = "true"
        return observers
    }

    /// The attributes of the span of a pull.
    var attributes: [String: String] { isDryRun ? ["dry_run": "true"] : [:] }

    func tell(_ event: SyncEvent) {
        log.note(event)
        metrics.note(event, isDryRun: isDryRun)
        followers.tell(event)
        onEvent(event)
    }

    /// Records a request and its status, nil if it was not answered.
    ///
    /// The URL must not contain secrets.
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
