import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Concurrent pulls and requests of an engine.
struct SyncEngineTests {
    @Test func `two concurrent pulls are one`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        async let first = engine.pull()
        async let second = engine.pull()
        let reports = try await [first, second]
        #expect(
            shop.fake.requests.map(\.request.path) == [
                "/api/authors/", "/api/authors/?page=2", "/api/books/", "/api/books/?page=2",
                "/api/books/?page=3",
            ]
        )
        #expect(reports.map(\.requests) == [5, 5])
        #expect(reports.map { $0.total.entities["Book"]?.inserted ?? 0 } == [7, 7])
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `an importer of another store is rejected`() throws {
        let (mirror, other) = (try Mirror(.rest), try Mirror(.rest))
        let error = #expect(throws: SyncError.self) {
            try mirror.engine(by: Importer(other.store))
        }
        #expect(error?.code == .storeMismatch)
        #expect(
            error?.description == """
                The importer belongs to another store than the engine. Create it with the store that the \
                engine syncs into.
                """
        )
        #expect(mirror.fake.requests.isEmpty)
    }

    @Test func `a pull of other resources waits for the running one`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine()
        async let first = engine.pull(with: PullOptions(only: ["Author"]))
        async let second = engine.pull(with: PullOptions(only: ["Book"]))
        let reports = try await [first, second]
        #expect(reports.map(\.requests) == [2, 3])
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test(arguments: 1...6)
    func `no more requests run concurrently than the limit permits`(_ concurrency: Int) async throws
    {
        let shop = try Bookshop()
        let meter = ConcurrencyMeter(shop.fake)
        var service = Service.rest(url: shop.fake.url)
        service.style.deletes = .none
        let shelves = (1...6).map { service.resource("Author", path: "authors/?shelf=\($0)") }
        let engine = try shop.engine(shelves, concurrency: concurrency, over: meter)
        #expect(try await engine.pull().isComplete)
        #expect((1...concurrency).contains(meter.maximum))
        #expect(shop.fake.requests.count == 12)
    }
}
