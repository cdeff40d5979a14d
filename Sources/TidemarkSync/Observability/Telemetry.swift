import HTTPTypes
import Logging
import TidemarkModel

/// The recipients of events: the callback of the engine, the sequences of its observers, the log
/// and the metrics.
struct Telemetry: Sendable {
    private(set) var logger: Logger
    let metrics: SyncMetrics
    let followers = EventBroadcaster()
    let onEvent: @Sendable (SyncEvent) -> Void

    /// Whether the events are those of a dry run on a copy of the store.
    private(set) var isDryRun = false

    /// Returns the recipients for a dry run: the same log and metrics, but no observers of the
    /// original engine.
    func ofDryRun(onEvent: @escaping @Sendable (SyncEvent) -> Void) -> Telemetry {
        var observers = Telemetry(logger: logger, metrics: metrics, onEvent: onEvent)
        observers.isDryRun = true
        observers.logger[metadataKey: "dry_run"] = "true"
        return observers
    }

    /// The attributes of the span of a pull.
    var attributes: [String: String] { isDryRun ? ["dry_run": "true"] : [:] }

    func emit(_ event: SyncEvent) {
        logger.log(event)
        metrics.record(event, isDryRun: isDryRun)
        followers.emit(event)
        onEvent(event)
    }

    /// Records a request and the status of its response, nil without one.
    ///
    /// The URL must not contain secrets.
    func recordRequest(
        _ method: HTTPRequest.Method,
        to url: @autoclosure () -> String,
        status: HTTPResponse.Status?,
        duration: Duration
    ) {
        metrics.recordRequest(status: status?.code, duration: duration)
        logger.debug(
            "A request was sent.",
            metadata: [
                "method": "\(method)", "url": "\(url())",
                "status": "\(status.map { String($0.code) } ?? "none")",
                "duration": "\(duration.shown)",
            ]
        )
    }
}
