import Foundation
import GRDB
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A service that includes the caller's token in the URLs of its pages.
struct SecretAddressTests {
    private static let token = "t0p/secret"

    /// A transport to a service whose next links contain the token as a cursor.
    private struct TokenInAddresses: Transport {
        let fake: FakeService
        let paths = Locked<[String]>([])

        func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
            let path = request.path ?? ""
            paths.withLock { $0.append(path) }
            var bare = request
            bare.path = path.replacing("&cursor=t0p%2Fsecret", with: "")
            var response = try await fake.send(bare, body: body)
            response.request = request
            let bytes = try await response.collect(upTo: 1 << 20)
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing("page=2\"", with: "page=2&cursor=t0p%2Fsecret\"")
            response.body = ResponseBody(Array(text.utf8))
            response.head.headerFields[.contentLength] = nil
            return response
        }
    }

    private func engine(_ shop: Bookshop, _ transport: TokenInAddresses) throws -> SyncEngine {
        try SyncEngine(
            store: shop.store,
            service: .rest(url: shop.fake.url),
            resources: shop.resources.filter { $0.entity == "Book" },
            transport: transport,
            credentials: Credentials { _ in [.authorization: "Bearer \(Self.token)"] },
            environment: shop.clock.environment,
            limits: .longTimeout
        )
    }

    /// Returns the stored state of resources and pages.
    private func memory(_ store: Store) throws -> String {
        try store.writer.read { db in
            try ["resource", "page"].map { name in
                try Row.fetchAll(db, sql: "SELECT * FROM _tidemark_\(name)").description
            }.joined()
        }
    }

    @Test func `a pull resumes at a URL with the token, which the store never contains`()
        async throws
    {
        let shop = try Bookshop()
        let transport = TokenInAddresses(fake: shop.fake)
        shop.fake.inject(.status(403), times: 1, at: "books/?page=2")
        let first = try await engine(shop, transport).pull()
        #expect(first.failures.count == 1)
        #expect(!"\(first.failures)".contains("secret"))
        let known = try memory(shop.store)
        #expect(known.contains("cursor=***authorization.0***"))
        #expect(!known.contains("t0p"))

        transport.paths.withLock { $0 = [] }
        let second = try await engine(shop, transport).pull()
        #expect(second.isComplete)
        #expect(transport.paths.withLock { $0 }.first?.contains("cursor=t0p%2Fsecret") == true)
        #expect(try shop.counts()["Book"] == 7)
        #expect(!(try memory(shop.store).contains("t0p")))
    }
}
