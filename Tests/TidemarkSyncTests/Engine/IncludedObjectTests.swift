import GRDB
import Testing
import TidemarkFakeServices
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Compound documents of JSON:API: objects that are included with those of a list.
struct IncludedObjectTests {
    private let fake = FakeService(data: FakeData([]), dialect: .jsonAPI())
    private let store: Store

    init() throws {
        store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "Article",
                    primaryKey: ["id"],
                    attributes: [Attribute("id", .string), Attribute("title", .string)],
                    relationships: [
                        Relationship("author", to: "Person", inverse: "articles"),
                        Relationship(
                            "comments",
                            to: "Comment",
                            isToMany: true,
                            inverse: "article"
                        ),
                    ]
                ),
                EntityDescription(
                    "Person",
                    primaryKey: ["id"],
                    attributes: [Attribute("id", .string), Attribute("name", .string)],
                    relationships: [
                        Relationship("articles", to: "Article", isToMany: true, inverse: "author")
                    ]
                ),
                EntityDescription(
                    "Comment",
                    primaryKey: ["id"],
                    attributes: [Attribute("id", .string), Attribute("text", .string)],
                    relationships: [
                        Relationship("article", to: "Article", inverse: "comments")
                    ]
                ),
            ])
        )
    }

    private static let article = """
        {"type": "articles", "id": "1", "attributes": {"title": "One"}, "relationships": {
            "author": {"data": {"type": "people", "id": "p1"}},
            "comments": {"data": [
                {"type": "comments", "id": "c1"}, {"type": "comments", "id": "c2"}
            ]}
        }}
        """
    private static let ann = #"{"type": "people", "id": "p1", "attributes": {"name": "Ann"}}"#
    private static let comments = """
        {"type": "comments", "id": "c1", "attributes": {"text": "x"}},
        {"type": "comments", "id": "c2", "attributes": {"text": "y"}}
        """

    /// Pulls a list, for which the service returns a document.
    private func pull(
        _ document: String,
        of path: String = "articles",
        inMemory bytes: Int = Limits().http.bodyInMemory
    ) async throws -> SyncReport.ResourceReport {
        fake.removeFaults()
        fake.inject(.body(document, type: "application/vnd.api+json"), at: path)
        let service = Service.jsonAPI(url: fake.url)
        let entities = ["articles": "Article", "people": "Person", "comments": "Comment"]
        let engine = try SyncEngine(
            store: store,
            service: service,
            resources: entities.sorted { $0.key < $1.key }
                .map { service.resource($0.value, path: $0.key) },
            transport: fake,
            environment: .manual(),
            limits: Limits.longTimeout.buffering(bytes)
        )
        var options = PullOptions()
        options.only = [entities[path] ?? ""]
        let report = try await engine.report(options)
        return try #require(report.resources[path])
    }

    private static func document(_ data: String, _ included: String? = nil) -> String {
        "{\"data\": [\(data)]\(included.map { ", \"included\": \($0)" } ?? "")}"
    }

    private static let whole = """
        Article
        #  id  title  author  comments
        1  1   One    p1      [c1 c2]

        Person
        #  id  name  articles
        1  p1  Ann   [1]

        Comment
        #  id  text  article
        1  c1  x     1
        2  c2  y     1
        """

    @Test func `included objects of several types are imported and linked`() async throws {
        let report = try await pull(
            Self.document(Self.article, "[\(Self.ann), \(Self.comments)]")
        )
        #expect(report.failure == nil)
        #expect(report.items == 1)
        #expect(try table(of: store) == Self.whole)
        let again = try await pull(
            Self.document(Self.article, "[\(Self.comments), \(Self.ann)]")
        )
        #expect(again.imported.changedRows == 0)
        #expect(try table(of: store) == Self.whole)
    }

    @Test(arguments: [true, false])
    func `included objects of a spooled page are imported, before or after the primary data`(
        _ isBefore: Bool
    ) async throws {
        let included = "\"included\": [\(Self.ann), \(Self.comments)]"
        let data = "\"data\": [\(Self.article)]"
        let document = isBefore ? "{\(included), \(data)}" : "{\(data), \(included)}"
        let report = try await pull(document, inMemory: 16)
        #expect(report.failure == nil)
        #expect(report.items == 1)
        #expect(try table(of: store) == Self.whole)
    }

    @Test func `a spooled page that repeats the member of included objects is rejected`()
        async throws
    {
        let document = "{\"included\": [\(Self.ann)], \"data\": [], \"included\": []}"
        let report = try await pull(document, inMemory: 16)
        #expect((report.failure as? RemoteError)?.code == .noList)
        #expect(try await store.read { try $0.count("Person") } == 0)
    }

    @Test func `references stay unresolved until included objects or their lists are pulled`()
        async throws
    {
        _ = try await pull(Self.document(Self.article))
        #expect(try await store.read { try $0.count("Person") } == 0)
        #expect(try await store.read { try $0.unresolvedReferenceCount() } == 3)
        _ = try await pull(Self.document(Self.ann), of: "people")
        _ = try await pull(Self.document(Self.comments), of: "comments")
        #expect(try table(of: store) == Self.whole)
    }

    @Test func `an included type without a resource is reported, and others are imported`()
        async throws
    {
        let planet = #"{"type": "planets", "id": "7", "attributes": {"name": "Hoth"}}"#
        let report = try await pull(
            Self.document(Self.article, "[\(planet), \(Self.ann), \(planet), \(Self.comments)]")
        )
        #expect(report.failure == nil)
        #expect(try table(of: store) == Self.whole)
        #expect(
            report.imported.diagnostics.map(\.message) == [
                "Included objects of type “planets” were ignored: no resource is for that type."
            ]
        )
    }

    @Test func `an object that is included twice is one row`() async throws {
        let bob = Self.ann.replacing("Ann", with: "Bob")
        let report = try await pull(
            Self.document(Self.article, "[\(bob), \(Self.comments), \(Self.ann)]")
        )
        #expect(report.failure == nil)
        #expect(try table(of: store) == Self.whole)
    }

    @Test func `an object that is no longer included is kept`() async throws {
        _ = try await pull(Self.document(Self.article, "[\(Self.ann), \(Self.comments)]"))
        let report = try await pull(Self.document(Self.article))
        #expect(report.imported.changedRows == 0)
        #expect(try table(of: store) == Self.whole)
    }

    @Test func `an included object of the listed type is deleted when it is no longer included`()
        async throws
    {
        let other = #"{"type": "articles", "id": "2", "attributes": {"title": "Two"}}"#
        _ = try await pull(
            Self.document(Self.article, "[\(other), \(Self.ann), \(Self.comments)]")
        )
        #expect(try await store.read { try $0.count("Article") } == 2)
        _ = try await pull(Self.document(Self.article, "[]"))
        let articles = try table(of: store, "Article")
        #expect(articles.contains("One    p1      [c1 c2]"))
        #expect(!articles.contains("Two"))
    }

    @Test(arguments: [
        "null", "{}", "\"x\"", "1", "[]", "[null]", "[1, \"x\", [], true]", "[{}]",
        "[{\"type\": \"people\"}]", "[{\"id\": \"p9\"}]", "[{\"type\": 1, \"id\": \"p9\"}]",
        "[{\"type\": \"people\", \"id\": null}]", "[{\"type\": \"people\", \"id\": {}}]",
        "[{\"type\": \"people\", \"id\": [\"p9\"], \"attributes\": [1]}]",
    ])
    func `invalid included objects are ignored`(_ included: String) async throws {
        _ = try await pull(Self.document(Self.ann), of: "people")
        _ = try await pull(Self.document(Self.comments), of: "comments")
        let report = try await pull(Self.document(Self.article, included))
        #expect(report.failure == nil)
        let rows = try table(of: store, "Article", "Comment")
        #expect(rows.contains("1  1   One    p1      [c1 c2]"))
        #expect(try table(of: store, "Person").contains("p9") == false)
    }
}

extension Limits {
    fileprivate func buffering(_ bytes: Int) -> Limits {
        var limits = self
        limits.http.bodyInMemory = bytes
        limits.rowsInTransaction = 1
        return limits
    }
}
