import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

/// The transactions of a run, with room between them for whoever else writes.
///
/// SQLite has no queue. Who finds its lock taken looks again after a while, every 25 ms at first:
/// where a run's transactions follow each other closely, that may never find it free. So when they
/// have taken as long as one may, the lock is left alone until everybody has looked.
final class WriteFairness: Sendable {
    private struct State {
        /// For how long transactions have followed each other.
        var busy = 0.0
        /// When the last one ended.
        var end = Date.distantPast
        /// When the next one may begin.
        var next = Date.distantPast
        /// What SQLite counts the commits of other connections by, and when one was noticed.
        var commits: Int?
        var lastOther = Date.distantPast
    }

    private let state = Locked(State())
    private let environment: SystemEnvironment
    private let longest: Double

    /// For how long the lock is left alone.
    private static let pause = 0.03

    /// For how long somebody who has written is expected to do it again.
    private static let company = 1.0

    init(_ environment: SystemEnvironment, _ limits: Limits) {
        self.environment = environment
        longest = limits.transactionTime / .seconds(1)
    }

    /// Runs a transaction, see `Store.writeRepeatable`.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - isLong: whether this is a part of something longer, which leaves no time in between by
    ///     itself.
    ///   - body: what is to be done.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, `DatabaseError`, `CancellationError`.
    func write<T: Sendable>(
        _ store: Store,
        isLong: Bool,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let pause = pause(isLong: isLong)
        if pause > 0 { try await environment.sleep(.seconds(pause)) }
        let (value, begin) = try await store.writeRepeatable { [self] db in
            let begin = environment.now()
            note(try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")), begin)
            return (try body(db), begin)
        }
        let end = environment.now()
        state.withLock { state in
            state.busy += end.timeIntervalSince(begin)
            state.end = end
        }
        return value
    }

    /// How long to wait before a transaction.
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
            // A clock that was set back makes nobody wait longer.
            return min(state.next.timeIntervalSince(now), Self.pause)
        }
    }

    private func note(_ commits: Int?, _ now: Date) {
        state.withLock { state in
            if let before = state.commits, before != commits { state.lastOther = now }
            state.commits = commits
        }
    }
}
