import TidemarkModel
import TidemarkRemote

/// The timeouts of one response: the time without data, and the time in total.
struct IdleTimeout: Sendable {
    /// The state of the timeouts at a given time.
    enum State: Equatable, Sendable {
        /// Not expired; check again after this number of seconds.
        case running(Double)
        /// Expired, waiting for data or for the complete response.
        case expired(RemoteError.Timeout)
    }

    private let idle: Double
    private let whole: Double
    private let start: Double
    private var lastData: Double

    /// Starts both timeouts.
    ///
    /// Times are in seconds of a monotonic clock.
    init(_ limits: Limits, at now: Double) {
        idle = limits.http.idleTimeout / .seconds(1)
        whole = limits.http.responseTime / .seconds(1)
        start = now
        lastData = now
    }

    /// Restarts the idle timeout because data was received.
    mutating func restart(at now: Double) {
        lastData = now
    }

    /// Returns the state of the timeouts at a given time.
    func state(at now: Double) -> State {
        let (idleLeft, wholeLeft) = (lastData + idle - now, start + whole - now)
        if wholeLeft <= 0 { return .expired(.response) }
        return idleLeft <= 0 ? .expired(.data) : .running(min(idleLeft, wholeLeft))
    }
}
