import TidemarkModel

/// How much longer an answer is waited for: since something of it came last, and in all.
struct IdleTimeout: Sendable {
    /// What is to be done at a moment.
    enum Verdict: Equatable, Sendable {
        /// It is to be asked again so many seconds later.
        case wait(Double)
        /// Nothing has come for too long.
        case silent
        /// The whole has taken too long.
        case late
    }

    private let idle: Double
    private let whole: Double
    private let start: Double
    private var heard: Double

    /// Begins to wait at a moment, in seconds.
    init(_ limits: Limits, at now: Double) {
        idle = limits.idleTimeout / .seconds(1)
        whole = limits.answerTime / .seconds(1)
        start = now
        heard = now
    }

    /// Notes that something has come.
    mutating func hear(at now: Double) {
        heard = now
    }

    /// What is to be done at a moment.
    func verdict(at now: Double) -> Verdict {
        let (silence, age) = (heard + idle - now, start + whole - now)
        if age <= 0 { return .late }
        return silence <= 0 ? .silent : .wait(min(silence, age))
    }
}
