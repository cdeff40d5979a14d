import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

/// A scheduler of a pull's write transactions, with pauses in which other connections can write.
///
/// SQLite has no queue for its write lock. A connection that finds the lock taken tries again after
/// a while, every 25 ms at first, and may never find it free if the transactions of a pull follow
/// each other closely. So once these have taken `Limits.transactionTime`, the lock stays free for
/// slightly longer than that interval.
final class WriteFairness: Sendable {
    private struct State {
        /// How long transactions have followed each other without a pause, in seconds.
        var busy = 0.0
        /// When the last transaction ended.
        var end = Date.distantPast
        /// When the next transaction may begin.
        var next = Date.distantPast
        /// The last `data_version`, which the commits of other connections change, and the time of
        /// its last change.
        var commits: Int?
        var lastOther = Date.distantPast
    }

    private let state = Locked(State())
    private let environment: SystemEnvironment
    private let longest: Double

    /// How long the lock stays free, in seconds.
    private static let pause = 0.03

    /// How long after a commit another connection is expected to commit again, in seconds.
    private static let company = 1.0

    init(in environment: SystemEnvironment, limits: Limits) {
        self.environment = environment
        longest = limits.transactionTime / .seconds(1)
    }

    /// Runs a transaction: see `Store.transaction`.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isLong: Whether the transaction belongs to a page that takes several. No network request
    ///     separates these.
    ///   - body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: Errors that `body` throws, `DatabaseError`, `CancellationError`.
    func write<T: Sendable>(
        to store: Store,
        isLong: Bool,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let pause = pause(isLong: isLong)
        if pause > 0 { try await environment.sleep(.seconds(pause)) }
        let (value, begin) = try await store.transaction(durability: .relaxed) {
            [self] db in
            let begin = environment.now()
            record(try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")), at: begin)
            return (try body(db), begin)
        }
        let end = environment.now()
        state.withLock { state in
            state.busy += end.timeIntervalSince(begin)
            state.end = end
        }
        return value
    }

    /// Returns how long to wait before a transaction, in seconds.
    private func pause(isLong: Bool) -> Double {
        let now = environment.now()
        return state.withLock { state in
            let free = state.end.addingTimeInterval(Self.pause)
            if now >= free { state.busy = 0 }
            let hasCompany = now.timeIntervalSince(state.lastOther) < Self.company
            if state.busy >= longest, isLong || hasCompany {
                state.busy = 0
                state.next = free
            }
            // If the clock was set back, the wait is not longer than a pause.
            return min(state.next.timeIntervalSince(now), Self.pause)
        }
    }

    private func record(_ commits: Int?, at now: Date) {
        state.withLock { state in
            if let before = state.commits, before != commits { state.lastOther = now }
            state.commits = commits
        }
    }
}
