import GRDB
import Tidemark
import TidemarkTestSupport
import TidemarkTesting

/// A service of five articles on three pages, and an engine that pulls it into a store.
struct ArticleService {
    let fake: FakeService
    let store: Store
    let engine: SyncEngine

    init() async throws {
        let clock = ManualClock()
        fake = FakeService(
            collections: [
                "articles": (1...5).map {
                    ["id": .number("\($0)"), "title": .string("Article \($0)")]
                }
            ],
            dialect: .rest(pageSize: 2),
            environment: clock.environment
        )
        store = try .validated(
            model: Model {
                EntityDescription("Article") {
                    Attribute("id", .integer64)
                    Attribute("title", .string)
                }
            }
        )
        let service = Service.rest(url: fake.url)
        engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Article", path: "articles/")],
            transport: fake,
            environment: clock.environment
        )
    }
}
