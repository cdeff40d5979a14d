import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Scheduled pulls, and pulls on request.
struct SyncScheduleTests {
    /// Runs a schedule until `pulls` pulls have ended, and returns the error that it threw.
    private static func run(
        _ engine: SyncEngine,
        _ schedule: SyncSchedule,
        pulls: Int,
        _ between: () async throws -> Void = {}
    ) async throws -> any Error {
        var events = engine.events().makeAsyncIterator()
        let task = Task { try await engine.run(schedule) }
        for _ in 0..<pulls {
            try await between()
            while let event = await events.next(), !event.isEnd {}
        }
        task.cancel()
        let failure = await #expect(throws: (any Error).self) { try await task.value }
        return try #require(failure)
    }

    @Test func `a schedule without an interval pulls once per request`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        let error = try await Self.run(engine, .manual, pulls: 3) { await engine.requestSync() }
        #expect(error is CancellationError)
        #expect(shop.events.lines.filter { $0 == "finished" }.count == 3)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `a schedule with an interval pulls at once, and one interval after each pull`()
        async throws
    {
        let shop = try Bookshop()
        let engine = try shop.engine()
        let error = try await Self.run(engine, .every(.seconds(300)), pulls: 3)
        #expect(error is CancellationError)
        #expect(shop.clock.sleeps.starts(with: [.seconds(300), .seconds(300)]))
    }

    @Test func `a schedule pushes local changes, and again when they are due`() async throws {
        let tasks = try TaskService(.rest)
        let fault = FakeFault.status(503, retryAfter: .seconds(40))
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, fault))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        let error = try await Self.run(engine, .every(.seconds(300)), pulls: 3)
        #expect(error is CancellationError)
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
        // The pull waits, too, for as long as the service requests. Then the change is due.
        #expect(tasks.clock.sleeps.prefix(2) == [.seconds(40), .seconds(300)])
    }

    @Test func `a schedule without an interval pushes what a former process has left`()
        async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.add("offline")
        tasks.fake.clearRequests()
        let error = try await Self.run(engine, .manual, pulls: 1)
        #expect(error is CancellationError)
        #expect(tasks.fake.requests.map(\.request.method) == [.post])
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a pull that failed is repeated after the interval`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(404), times: 2)
        let engine = try shop.engine()
        _ = try await Self.run(engine, .every(.seconds(300)), pulls: 2)
        #expect(shop.events.lines.contains("finished in part"))
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test(arguments: [(requests: 3, sleeps: 4), (requests: 100, sleeps: 10)])
    func `requests in quick succession are debounced, but not postponed indefinitely`(
        _ requests: Int,
        _ sleeps: Int
    ) async throws {
        let shop = try Bookshop()
        let engines = Mutex<SyncEngine?>(nil)
        let left = Mutex(requests)
        var environment = shop.clock.environment
        let advance = environment.sleep
        environment.sleep = { duration in
            try await advance(duration)
            let isRequested = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isRequested { await engines.withLock { $0 }?.requestSync() }
        }
        let engine = try shop.engine(environment: environment)
        engines.withLock { $0 = engine }
        var events = engine.events().makeAsyncIterator()
        await engine.requestSync()
        let task = Task { try await engine.run(.debounced(by: .seconds(2))) }
        while let event = await events.next(), !event.isEnd {}
        let slept = shop.clock.sleeps
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(Array(slept.prefix(sleeps)) == Array(repeating: .seconds(2), count: sleeps))
    }

    @Test func `the status contains the next pull while its process is running`() async throws {
        let shop = try Bookshop()
        let store = shop.store
        let clock = shop.clock
        let next = Mutex<[String]>([])
        var environment = clock.environment
        let (now, advance) = (environment.now, environment.sleep)
        environment.sleep = { [environment] duration in
            let status = try SyncStatus.of(store, environment: environment)
            let wait = status.next.map { $0.timeIntervalSince(now()) }
            next.withLock { $0.append("\(wait ?? 0)") }
            var later = environment
            later.isRunning = { _ in false }
            #expect(try SyncStatus.of(store, environment: later).next == nil)
            try await advance(duration)
        }
        let engine = try shop.engine(environment: environment)
        _ = try await Self.run(engine, .every(.seconds(60)), pulls: 2)
        #expect(next.withLock { $0.first } == "60.0")
        #expect(try SyncStatus.of(store, environment: clock.environment).next == nil)
    }

    @Test func `a schedule continues after another connection held the write lock too long`()
        async throws
    {
        let folder = try Folder()
        let path = folder.filePath("shop.db")
        var shortBusyTimeout = Configuration()
        shortBusyTimeout.busyMode = .immediateError
        let queue = try DatabaseQueue(path: path, configuration: shortBusyTimeout)
        let shop = try Bookshop(
            store: try Store.validated(in: queue, model: Bookshop.model)
        )
        shortBusyTimeout.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: shortBusyTimeout)
        try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
        let engine = try shop.engine()
        let pulls = Mutex(0)
        let error = try await Self.run(engine, .manual, pulls: 3) {
            let number = pulls.withLock { pulls in
                pulls += 1
                return pulls
            }
            // Reading the status does not wait for the writer.
            if number == 2 { #expect(try SyncStatus.of(shop.store).service == nil) }
            if number == 3 { try await other.writeWithoutTransaction { try $0.rollback() } }
            await engine.requestSync()
        }
        #expect(error is CancellationError)
        #expect(shop.events.lines.filter { $0.hasPrefix("stopped") }.count == 2)
        #expect(shop.events.lines.last == "finished")
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `a store of another service ends the schedule`() async throws {
        let shop = try Bookshop()
        _ = try await shop.engine().pull()
        var service = Service.rest(url: shop.fake.url)
        service.name = "another"
        let engine = try SyncEngine(
            store: shop.store,
            service: service,
            resources: shop.resources,
            transport: shop.fake,
            environment: shop.clock.environment
        )
        let error = await #expect(throws: SyncError.self) {
            try await engine.run(.every(.seconds(60)))
        }
        #expect(error?.code == .serviceMismatch)
        #expect(shop.clock.sleeps.isEmpty)
    }
}

extension SyncEvent {
    /// Whether the event ends a pull.
    var isEnd: Bool {
        switch self {
        case .finished, .stopped: true
        case .started, .page, .retrying, .deletionPending, .pulled, .failed: false
        case .pushing, .pushed, .adopted, .rejected, .uncertain, .notShown, .conflict: false
        case .editsUnrecorded, .storeCopied, .versionsFail, .orderNotSent: false
        case .serviceDeletionPending: false
        }
    }
}
