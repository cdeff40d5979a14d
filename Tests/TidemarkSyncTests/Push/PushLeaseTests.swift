import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Pushes that take longer than a lease, or lose it.
struct PushLeaseTests {
    private static func titles(_ count: Int) -> [String] { (1...count).map { "new \($0)" } }

    /// Checks that the service was asked once to create each object.
    private func expectCreated(_ titles: [String], _ shared: SharedTasks) {
        #expect(shared.creations == Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +))
    }

    private func expires(_ shared: SharedTasks) async throws -> Double {
        try await shared.tasks.store.writer.read { db in
            try Double.fetchOne(db, sql: "SELECT expires FROM _tidemark_lease") ?? 0
        }
    }

    @Test(arguments: TaskService.Dialect.allCases, [1, 4])
    func `a slow push keeps its lease, whenever another process syncs`(
        dialect: TaskService.Dialect,
        concurrency: Int
    ) async throws {
        let shared = try SharedTasks(dialect)
        _ = try await shared.engine(1).pull()
        let titles = Self.titles(150)
        try await shared.add(titles)
        let slow = SlowTransport(shared.tasks.fake, shared.clock, taking: .milliseconds(800))
        for change in [76, 90, 140] {
            slow.before(change) {
                let other = try shared.engine(2, timeout: .seconds(1))
                let code = await shared.error { _ = try await other.sync() }
                #expect(code == .busy, "at change \(change)")
            }
        }
        let report = try await shared.engine(
            1,
            over: slow,
            concurrency: concurrency,
            timeout: .seconds(1)
        ).push()
        #expect(report.localChanges.unpushed.isEmpty)
        expectCreated(titles, shared)
    }

    @Test(arguments: TaskService.Dialect.allCases, [1, 4])
    func `a process that was suspended longer than its lease sends nothing more`(
        dialect: TaskService.Dialect,
        concurrency: Int
    ) async throws {
        let shared = try SharedTasks(dialect)
        _ = try await shared.engine(1).pull()
        let titles = Self.titles(40)
        try await shared.add(titles)
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        // Where changes are sent together, there are few requests.
        slow.after(concurrency == 1 && [.rest, .rails, .jsonAPI].contains(dialect) ? 5 : 1) {
            shared.clock.advance(by: .seconds(91))
            for _ in 1...3 {
                try await shared.sync(2)
                shared.clock.advance(by: .seconds(31))
            }
        }
        let code = await shared.error {
            _ = try await shared.engine(1, over: slow, concurrency: concurrency).sync()
        }
        #expect(code == .leaseLost)
        for _ in 1...2 {
            _ = try await shared.engine(3).sync()
            shared.clock.advance(by: .seconds(31))
        }
        expectCreated(titles, shared)
        #expect(try shared.tasks.changes().isEmpty)
        #expect(try await shared.tasks.store.read { try $0.count("Task") } == 42)
    }

    @Test(arguments: ["UPDATE _tidemark_lease SET expires = 0", "DELETE FROM _tidemark_lease"])
    func `a lease that another program has ended is noticed before the next request`(
        sql: String
    ) async throws {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        let titles = Self.titles(40)
        try await shared.add(titles)
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        slow.after(5) {
            try await shared.tasks.store.writer.write { db in try db.execute(sql: sql) }
            _ = try await shared.engine(2, timeout: .seconds(1)).sync()
            shared.clock.advance(by: .seconds(2))
            _ = try await shared.engine(2, timeout: .seconds(1)).sync()
        }
        let code = await shared.error { _ = try await shared.engine(1, over: slow).push() }
        #expect(code == .leaseLost)
        // What the first process has not sent is known to it: it is sent next, and not looked for.
        #expect(try shared.count(.uncertain) == 0)
        _ = try await shared.engine(2).push()
        expectCreated(titles, shared)
        #expect(try shared.tasks.changes().isEmpty)
    }

    @Test func `requests of a run that may still be running are not settled before its deadline`()
        async throws
    {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        try await shared.add(["dig"])
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        slow.before(1) {
            try await shared.tasks.store.writer.write { db in
                try db.execute(sql: "DELETE FROM _tidemark_lease")
            }
            for seconds in [0, 2, 86] {
                shared.clock.advance(by: .seconds(seconds))
                _ = try await shared.engine(2, timeout: .seconds(1)).sync()
                #expect(try shared.count(.inFlight) == 1, "after \(seconds) s")
            }
        }
        let code = await shared.error { _ = try await shared.engine(1, over: slow).push() }
        #expect(code == .leaseLost)
        expectCreated(["dig"], shared)
        #expect(try shared.tasks.changes().isEmpty, "The response was received, and is recorded.")
    }

    @Test func `requests of a process that has ended are looked for at once`() async throws {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        try await shared.add(["dig"])
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        slow.after(1) {
            shared.ended.withLock { _ = $0.insert(1) }
            _ = try await shared.engine(2).sync()
            #expect(try shared.tasks.changes().isEmpty)
        }
        let code = await shared.error { _ = try await shared.engine(1, over: slow).push() }
        #expect(code == .leaseLost)
        expectCreated(["dig"], shared)
    }

    @Test func `requests of another host are looked for when its lease has expired`() async throws {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        try await shared.add(["dig"])
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        slow.after(1) {
            shared.ended.withLock { _ = $0.insert(1) }
            shared.clock.advance(by: .seconds(89))
            let early = try shared.engine(2)
            #expect(await shared.error { _ = try await early.sync() } == .busy)
            shared.clock.advance(by: .seconds(1))
            _ = try await shared.engine(2).sync()
            #expect(try shared.tasks.changes().isEmpty)
        }
        let engine = try shared.engine(1, on: "elsewhere", over: slow)
        #expect(await shared.error { _ = try await engine.push() } == .leaseLost)
        expectCreated(["dig"], shared)
    }

    @Test func `the object of a request in flight does not become a second row`() async throws {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        try await shared.add(["dig"])
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        slow.after(1) {
            try await shared.tasks.store.writer.write { db in
                try db.execute(sql: "DELETE FROM _tidemark_lease")
            }
            _ = try await shared.engine(2).sync()
        }
        let code = await shared.error { _ = try await shared.engine(1, over: slow).push() }
        #expect(code == .leaseLost)
        #expect(try shared.tasks.row(3) == "title: dig")
        #expect(try await shared.tasks.store.read { try $0.count("Task") } == 3)
        #expect(try shared.tasks.changes().isEmpty)
        expectCreated(["dig"], shared)
    }

    @Test func `a pause that the service requests extends the lease`() async throws {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        try await shared.add(Self.titles(3))
        let slow = SlowTransport(shared.tasks.fake, shared.clock)
        shared.tasks.fake.inject(.header("Backoff", "250"), times: 1)
        slow.before(2) {
            let expiry = try await expires(shared)
            #expect(expiry - shared.clock.now.timeIntervalSince1970 >= 30)
        }
        let report = try await shared.engine(1, over: slow).push()
        #expect(report.localChanges.unpushed.isEmpty)
        expectCreated(Self.titles(3), shared)
    }

    // MARK: The number of stored requests

    /// Returns how many requests are stored when each change is sent.
    private func stored(
        _ count: Int,
        taking duration: Duration,
        concurrency: Int
    ) async throws -> [Int] {
        let shared = try SharedTasks()
        _ = try await shared.engine(1).pull()
        try await shared.add(Self.titles(count))
        let slow = SlowTransport(shared.tasks.fake, shared.clock, taking: duration)
        let stored = Locked<[Int]>([])
        for change in 1...count {
            slow.before(change) {
                let sent = try shared.count(.inFlight)
                stored.withLock { $0.append(sent) }
            }
        }
        _ = try await shared.engine(1, over: slow, concurrency: concurrency).push()
        return stored.withLock { $0 }
    }

    @Test func `no more requests are stored than the service processes in a third of the lease`()
        async throws
    {
        let slow = try await stored(60, taking: .seconds(2), concurrency: 1)
        #expect(slow.max() == 10)
        #expect(slow.first == 4)
        let slowest = try await stored(12, taking: .seconds(29), concurrency: 1)
        #expect(slowest == [4, 4, 4, 4] + Array(repeating: 1, count: 8))
        let fast = try await stored(500, taking: .milliseconds(1), concurrency: 1)
        #expect(fast.first == 4)
        #expect(fast.max() == 200)
    }

    @Test func `four requests are stored at first for each that is sent at a time`() {
        var pace = SendingPace()
        #expect(pace.groupSize(concurrency: 1, workers: 1, batch: 1) == 4)
        #expect(pace.groupSize(concurrency: 4, workers: 2, batch: 1) == 8)
        #expect(pace.groupSize(concurrency: 4, workers: 2, batch: 25) == 200)
        pace.record(0, in: .seconds(1))
        #expect(pace.groupSize(concurrency: 1, workers: 1, batch: 1) == 4)
        pace.record(10, in: .seconds(8))
        #expect(pace.groupSize(concurrency: 4, workers: 2, batch: 1) == 25)
        pace.record(1, in: .seconds(3_000))
        #expect(pace.groupSize(concurrency: 4, workers: 2, batch: 1) == 1)
        pace.record(1, in: .zero)
        #expect(pace.groupSize(concurrency: 4, workers: 2, batch: 1) == 200)
        pace.record(1, in: .seconds(-5))
        #expect(pace.groupSize(concurrency: 4, workers: 2, batch: 1) == 200)
    }
}
