// snippet.PullTests
import Testing
import Tidemark
import TidemarkTesting

struct PullTests {
    @Test func `a pull survives a failure, resumes, and mirrors a deletion`() async throws {
        let clock = ManualClock()
        let fake = FakeService(
            collections: [
                "articles": [
                    ["id": 1, "title": "Notes"], ["id": 2, "title": "Machinery"],
                    ["id": 3, "title": "Tables"],
                ]
            ],
            dialect: .rest(pageSize: 2),
            environment: clock.environment
        )
        let model = Model {
            EntityDescription("Article") {
                Attribute("id", .integer64)
                Attribute("title", .string)
            }
        }
        let store = try Store.inMemory(model: model)
        let service = Service.rest(url: fake.url)
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Article", path: "articles/")],
            transport: fake,
            environment: clock.environment
        )

        // The service fails once: the request is sent again, by the manual clock at once.
        fake.inject(.status(503), times: 1, at: "articles/?page=2")
        let first = try await engine.pull().get()
        #expect(first.isComplete)
        #expect(
            try table(of: store, "Article") == """
                Article
                #  id  title
                1  1   Notes
                2  2   Machinery
                3  3   Tables
                """
        )

        // It is down: the pull fails, and the rows stay.
        fake.inject(.connectionClosed)
        await #expect(throws: SyncFailure.self) { try await engine.pull().get() }

        // It is back, and an article was deleted and another changed meanwhile.
        fake.removeFaults()
        fake["articles/1"] = nil
        fake["articles/2"]?["title"] = "Computing Machinery"
        let report = try await engine.pull().get()
        #expect(report.total.entities["Article"]?.deleted == 1)
        #expect(
            try table(of: store, "Article") == """
                Article
                #  id  title
                2  2   Computing Machinery
                3  3   Tables
                """
        )
    }
}
// snippet.end
