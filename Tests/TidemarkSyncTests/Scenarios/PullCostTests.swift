import Foundation
import HTTPTypes
import Synchronization
import Testing
import TidemarkFakeServices
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// The cost of a pull: its requests, and the work in the store.
struct PullCostTests {
    private static let kinds = (1...6).map { "Kind\($0)" }

    @Test func `a pull of six unchanged collections sends six requests and reads no row`()
        async throws
    {
        let fake = FakeService(
            data: FakeData(Self.kinds.map { ($0, Self.objects(50)) }),
            dialect: .kinto { $0.paginateBy = 10 }
        )
        let engine = try Self.engine(.kinto(url: fake.url.appending(path: "buckets/app")), fake) {
            "collections/\($0)/records"
        }
        #expect(try await engine.pull().requests == 30)
        let log = WorkLog(engine.store)
        let work = try await log.during {
            let report = try await engine.pull()
            #expect(report.requests == 6)
            #expect(report.resources.values.map(\.ending) == Array(repeating: .unchanged, count: 6))
        }
        #expect(!work.statements.isEmpty)
        #expect(work.statements.filter { $0.contains("Kind") } == [])
    }

    @Test func `with entity tags of pages, an unchanged pull sends one request per page`()
        async throws
    {
        let fake = FakeService(
            data: FakeData(Self.kinds.map { ($0, Self.objects(50)) }),
            dialect: .rails { $0.perPage = 10 }
        )
        let engine = try Self.engine(.rails(url: fake.url), fake) { $0 }
        #expect(try await engine.pull().requests == 30)
        fake.clearRequests()
        let report = try await engine.pull()
        #expect(report.requests == 30)
        #expect(fake.requests.map(\.status) == Array(repeating: 304, count: 30))
        #expect(report.total.isUnchanged)
    }

    @Test(arguments: [Mirror.Dialect.kinto, .parse])
    func `the cost of pulling changes does not depend on the number of rows`(
        _ dialect: Mirror.Dialect
    ) async throws {
        var instructions: [Int] = []
        for notes in [50, 2_000] {
            let mirror = try Mirror(dialect, notes: notes, page: 100, isValidated: false)
            try await mirror.pull()
            // Objects with the latest stamp are returned by each request for changes: here only
            // one.
            mirror.clock.advance(by: .seconds(5))
            mirror.write("n1", "second")
            try await mirror.pull()
            let log = WorkLog(mirror.store)
            mirror.clock.advance(by: .seconds(5))
            for key in ["n3", "n17", "n42"] { mirror.write(key, "second") }
            let work = try await log.during {
                let report = try await mirror.pull()
                #expect(report.imported.entities["Note"]?.updated == 3)
            }
            instructions.append(work.instructions)
        }
        #expect(instructions[1] < instructions[0] + instructions[0] / 10, "\(instructions)")
    }

    @Test func `a pull that is cancelled at page 500 of 1,000 then requests only the rest`()
        async throws
    {
        let mirror = try Mirror(.rails, notes: 1_000, page: 1, isValidated: false)
        var cancelling = mirror
        cancelling.transport = CancellingTransport(mirror.fake, after: 500)
        let engine = try cancelling.engine()
        await #expect(throws: CancellationError.self) { try await engine.pull() }
        mirror.fake.clearRequests()
        let report = try await mirror.pull()
        #expect(report.ending == .complete)
        #expect(mirror.fake.requests.count <= 501)
        #expect(try mirror.local() == mirror.remote)
    }
}

extension PullCostTests {
    private static func objects(_ count: Int) -> [FakeJSON] {
        (1...count).map { ["id": .string("\($0)"), "text": "first"] }
    }

    private static func engine(
        _ service: Service,
        _ fake: FakeService,
        path: (String) -> String
    ) throws -> (store: Store, pull: () async throws -> SyncReport) {
        let entities = kinds.map {
            EntityDescription(
                $0,
                primaryKey: ["id"],
                attributes: [Attribute("id", .string), Attribute("text", .string)]
            )
        }
        let store = try Store.validated(model: Model(entities: entities))
        let engine = try SyncEngine(
            store: store,
            service: service,
            resources: kinds.map { service.resource($0, path: path($0)) },
            transport: fake,
            environment: .manual(),
            limits: .longTimeout
        )
        return (store, { try await engine.pull() })
    }
}

/// A transport that throws `CancellationError` after a number of responses.
private struct CancellingTransport: Transport {
    private let base: FakeService
    private let responseCount: Counter

    init(_ base: FakeService, after responseCount: Int) {
        self.base = base
        self.responseCount = Counter(responseCount)
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard responseCount.decrement() else { throw CancellationError() }
        return try await base.send(request, body: body)
    }

    private final class Counter: Sendable {
        private let left: Mutex<Int>

        init(_ count: Int) {
            left = Mutex(count)
        }

        /// Takes one, and returns whether one was left.
        func decrement() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
    }
}
