import Testing
import TidemarkImport
import TidemarkModel
import TidemarkSync
import TidemarkTesting

/// The events of pulls, their streams, and progress.
struct EventTests {
    @Test func `every subscriber receives all events in order`() async throws {
        let shop = try Bookshop()
        let log = (EventLog(), EventLog())
        do {
            let engine = try shop.engine()
            let streams = (engine.events(), engine.events())
            _ = try await engine.pull()
            // The streams end with the engine, and buffer earlier events.
            async let first: Void = log.0.follow(streams.0)
            async let second: Void = log.1.follow(streams.1)
            _ = await (first, second)
        }
        #expect(shop.events.lines.count == 9)
        #expect(log.0.lines == shop.events.lines)
        #expect(log.1.lines == shop.events.lines)
    }

    @Test func `the stream of events ends with its engine`() async throws {
        let shop = try Bookshop()
        var events: AsyncStream<SyncEvent>?
        do {
            let engine = try shop.engine()
            events = engine.events()
            _ = try await engine.pull()
        }
        let log = EventLog()
        for await event in try #require(events) { log.record(event) }
        #expect(log.lines == shop.events.lines)
    }

    @Test func `a slow subscriber loses the oldest events`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine { $0.events = 2 }
        let events = engine.events()
        _ = try await engine.pull()
        let log = EventLog()
        await log.follow(events)
        #expect(log.lines == ["books/: 7 inserted, 0 deleted", "finished"])
    }

    @Test func `a failed resource and a stopped pull are reported`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(404), times: 9, at: "authors/")
        _ = try await shop.engine().pull()
        #expect(shop.events.lines.contains { $0.hasPrefix("authors/: failed, GET") })
        #expect(shop.events.lines.last == "finished in part")
        let task = Task { try await shop.engine().pull() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(shop.events.lines.last?.hasPrefix("stopped, CancellationError") == true)
    }

    @Test func `progress weights resources equally, and counts unknown totals at the end`() {
        var progress = SyncProgress()
        #expect(progress.fraction == 0)
        let steps: [(SyncEvent, Double)] = [
            (.started(resources: ["a", "b"]), 0),
            (.page(resource: "a", done: 3, expected: 12), 0.125),
            (.page(resource: "b", done: 9, expected: nil), 0.125),
            (.page(resource: "a", done: 30, expected: nil), 0.5),
            (.pulled(resource: "b", counts: ImportReport.Counts()), 1),
            (.started(resources: ["c"]), 0),
        ]
        for (event, fraction) in steps {
            progress.update(with: event)
            #expect(progress.fraction == fraction)
        }
        #expect(progress.resources == ["c": SyncProgress.Part()])
    }
}
