import Foundation
import GRDB
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// The state and the report of pulls that failed or were killed.
struct InterruptedPullTests {
    /// SDSyncEngine marked all classes as complete after the first pull, even if it had failed.
    @Test func `a list is complete only after it was read to its end`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(403), at: "books/")
        _ = try await shop.engine([shop.resources[1]]).report()
        let never = try SyncStatus.of(shop.store).resources
        #expect(never.map(\.path) == ["books/"])
        #expect(never.map { $0.firstFullSync != nil } == [false])

        _ = try await shop.engine().pull()
        let half = try SyncStatus.of(shop.store).resources
        #expect(half.map(\.path) == ["authors/", "books/"])
        #expect(half.map { $0.firstFullSync != nil } == [true, false])
        #expect(try shop.counts() == ["Author": 4, "Book": 0])

        shop.fake.removeFaults()
        _ = try await shop.engine().pull()
        let whole = try SyncStatus.of(shop.store).resources
        #expect(whole.map { $0.firstFullSync != nil } == [true, true])
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    /// SDSyncEngine printed its errors and reported that it had finished.
    @Test(arguments: [
        (FakeFault.status(500), RemoteError.Code.serverError, 4),
        (.status(403), .unauthorized, 0), (.html, .notJSON, 0),
        (.connectionClosed, .connectionFailed, 4),
        (.noResponse, .timedOut, 4),
    ])
    func `a failed pull reports its failure, after retrying transient errors`(
        _ fault: FakeFault,
        _ code: RemoteError.Code,
        _ waits: Int
    ) async throws {
        let mirror = try Mirror(.rest)
        mirror.fake.inject(fault)
        let report = try await mirror.engine().report()
        #expect(!report.isComplete)
        let failure = report.resources["notes/"]?.failure as? RemoteError
        #expect(failure?.code == code)
        #expect(mirror.clock.sleeps.count == waits)
        let status = try SyncStatus.of(mirror.store).resources
        #expect(status.map(\.ending) == [.failed])
        #expect(status.first?.failure == failure?.description)
    }

    /// A copy of SDSyncEngine reported its end before its work was done, so that two ran
    /// concurrently.
    @Test func `two concurrent calls are one pull`() async throws {
        let mirror = try Mirror(.rest)
        let engine = try mirror.engine()
        async let one = engine.pull()
        async let other = engine.pull()
        let reports = try await [one, other]
        #expect(reports.map(\.isComplete) == [true, true])
        #expect(
            mirror.fake.requests.description == """
                GET /api/notes/ 200
                GET /api/notes/?page=2 200
                GET /api/notes/?page=3 200
                """
        )
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `the next pull discards a checkpoint that no longer exists at the service`()
        async throws
    {
        let mirror = try Mirror(.rest, notes: 7, page: 4)
        let transport = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        transport.rejectPositions(3, status: 404)
        var rejecting = mirror
        rejecting.transport = transport
        let failed = try await rejecting.engine().pull()
        #expect(failed.resources["notes/"]?.failure != nil)
        // The list is now shorter than the checkpoint.
        mirror.fake.reset()
        for note in 0..<3 { mirror.write("n\(note)", "second") }
        try await mirror.pull()
        #expect(mirror.remote == "n0 second\nn1 second\nn2 second")
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `a list that was read to its end is not resumed after its count failed`()
        async throws
    {
        let mirror = try Mirror(.parse, notes: 5, page: 2)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        for note in 0..<5 { mirror.write("n\(note)", "second") }
        let transport = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        transport.before(5) { mirror.fake.inject(.status(400), times: 1) }
        #expect(try await mirror.engine(over: transport).report().isComplete == false)
        #expect(mirror.fake.requests.last?.request.path?.contains("count=1") == true)
        #expect(try await mirror.pull().ending == .complete)
        #expect(try mirror.local() == mirror.remote)
    }

    /// A migration and an erasure delete the import sessions of lists.
    @Test(arguments: Mirror.Dialect.followed)
    func `a checkpoint without its import session is discarded`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 7, page: 2)
        let transport = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        transport.before(3) { mirror.fake.inject(.status(403), times: 1) }
        #expect(try await mirror.engine(over: transport).report().isComplete == false)
        try await mirror.store.writer.write { db in
            try db.execute(sql: "DELETE FROM _tidemark_walk")
        }
        mirror.write("n0", nil)
        while try await mirror.pull().ending == .inconsistent {}
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine left its files when it was killed, and the next run used them as its own.
    @Test(arguments: 0..<9)
    func `files and state of a killed process do not affect the next one`(
        _ commits: Int
    ) async throws {
        let mirror = try Mirror(.rest, notes: 4, page: 2)
        let processes = PullProcesses(mirror)
        await #expect(throws: CrashingCommits.Crash.self) {
            try await processes.pull(until: commits)
        }
        let known = try SyncStatus.of(mirror.store).resources
        let isWhole = try mirror.local() == mirror.remote
        #expect(isWhole || known.allSatisfy { $0.firstFullSync == nil })

        mirror.write("n0", nil)
        mirror.write("n1", "second")
        #expect(try await processes.pull().isComplete)
        #expect(try await processes.pull().isComplete)
        #expect(try mirror.local() == mirror.remote)
    }

    /// Only the count shows that a collection was reset, and it is requested after the changes.
    @Test(arguments: 0..<14)
    func `a pull that is killed before its count is verified misses no deletions`(
        _ commits: Int
    ) async throws {
        let mirror = try Mirror(.kinto, notes: 8, page: 3)
        let processes = PullProcesses(mirror)
        _ = try await processes.pull()
        mirror.fake.reset()
        for key in ["n2", "n5", "n9"] { mirror.write(key, "again") }
        do {
            _ = try await processes.pull(until: commits)
        } catch is CrashingCommits.Crash {}
        _ = try await processes.pull()
        _ = try await processes.pull()
        #expect(mirror.remote == "n2 again\nn5 again\nn9 again")
        #expect(try mirror.local() == mirror.remote)
    }

    @Test(arguments: [Mirror.Dialect.kinto, .rest], 0..<14)
    func `deletions of a pull that is killed before its end are completed by the next one`(
        _ dialect: Mirror.Dialect,
        _ commits: Int
    ) async throws {
        let mirror = try Mirror(dialect, notes: 8, page: 3)
        let processes = PullProcesses(mirror)
        _ = try await processes.pull()
        for note in 0..<4 { mirror.write("n\(note)", nil) }
        mirror.write("n6", "second")
        do {
            _ = try await processes.pull(until: commits)
        } catch is CrashingCommits.Crash {}
        let kept = try mirror.local()
        #expect(["n4", "n5", "n6", "n7"].allSatisfy(kept.contains))
        // The object is created again before the next pull: its tombstone is outdated.
        mirror.write("n0", "third")
        _ = try await processes.pull()
        _ = try await processes.pull()
        #expect(try mirror.local() == mirror.remote)
        #expect(try await mirror.engine().verify().matches)
    }

    /// The checkpoint of an earlier read is not valid for a later one.
    @Test(arguments: 0..<20)
    func `a restarted list that is killed early deletes no rows of listed objects`(
        _ commits: Int
    ) async throws {
        let mirror = try Mirror(.rest, notes: 6, page: 2)
        let processes = PullProcesses(mirror)
        _ = try await processes.pull()
        mirror.fake.inject(.status(403), at: "notes/?page=3")
        _ = try await processes.pull(isFull: true)
        mirror.fake.removeFaults()
        mirror.write("n0", nil)
        do {
            _ = try await processes.pull(until: commits)
        } catch is CrashingCommits.Crash {}
        let interrupted = try mirror.local()
        #expect(interrupted.contains(mirror.remote))
        _ = try await processes.pull()
        let local = try mirror.local()
        #expect(local.contains(mirror.remote))
        _ = try await processes.pull()
        #expect(try mirror.local() == mirror.remote)
    }
}
