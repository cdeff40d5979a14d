import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// JSON:API services by URL: resource linkage becomes relationships, and included objects become
/// rows.
@Suite(.timeLimit(.minutes(40)))
struct JSONAPIAddressTests {
    private static let people = """
        {"data": [{"type": "people", "id": "1", "attributes": {"name": "Ann"}},
          {"type": "people", "id": "2", "attributes": {"name": "Bo"}}], "links": {"next": null}}
        """

    /// Returns a document with two articles and a tag, which has no list of its own.
    private static func articles(next: String = "null", type: String = "articles") -> String {
        """
        {"data": [{"type": "\(type)", "id": "1", "attributes": {"title": "A"}, "relationships": {
            "author": {"data": {"type": "people", "id": "2"}},
            "tags": {"data": [{"type": "tags", "id": "7"}]}}},
          {"type": "\(type)", "id": "2", "attributes": {"title": "B"}, "relationships": {
            "author": {"data": null}, "tags": {"data": []}}}],
         "included": [{"type": "tags", "id": "7", "attributes": {"label": "L"}},
           {"type": "people", "id": "2", "attributes": {"name": "Bo"}}],
         "links": {"next": \(next)}}
        """
    }

    private func open(
        _ bodies: [String: String],
        _ body: (Folder, String) async throws -> Void
    ) async throws {
        let fixedResponses = FixedResponses(bodies: bodies, type: "application/vnd.api+json")
        try await FakeServer.run(fixedResponses.service) { url in
            try await body(try Folder(), url.absoluteString)
        }
    }

    private func expectArticles(_ dump: JSON, _ entity: String = "Article") {
        #expect(dump.keys == [entity, "Person", "Tag"].sorted())
        let author = dump[entity]?[0]?["author"]
        #expect(author == "Person#1" || author == "Person#2")
        #expect(dump[entity]?[1]?["author"] == .null)
        #expect(dump[entity]?[0]?["tags"] == ["Tag#1"])
        #expect(dump["Tag"]?.elements.count == 1)
        #expect(dump["Tag"]?[0]?["label"] == "L")
    }

    @Test func `relationships link the entities of their types, also of included objects`()
        async throws
    {
        let bodies = [
            "": #"{"people": "BASE/people", "articles": "BASE/articles"}"#,
            "people": Self.people, "articles": Self.articles(),
        ]
        try await open(bodies) { folder, url in
            let first = try await folder.run("pull", url, "--into", "s.db")
            #expect(first.status == 0, "\(first)")
            #expect(
                first.stderr
                    == "The model of s.db was inferred from \(url), with Article, Person, Tag. "
                    + "`tidemark model show --store s.db` prints it.\n"
            )
            let dump = try await folder.dump()
            expectArticles(dump)
            #expect(try await folder.run("pull", "--store", "s.db").status == 0)
            #expect(try await folder.dump() == dump)
            #expect(try await folder.run("verify", "--store", "s.db").status == 0)
        }
    }

    @Test func `a list is named after the type of its objects, not after its path`() async throws {
        let bodies = [
            "": #"{"people": "BASE/people", "latest": "BASE/latest"}"#,
            "people": Self.people, "latest": Self.articles(type: "posts"),
        ]
        try await open(bodies) { folder, url in
            let first = try await folder.run("pull", url, "--into", "s.db")
            #expect(first.status == 0, "\(first)")
            expectArticles(try await folder.dump(), "Post")
            #expect(try await folder.run("verify", "--store", "s.db").status == 0)
        }
    }

    /// Returns an article with a relationship.
    private static func article(_ id: Int, _ relationships: String) -> String {
        """
        {"type": "articles", "id": "\(id)", "attributes": {"title": "t\(id)"},
         "relationships": {\(relationships)}}
        """
    }

    private static func list(_ items: String...) -> String {
        #"{"data": [\#(items.joined(separator: ","))], "links": {"next": null}}"#
    }

    @Test func `linkage to a type without a list leads to an entity of keys`() async throws {
        let bodies = [
            "articles": Self.list(
                Self.article(
                    1,
                    """
                    "author": {"data": {"type": "people", "id": "9"}},
                    "tags": {"data": [{"type": "tags", "id": "a"}, {"type": "tags", "id": "b"}]}
                    """
                ),
                Self.article(2, #""author": {"data": null}, "tags": {"data": []}"#),
                Self.article(3, #""author": {"data": {"type": "people", "id": "9"}}"#)
            )
        ]
        try await open(bodies) { folder, url in
            for _ in 0..<2 {
                let outcome = try await folder.run("pull", "\(url)articles", "--into", "s.db")
                #expect(outcome.status == 0, "\(outcome)")
                let dump = try await folder.dump()
                #expect(dump.keys == ["Article", "Person", "Tag"])
                #expect(dump["Person"]?.elements.map { $0["id"] } == ["9"])
                #expect(dump["Tag"]?.elements.map { $0["id"] } == ["a", "b"])
                #expect(dump["Article"]?[0]?["author"] == "Person#1")
                #expect(dump["Article"]?[1]?["author"] == .null)
                #expect(dump["Article"]?[2]?["author"] == "Person#1")
                #expect(dump["Article"]?[0]?["tags"] == ["Tag#1", "Tag#2"])
            }
            #expect(try await folder.run("verify", "--store", "s.db").status == 0)
            let model = try await folder.done(
                "model",
                "show",
                "--store",
                "s.db",
                "--format",
                "yaml"
            ).stdout
            #expect(model.contains("people"), "\(model)")
        }
    }

    @Test func `linkage to several types in one relationship stays JSON`() async throws {
        let bodies = [
            "articles": Self.list(
                Self.article(1, #""subject": {"data": {"type": "people", "id": "9"}}"#),
                Self.article(2, #""subject": {"data": {"type": "firms", "id": "9"}}"#)
            )
        ]
        try await open(bodies) { folder, url in
            let outcome = try await folder.run("pull", "\(url)articles", "--into", "s.db")
            #expect(outcome.status == 0, "\(outcome)")
            let dump = try await folder.dump()
            #expect(dump.keys == ["Article"])
        }
    }

    @Test func `malformed linkage does not fail a pull`() async throws {
        let bodies = [
            "articles": Self.list(
                Self.article(1, #""a": {"data": {"type": 5, "id": "9"}}"#),
                Self.article(2, #""b": {"data": {"id": "9"}}, "c": {"data": [[1]]}, "e": 7"#),
                Self.article(3, #""d": {"data": {"type": "people", "id": {}}}"#),
                Self.article(4, #""d": {"data": {"type": "people"}}"#)
            )
        ]
        try await open(bodies) { folder, url in
            let outcome = try await folder.run("pull", "\(url)articles", "--into", "s.db")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try await folder.dump()["Article"]?.elements.count == 4)
        }
    }

    @Test func `a configuration stores included objects of an entity without a resource`()
        async throws
    {
        try await open(["people": Self.people, "articles": Self.articles()]) { folder, url in
            try folder.write(
                """
                entities:
                  Article:
                    attributes: {id: integer64, title: string}
                    relationships: {author: {to: Person, inverse: articles}, tags: {to: Tag, toMany: true, inverse: articles}}
                  Person:
                    attributes: {id: integer64, name: string}
                    relationships: {articles: {to: Article, toMany: true, inverse: author}}
                  Tag:
                    attributes: {id: integer64, label: string}
                    relationships: {articles: {to: Article, toMany: true, inverse: tags}}
                """,
                to: "m.yml"
            )
            let service = "store: s.db\nservice: {url: \"\(url)\", preset: jsonapi}\n"
            try folder.write(
                "\(service)model: m.yml\nresources: {Article: {}, Person: {}}\n",
                to: "tidemark.yml"
            )
            let outcome = try await folder.run("pull")
            #expect(outcome.status == 0, "\(outcome)")
            let dump = try await folder.dump()
            #expect(dump["Tag"]?[0]?["label"] == "L")
            #expect(dump["Article"]?[0]?["tags"] == ["Tag#1"])

            try folder.write(
                "\(service.replacing("s.db", with: "t.db"))resources: {Article: {}, Person: {}}\n",
                to: "tidemark.yml"
            )
            let inferred = try await folder.run("pull")
            #expect(inferred.status == 0, "\(inferred)")
            expectArticles(try await folder.dump("t.db"))
        }
    }
}
