import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Failures of a service, which delete no rows, stop no other resource and leave no partial page.
struct PullFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fault: FakeFault
        var code: RemoteError.Code
        var requests: Int
        var testDescription: String { "\(fault)" }
    }

    private static let cases = [
        Case(fault: .status(401), code: .unauthorized, requests: 1),
        Case(fault: .status(403), code: .unauthorized, requests: 1),
        // The list may have become shorter, so it is read from the start twice more.
        Case(fault: .status(404), code: .notFound, requests: 5),
        Case(fault: .status(410), code: .notFound, requests: 5),
        Case(fault: .status(418), code: .clientError, requests: 1),
        Case(fault: .status(429), code: .rateLimited, requests: 3),
        Case(fault: .status(500), code: .serverError, requests: 3),
        Case(fault: .status(503), code: .serverError, requests: 3),
        Case(fault: .html, code: .notJSON, requests: 1),
        Case(fault: .body("[1, 2", type: "application/json"), code: .notJSON, requests: 1),
        Case(fault: .truncatedBody(after: 40), code: .truncated, requests: 3),
        Case(fault: .connectionClosed, code: .connectionFailed, requests: 3),
        Case(fault: .noResponse, code: .timedOut, requests: 3),
        Case(fault: .cyclicNextLink, code: .paginationLoop, requests: 1),
        Case(fault: .redirect(to: "https://x.example/"), code: .redirectRejected, requests: 1),
    ]

    @Test(arguments: cases)
    func `a resource that fails deletes nothing and does not stop the others`(
        _ given: Case
    ) async throws {
        let shop = try Bookshop()
        let engine = try shop.engine(attempts: 3)
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake["books/7"] = nil
        shop.fake["authors/3"]?["name"] = "Changed"
        shop.fake.clearRequests()
        shop.fake.inject(given.fault, at: "books/?page=2")

        let report = try await engine.pull()
        let failure = try #require(report.resources["books/"]?.failure as? RemoteError)
        #expect(failure.code == given.code)
        #expect(failure.message.contains("https://fake.example/api/books/?page=2"))
        // If a position no longer exists, the list is read from the start without cached pages.
        let isPositionLost = failure.code == .notFound || failure.status == 400
        #expect(report.resources["books/"]?.pages == (isPositionLost ? 3 : 1))
        #expect(report.resources["authors/"]?.failure == nil)
        #expect(!report.isComplete)
        #expect(report.requests == shop.fake.requests.count)
        #expect(report.requests == 2 + 1 + given.requests)
        #expect(try shop.state() == state.replacing("Author 3  ", with: "Changed   "))
    }

    // An empty page that leads to itself is an empty list.
    @Test(arguments: cases.filter { $0.fault != .cyclicNextLink })
    func `a service that fails from the start leaves the store unchanged`(
        _ given: Case
    ) async throws {
        let shop = try Bookshop()
        let engine = try shop.engine(attempts: 3)
        _ = try await engine.pull()
        let state = try shop.state()
        shop.fake.change { data in
            for index in data.collections.indices { data.collections[index].objects = [] }
        }
        shop.fake.inject(given.fault)
        let report = try await engine.report()
        #expect(report.resources.values.allSatisfy { $0.failure != nil && $0.pages == 0 })
        #expect(try shop.state() == state)
    }

    @Test func `a truncated page is not applied, and earlier pages are kept`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.truncatedBody(after: 60), at: "books/?page=3")
        let report = try await shop.engine().pull()
        #expect(report.resources["books/"]?.pages == 2)
        #expect(report.resources["books/"]?.items == 6)
        #expect(try shop.counts() == ["Author": 4, "Book": 6])
        shop.fake.removeFaults()
        _ = try await shop.engine().pull()
        #expect(try shop.counts() == ["Author": 4, "Book": 7])
    }

    @Test func `a page that is truncated once is requested again and applied once`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.truncatedBody(after: 60), times: 1, at: "books/?page=2")
        let report = try await shop.engine().pull()
        #expect(report.isComplete)
        #expect(report.requests == 6)
        #expect(report.resources["books/"]?.items == 7)
        #expect(shop.clock.sleeps.count == 1)
        let other = try Bookshop()
        _ = try await other.engine().pull()
        #expect(try shop.state() == other.state())
    }

    @Test func `every retry is reported with its reason`() async throws {
        let shop = try Bookshop()
        shop.fake.inject(.status(503, retryAfter: .seconds(7)), times: 1, at: "books/?page=2")
        shop.fake.inject(.connectionClosed, times: 1, at: "books/?page=2")
        let report = try await shop.engine().pull()
        #expect(report.isComplete)
        #expect(shop.clock.sleeps.first == .seconds(7))
        let address = "GET https://fake.example/api/books/?page=2"
        #expect(
            shop.events.lines.filter { $0.hasPrefix("again") } == [
                "again, for \(address) returned 503.",
                "again, for \(address): the connection broke.",
            ]
        )
    }

    @Test func `a failed pull does not affect the result of the next one`() async throws {
        let shop = try Bookshop()
        let engine = try shop.engine(attempts: 1)
        shop.fake.inject(.status(500), times: 1, at: "books/?page=3")
        #expect(try await !engine.pull().isComplete)
        shop.fake["books/1"] = nil
        #expect(try await engine.pull().isComplete)
        let other = try Bookshop(shop.fake)
        _ = try await other.engine().pull()
        #expect(try StarWarsStore.state(of: shop.store) == StarWarsStore.state(of: other.store))
        #expect(try shop.counts() == ["Author": 4, "Book": 6])
    }

    @Test func `an entity without a primary key fails only its resource`() async throws {
        let fake = FakeService(collections: ["notes": [["text": "n"]], "pens": [["id": 1]]])
        let model = Model(entities: [
            EntityDescription("Note", attributes: [Attribute("text", .string)]),
            EntityDescription("Pen", attributes: [Attribute("id", .integer64)]),
        ])
        let store = try Store.validated(model: model)
        let service = Service.rest(url: fake.url)
        let engine = try SyncEngine(
            store: store,
            service: service,
            resources: [
                service.resource("Note", path: "notes/"), service.resource("Pen", path: "pens/"),
            ],
            transport: fake,
            environment: .manual()
        )
        let report = try await engine.pull()
        let failure = report.resources["notes/"]?.failure as? ImportError
        #expect(failure?.code == .needsParent)
        #expect(report.total.entities["Pen"]?.inserted == 1)
    }
}
