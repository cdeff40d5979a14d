import GRDB
import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A small service of authors and their books, with three objects per page, and a store.
struct Bookshop {
    let fake: FakeService
    let store: Store
    let clock = ManualClock()
    let events = EventLog()

    init(_ fake: FakeService? = nil, store: Store? = nil) throws {
        self.fake = fake ?? Self.service()
        self.store = try store ?? Store.validated(model: Self.model)
    }

    static let model = Model(entities: [
        EntityDescription(
            "Author",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [
                Relationship("books", to: "Book", isToMany: true, inverse: "author")
            ]
        ),
        EntityDescription(
            "Book",
            attributes: [Attribute("id", .integer64), Attribute("title", .string)],
            relationships: [Relationship("author", to: "Author", inverse: "books")]
        ),
    ])

    /// Returns a service with four authors on two pages and seven books on three.
    static func service(environment: SystemEnvironment = .manual()) -> FakeService {
        FakeService(
            collections: [
                "authors": (1...4).map {
                    ["id": .number("\($0)"), "name": .string("Author \($0)")]
                },
                "books": (1...7).map {
                    [
                        "id": .number("\($0)"), "title": .string("Book \($0)"),
                        "author_id": .number("\($0 % 4 + 1)"),
                    ]
                },
            ],
            dialect: .rest(pageSize: 3),
            environment: environment
        )
    }

    /// Returns a shop whose service delays its first response at a path.
    ///
    /// `requests` yields when the request has arrived. The response is sent after `release` yields.
    static func paused(
        at path: String
    ) throws -> (
        shop: Bookshop, requests: AsyncStream<Void>, release: AsyncStream<Void>.Continuation
    ) {
        let (requests, requestContinuation) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        var environment = SystemEnvironment.manual()
        environment.sleep = { _ in
            requestContinuation.yield()
            for await _ in released { break }
        }
        let shop = try Bookshop(service(environment: environment))
        shop.fake.inject(.latency(.seconds(60)), times: 1, at: path)
        return (shop, requests, release)
    }

    /// The lists of the service.
    var resources: [RemoteResource] {
        let service = Service.rest(url: fake.url)
        return [
            service.resource("Author", path: "authors/"), service.resource("Book", path: "books/"),
        ]
    }

    /// Returns an engine for the service in process, which pulls one resource after the other by
    /// default.
    func engine(
        _ resources: [RemoteResource]? = nil,
        concurrency: Int = 1,
        attempts: Int = Limits().http.attempts,
        rowsInTransaction: Int = Limits().rowsInTransaction,
        over transport: (any Transport)? = nil,
        environment: SystemEnvironment? = nil,
        _ change: (inout Limits) -> Void = { _ in }
    ) throws -> SyncEngine {
        var limits = Limits.longTimeout
        limits.concurrency = concurrency
        limits.http.attempts = attempts
        limits.rowsInTransaction = rowsInTransaction
        change(&limits)
        return try SyncEngine(
            store: store,
            service: .rest(url: fake.url),
            resources: resources ?? self.resources,
            transport: AnyTransport(transport ?? fake),
            environment: environment ?? clock.environment,
            limits: limits,
            onEvent: events.record
        )
    }

    /// Returns the rows of the store as text.
    func state() throws -> String { try table(of: store) }

    /// Returns the number of rows of each entity.
    func counts() throws -> [String: Int] {
        try store.read { db in
            ["Author": try db.count("Author"), "Book": try db.count("Book")]
        }
    }
}

/// A type-erased transport.
struct AnyTransport: Transport {
    private let base: any Transport

    init(_ base: any Transport) {
        self.base = base
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        try await base.send(request, body: body)
    }
}
