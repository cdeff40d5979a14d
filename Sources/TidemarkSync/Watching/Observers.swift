import Logging
import TidemarkModel

/// Everybody who is told what happens: whoever made the engine, those who follow it, the log and
/// the metrics.
struct Observers: Sendable {
    let log: Logger
    let metrics: SyncMetrics
    let followers = EventFollowers()
    let onEvent: @Sendable (SyncEvent) -> Void

    func tell(_ event: SyncEvent) {
        log.note(event)
        metrics.note(event)
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
