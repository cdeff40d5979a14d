import TidemarkModel

/// The timeouts of one response: the time without data, and the time in total.
struct IdleTimeout: Sendable {
    /// The state of the timeouts at a given time.
    enum Verdict: Equatable, Sendable {
        /// Not expired; check again after this number of seconds.
        case wait(Double)
        /// No data was received for longer than the idle timeout.
        case silent
        /// The response was not complete within the total time.
        case late
    }

    private let idle: Double
    private let whole: Double
    private let start: Double
    private var heard: Double

    /// Starts both timeouts.
    ///
    /// Times are in seconds of a monotonic clock.
    init(_ limits: Limits, at now: Double) {
        idle = limits.idleTimeout / .seconds(1)
        whole = limits.answerTime / .seconds(1)
        start = now
        heard = now
    }

    /// Restarts the idle timeout because data was received.
    mutating func hear(at now: Double) {
        heard = now
    }

    /// Returns the state of the timeouts at a given time.
    func verdict(at now: Double) -> Verdict {
        let (silence, age) = (heard + idle - now, start + whole - now)
        if age <= 0 { return .late }
        return silence <= 0 ? .silent : .wait(min(silence, age))
    }
}
