import Foundation
import GRDB
import TidemarkModel

/// When changes are sent again.
extension OutboxWriter {
    /// Returns when a change is sent again after a failure that may pass.
    ///
    /// - Parameters:
    ///   - change: The number of the change.
    ///   - delay: The delay that the service requests; nil for an exponential backoff from half a
    ///     minute to an hour, with jitter.
    /// - Returns: The time of the next attempt; nil for the next run.
    /// - Throws: `DatabaseError`.
    func nextAttempt(of change: Int64, after delay: Duration?) throws -> Date? {
        if let delay { return environment.now().addingTimeInterval(delay / .seconds(1)) }
        guard !isOutage else { return nil }
        let attempts = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT attempts FROM _tidemark_request WHERE change = ?"),
            arguments: [change]
        )
        let pause = Self.pause(beforeAttempt: attempts ?? 1, atMost: 3_600, in: environment)
        return environment.now().addingTimeInterval(pause)
    }

    /// Moves times that lie in the future to the present, with the next attempts after them: the
    /// clock was set back since they were recorded.
    ///
    /// Otherwise a change would wait until the clock shows the former time again, and no list would
    /// prove anything about a request.
    func moveFutureTimes() throws {
        let now = environment.now().timeIntervalSince1970
        try db.execute(
            sql: """
                UPDATE _tidemark_request SET lastAttempt = ?1, \
                nextAttempt = nextAttempt - (lastAttempt - ?1) WHERE lastAttempt > ?1
                """,
            arguments: [now]
        )
        try db.execute(
            sql: "UPDATE _tidemark_change SET since = ?1 WHERE since > ?1",
            arguments: [now]
        )
    }

    /// Returns the pause before an attempt is repeated, in seconds: half a minute at first, doubled
    /// with each attempt, with jitter.
    static func pause(
        beforeAttempt attempt: Int,
        atMost longest: Double,
        in environment: SystemEnvironment
    ) -> Double {
        // 2⁷ times half a minute exceeds the hour.
        let doublings = min(max(attempt - 1, 0), 7)
        let seconds = min(longest, 30 * Double(1 << doublings))
        return seconds * (0.5 + environment.random() / 2)
    }
}
