import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// The results of a pull for its caller: events, report and failure.
@Suite(.timeLimit(.minutes(40)))
struct SyncPullTests {
    /// Returns the failure that a pull throws.
    private func failure(
        of pull: () async throws -> SyncReport
    ) async throws -> SyncFailure {
        try #require(await #expect(throws: SyncFailure.self) { try await pull() })
    }

    // MARK: Failures

    @Test(arguments: [FakeFault.connectionClosed, .status(500), .status(403), .html])
    func `a pull in which nothing could be pulled throws`(_ fault: FakeFault) async throws {
        let shop = try Bookshop()
        shop.fake.inject(fault)
        let engine = try shop.engine(attempts: 1)
        let failure = try await failure { try await engine.pull() }
        #expect(failure.errors.keys.sorted() == ["authors/", "books/"])
        #expect(failure.report.requests == 2)
        #expect(shop.events.lines.last == "finished in part")
        #expect(
            failure.description.hasPrefix("2 of 2 resources could not be pulled.\nauthors/: ")
        )
        #expect(failure.localizedDescription == failure.description)
        let started = engine.startPull()
        await #expect(throws: SyncFailure.self) { try await started.value }
        shop.fake.removeFaults()
        #expect(try await engine.pull().isComplete)
    }

    @Test func `a pull that succeeds in part returns a report, which throws the failures`()
        async throws
    {
        let shop = try Bookshop()
        let engine = try shop.engine(attempts: 1)
        #expect(try await engine.pull().get().isComplete)
        shop.fake.inject(.status(500), at: "books/")
        let report = try await engine.pull()
        let failure = #expect(throws: SyncFailure.self) { try report.get() }
        #expect(failure?.errors.keys.sorted() == ["books/"])
        #expect((failure?.errors["books/"] as? RemoteError)?.status == 500)
    }

    @Test func `a list of which one page was read is a partial success`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(500), at: "books/?page=2")
        let engine = try shop.engine([shop.resources[1]], attempts: 1)
        #expect(try await engine.pull().resources["books/"]?.items == 3)
    }

    @Test func `a pull with nothing to pull throws`() async throws {
        let shop = try Bookshop()
        for engine in [try shop.engine([]), try shop.engine()] {
            let error = await #expect(throws: SyncError.self) {
                try await engine.pull(with: PullOptions(only: ["Cat"]))
            }
            #expect(error?.code == .nothingToPull)
        }
        #expect(shop.fake.requests.isEmpty)
    }

    @Test func `a schedule continues after a pull in which nothing could be pulled`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(500), times: 2)
        let engine = try shop.engine(attempts: 1)
        let events = engine.events()
        let schedule = Task { try await engine.run(.every(.seconds(60))) }
        for await case .finished(let report) in events where report.isComplete { break }
        schedule.cancel()
        await #expect(throws: CancellationError.self) { try await schedule.value }
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    // MARK: Events

    @Test func `the events of a pull end with it`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        for _ in 0..<2 {
            let pull = engine.startPull()
            let log = EventLog()
            for await event in pull.events { log.record(event) }
            #expect(log.lines.first == "started authors/, books/")
            #expect(log.lines.last == "finished")
            #expect(try await pull.value.isComplete)
        }
    }

    @Test func `the events of a pull that is cancelled end too`() async throws {
        let (shop, requests, release) = try Bookshop.paused(at: "books/?page=2")
        let pull = try shop.engine().startPull()
        for await _ in requests { break }
        pull.cancel()
        release.yield()
        let log = EventLog()
        for await event in pull.events { log.record(event) }
        #expect(log.lines.last?.hasPrefix("stopped, CancellationError") == true)
        await #expect(throws: CancellationError.self) { try await pull.value }
        #expect(try shop.counts() == ["Author": 4, "Book": 3])
    }

    @Test func `cancelling the task that awaits a pull cancels the pull`() async throws {
        let (shop, requests, release) = try Bookshop.paused(at: "books/?page=2")
        let pull = try shop.engine().startPull()
        let waiting = Task { try await pull.value }
        for await _ in requests { break }
        waiting.cancel()
        release.yield()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        for await event in pull.events {
            if case .finished = event { Issue.record("The pull was not cancelled.") }
        }
    }

    @Test func `the events of a pull that joins or follows another one end with it`() async throws {
        let (shop, requests, release) = try Bookshop.paused(at: "books/?page=2")
        let engine = try shop.engine()
        let first = engine.startPull()
        for await _ in requests { break }
        // Whether it joins the first or follows it depends on the scheduling of tasks.
        let second = engine.startPull()
        release.yield()
        let log = EventLog()
        for await event in second.events { log.record(event) }
        #expect(log.lines.last == "finished")
        #expect(try await first.value.isComplete)
        #expect(try await second.value.isComplete)
    }

    // MARK: Options

    @Test func `a pull uses the options of the import`() async throws {
        let shop = try Bookshop()
        shop.fake["authors/1"]?["name"] = ["first": "A"]
        var options = PullOptions()
        options.importing.showsValues = true
        let report = try await shop.engine().pull(with: options)
        let value = report.total.diagnostics.compactMap(\.value)
        #expect(value.count == 1 && value[0].contains("first"))
        #expect(
            try await shop.engine().pull(with: options).resources["books/"]?.ending == .unchanged
        )
    }

    @Test func `other import options read cached pages again`() async throws {
        let shop = try Bookshop()
        var options = PullOptions()
        options.only = ["Book"]
        options.importing.unresolved = .ignore
        let first = try await shop.engine().pull(with: options)
        #expect(first.unresolvedReferenceCount == 0)
        options.importing.unresolved = .deferred
        let second = try await shop.engine().pull(with: options)
        #expect(second.resources["books/"]?.pages == 3)
        #expect(second.unresolvedReferenceCount == 7)
    }

    @Test(
        arguments: [(.skip, "Author 1"), (.null, nil), (.abort, "Author 1")]
            as [(InvalidValuePolicy, String?)]
    )
    func `a pull treats invalid values by the policy of the import options`(
        _ policy: InvalidValuePolicy,
        _ name: String?
    ) async throws {
        let shop = try Bookshop()
        let engine = try shop.engine([shop.resources[0]])
        _ = try await engine.pull()
        shop.fake["authors/1"]?["name"] = ["first": "A"]
        var options = PullOptions()
        options.importing.invalid = policy
        let report = try await engine.report(options)
        #expect(report.failures.isEmpty == (policy != .abort))
        let stored = try await shop.store.writer.read { db in
            try String?.fetchOne(db, sql: "SELECT name FROM Author WHERE id = 1")
        }
        #expect(stored == name)
    }

    @Test func `operations that are not permitted are not performed`() async throws {
        let shop = try Bookshop()
        _ = try await shop.engine().pull()
        shop.fake["books/7"] = nil
        var options = PullOptions()
        options.importing.operations = .upsert
        _ = try await shop.engine().pull(with: options)
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
        _ = try await shop.engine().pull()
        #expect(try shop.counts() == ["Author": 4, "Book": 6])
    }

    // MARK: Descriptions

    @Test func `the description of a report contains its counts and failures`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(403), at: "books/")
        let report = try await shop.engine().pull()
        #expect(
            report.description.split(separator: "\n").prefix(2) == [
                """
                authors/: complete; 4 objects on 2 pages, 0 unmodified pages; \
                Author: 4 inserted
                """,
                """
                books/: failed, \(report.failures[0]); 0 objects on 0 pages, \
                0 unmodified pages; no rows
                """,
            ]
        )
        #expect(report.description.contains("\n3 requests, \(report.bytes) bytes, "))
    }

    @Test func `the description of a verification contains its differences`() async throws {
        let shop = try Bookshop()
        _ = try await shop.engine().pull()
        shop.fake["books/7"] = nil
        let text = try await shop.engine().verify().description
        #expect(text.contains("Book: 1 only here, 0 only there, 0 differing"))
        #expect(text.contains("Book#7 only here\n"))
    }

    @Test func `the localized description of an error is its description`() throws {
        let errors: [any Error] = [
            SyncError(.busy, "A.", hint: "B."), ImportError(.unknownSession, "A.", hint: "B."),
            StoreError(.notFound, "A.", hint: "B."), ModelError(.invalid, "A.", hint: "B."),
        ]
        #expect(errors.map(\.localizedDescription) == Array(repeating: "A. B.", count: 4))
    }
}
