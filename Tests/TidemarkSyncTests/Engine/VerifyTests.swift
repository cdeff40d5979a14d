import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Verifications of a store against its service, and dry runs.
struct VerifyTests {
    @Test(arguments: Mirror.Dialect.standard)
    func `a store that was pulled matches its service`(_ dialect: Mirror.Dialect) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        let verification = try await mirror.engine().verify()
        #expect(verification.matches)
        #expect(verification.differences.count == 0)
    }

    @Test(arguments: Mirror.Dialect.standard)
    func `differing rows are reported, and no table of the store changes`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        try await mirror.store.writer.write { db in
            try db.execute(sql: "UPDATE Note SET text = 'mine' WHERE id = 'n2'")
            try db.execute(sql: "DELETE FROM Note WHERE id = 'n5'")
            try db.execute(sql: "INSERT INTO Note (id, text) VALUES ('n77', 'mine')")
        }
        let before = try mirror.everything()
        let verification = try await mirror.engine().verify()
        #expect(!verification.matches)
        #expect(
            Set(verification.lines) == [
                "Note#3 both text string(\"mine\") string(\"first\")",
                "Note#8 here", "Note#9 there",
            ]
        )
        #expect(try mirror.everything() == before)
    }

    @Test func `a store does not match a service that cannot be read to its end`() async throws {
        let mirror = try Mirror(.rest)
        try await mirror.pull()
        mirror.fake.inject(.status(404), times: 9)
        let verification = try await mirror.engine().verify()
        #expect(verification.differences.isEmpty)
        #expect(!verification.matches)
        #expect(verification.report.resources.values.first?.failure is RemoteError)
    }

    @Test func `a dry run reports what would change, and changes nothing`() async throws {
        let mirror = try Mirror(.kinto)
        let report = try await mirror.engine().dryRunEngine().pull()
        #expect(report.total.entities["Note"]?.inserted == 7)
        #expect(try mirror.local() == "")
        #expect(try SyncStatus.of(mirror.store).service == nil)
    }

    @Test func `a running pull does not block a verification or a dry run`() async throws {
        let mirror = try Mirror(.rest)
        try await mirror.pull()
        var allRunning = mirror.clock.environment
        allRunning.isRunning = { _ in true }
        let (environment, next) = (allRunning, mirror.clock.now)
        try await mirror.store.writer.write { db in
            _ = try Lease.acquire(db, environment)
            try NextRun(process: environment.process(), date: next).save(db)
        }
        #expect(try SyncStatus.of(mirror.store, environment: environment).next == next)
        let before = try mirror.everything()
        let engine = try mirror.engine(environment) { $0.http.bodyInMemory = 48 }
        let busy = await #expect(throws: SyncError.self) { try await engine.pull() }
        #expect(busy?.code == .busy)
        #expect(try await engine.verify().matches)
        let dryRun = try engine.dryRunEngine()
        let copy = await dryRun.importer.store
        #expect(try SyncStatus.of(copy, environment: environment).next == nil)
        #expect(try await dryRun.pull().isComplete)
        #expect(try mirror.everything() == before)
    }

    @Test func `a verification during a pull has its own requests and events`() async throws {
        let (shop, requests, release) = try Bookshop.paused(at: "books/?page=2")
        let engine = try shop.engine()
        let (events, followers, ownEvents) = (engine.events(), EventLog(), EventLog())
        let pull = Task { try await engine.pull() }
        for await _ in requests { break }
        let before = shop.events.lines
        let verification = try await engine.verify(onEvent: ownEvents.record)
        #expect(shop.events.lines == before)
        #expect(verification.differences.count == 4)
        #expect(verification.report.requests == 5)
        #expect(ownEvents.lines.first == "started authors/, books/")
        #expect(ownEvents.lines.last == "finished")
        release.yield()
        let report = try await pull.value
        #expect(report.requests == 5)
        #expect(report.bytes == verification.report.bytes)
        await followers.follow(events)
        #expect(followers.lines == shop.events.lines)
        #expect(followers.lines.count == 9)
    }

    @Test func `a dry run has its own events, and none of its engine`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        let (followers, ownEvents) = (EventLog(), EventLog())
        let dryRun = try engine.dryRunEngine(onEvent: ownEvents.record)
        let events = dryRun.events()
        _ = try await engine.pull()
        #expect(ownEvents.lines.isEmpty)
        _ = try await dryRun.pull()
        await followers.follow(events)
        #expect(ownEvents.lines.count == 9)
        #expect(followers.lines == ownEvents.lines)
        #expect(shop.events.lines == ownEvents.lines)
    }
}
