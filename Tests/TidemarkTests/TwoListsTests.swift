import Foundation
import GRDB
import HTTPTypes
import Testing
import Tidemark
import TidemarkTestSupport
import TidemarkTesting

/// The sample in docs/recipes.md that pulls two lists whose objects refer to each other.
struct TwoListsTests {
    private let fake = FakeService(
        collections: [
            "authors": [["id": 1, "name": "Ada"], ["id": 2, "name": "Alan"]],
            "articles": (1...5).map {
                ["id": .number("\($0)"), "author_id": .number("\($0 % 2 + 1)")]
            },
        ],
        dialect: .rest(pageSize: 2)
    )
    private let model = Model {
        EntityDescription("Author") {
            Attribute("id", .integer64)
            Attribute("name", .string)
            Relationship("articles", to: "Article", isToMany: true, inverse: "author")
        }
        EntityDescription("Article") {
            Attribute("id", .integer64)
            Relationship("author", to: "Author", inverse: "articles")
        }
    }

    @Test func `a pull shows progress, is cancelled, and is resumed`() async throws {
        let store = try Store.validated(model: model)
        let (url, transport, token) = (fake.url, fake, "secret")
        // snippet.engine
        var service = Service.rest(url: url)
        service.headers[.authorization] = "Bearer \(token)"
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [
                service.resource("Author", path: "authors/"),
                service.resource("Article", path: "articles/"),
            ],
            transport: transport
        )
        // snippet.end
        let isStopRequested = true
        // snippet.session
        let pull = engine.startPull()
        for await event in pull.events {
            switch event {
            case .page(let list, let done, let expected):
                print("\(list): \(done) of \(expected ?? done)")
                if isStopRequested { pull.cancel() }
            case .failed(let list, let error):
                print("\(list): \(error)")
            default: break
            }
        }
        do {
            let report = try await pull.value
            print(report)
        } catch is CancellationError {
            print("Cancelled: the next pull resumes.")
        }
        // snippet.end
        let report = try await engine.pull().get()
        #expect(report.isComplete)
        #expect(
            try table(of: store, "Article") == """
                Article
                #  id  author
                1  1   2
                2  2   1
                3  3   2
                4  4   1
                5  5   2
                """
        )
    }
}
