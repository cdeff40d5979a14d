import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Random pushes of several processes, which are slow, suspended and killed.
@Suite(.timeLimit(.minutes(60)))
struct PushLeasePropertyTests {
    @Test(arguments: TaskService.Dialect.allCases)
    func `whatever is suspended or killed, each object is created once, and none is lost`(
        _ dialect: TaskService.Dialect
    ) async throws {
        try await Property(cases: 16) { SuspendedPush(dialect, seed: $0) }.holds { sample in
            try await sample.run()
        }
    }
}

/// A push that is suspended while its requests are sent, and what other processes do meanwhile.
private struct SuspendedPush: Sample, Sendable {
    /// A suspension, or the end, of the process that pushes.
    struct Stop: Sendable {
        /// The request after whose processing it happens, counted from 1.
        var change: Int

        /// How long it lasts, in seconds.
        var seconds: Int

        /// How many syncs another process makes meanwhile.
        var syncs: Int

        /// Whether the process is killed: its commits fail from then on.
        var isKilled: Bool

        /// Whether the user releases the lease.
        var isReleased: Bool
    }

    let dialect: TaskService.Dialect
    let seed: UInt64
    var creations: Int
    var concurrency: Int

    /// How long the service takes for a change, in milliseconds.
    var pace: Int

    /// How long the service may send nothing, in seconds.
    var timeout: Int
    var stops: [Stop]

    init(_ dialect: TaskService.Dialect, seed: UInt64) {
        self.dialect = dialect
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        creations = number(1...60)
        concurrency = number(1...4)
        timeout = [1, 10, 30, 120][number(0...3)]
        pace = min([0, 50, 800, 5_000, 25_000][number(0...4)], timeout * 900)
        let creations = creations
        stops = (0...number(0...2)).map { _ in
            Stop(
                change: number(1...creations),
                seconds: [0, 1, 30, 61, 95, 200, 4_000][number(0...6)],
                syncs: number(0...4),
                isKilled: number(0...3) == 0,
                isReleased: number(0...5) == 0
            )
        }
    }

    var smaller: [SuspendedPush] {
        var found: [SuspendedPush] = []
        for index in stops.indices {
            var other = self
            other.stops.remove(at: index)
            found.append(other)
        }
        if creations > 1 {
            var other = self
            other.creations /= 2
            found.append(other)
        }
        return found
    }

    var description: String {
        "\(dialect), seed \(seed), \(creations) creations of \(pace) ms, \(concurrency) at a time, "
            + "timeout \(timeout) s\n" + stops.map { "\($0)" }.joined(separator: "\n")
    }

    func run() async throws {
        let shared = try SharedTasks(dialect)
        let crashes = CrashingCommits()
        let timeout = Duration.seconds(timeout)
        _ = try await shared.engine(1).pull()
        let titles = (1...creations).map { "new \($0)" }
        try await shared.add(titles)
        let slow = SlowTransport(shared.tasks.fake, shared.clock, taking: .milliseconds(pace))
        for stop in stops {
            slow.after(stop.change) {
                if stop.isKilled { shared.ended.withLock { _ = $0.insert(1) } }
                if stop.isReleased {
                    try await shared.tasks.store.writer.write { db in
                        try db.execute(sql: "DELETE FROM _tidemark_lease")
                    }
                }
                shared.clock.advance(by: .seconds(stop.seconds))
                for sync in 0..<stop.syncs {
                    do { try await shared.sync(Int64(10 + sync), timeout: timeout) } catch {
                        guard (error as? SyncError)?.code == .busy else { throw error }
                    }
                    shared.clock.advance(by: timeout + .seconds(1))
                }
                guard stop.isKilled else { return }
                crashes.crash(after: 0)
                shared.tasks.store.writer.add(
                    transactionObserver: crashes,
                    extent: .databaseLifetime
                )
                throw CrashingCommits.Crash()
            }
        }
        let engine = try shared.engine(
            1,
            over: slow,
            concurrency: concurrency,
            timeout: timeout
        )
        do { _ = try await engine.push() } catch {
            guard (error as? SyncError)?.code == .leaseLost || error is CrashingCommits.Crash else {
                throw error
            }
        }
        _ = crashes.restart()
        shared.tasks.store.writer.remove(transactionObserver: crashes)
        shared.ended.withLock { _ = $0.insert(1) }
        for process in Int64(20)...25 {
            shared.clock.advance(by: .seconds(4_000))
            _ = try await shared.engine(process, timeout: timeout).sync()
        }
        let doubled = shared.creations.filter { $0.value > 1 }.keys.sorted()
        guard doubled.isEmpty else { throw Counterexample("created twice: \(doubled)") }
        let lost = titles.filter { shared.creations[$0] == nil }
        guard lost.isEmpty else { throw Counterexample("lost: \(lost)") }
        let left = try shared.tasks.changes()
        guard left.isEmpty else { throw Counterexample("left: \(left)") }
    }
}
