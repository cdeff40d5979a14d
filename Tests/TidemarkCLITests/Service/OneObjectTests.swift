import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// Resources that are one object, and entities that have several lists.
@Suite(.timeLimit(.minutes(40)))
struct OneObjectTests {
    @Test(arguments: [
        ("articles/3", #"{"id": 3, "title": "A"}"#, "Article", "application/json"),
        ("articles/a-b", #"{"slug": "a-b", "id": 3, "title": "A"}"#, "Article", "application/json"),
        ("settings", #"{"id": 3, "title": "A"}"#, "Setting", "application/json"),
        ("articles/3", #"{"data": {"id": 3, "title": "A"}}"#, "Article", "application/json"),
        (
            "articles/3",
            #"{"data": {"type": "articles", "id": "3", "attributes": {"title": "A"}}}"#,
            "Article", "application/vnd.api+json"
        ),
    ])
    func `one object is pulled by its URL`(
        _ path: String,
        _ body: String,
        _ entity: String,
        _ type: String
    ) async throws {
        let fixedResponses = FixedResponses(bodies: [path: body], type: type)
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            let address = url.absoluteString + path
            let first = try await folder.run("pull", address, "--into", "s.db")
            #expect(first.status == 0, "\(first)")
            let dump = try await folder.dump()
            #expect(dump.keys == [entity])
            #expect(dump[entity]?.elements.count == 1)
            #expect(dump[entity]?[0]?["title"] == "A")
            for arguments in [
                ["pull", "--store", "s.db"], ["pull", address, "--into", "s.db"],
                ["verify", "--store", "s.db"],
            ] {
                let again = try await folder.run(arguments)
                #expect(again.status == 0, "\(arguments): \(again)")
            }
            #expect(try await folder.dump() == dump)
        }
    }

    @Test func `several lists and one object of an entity are configured as a sequence`()
        async throws
    {
        let fixedResponses = FixedResponses(bodies: [
            "top": #"[{"id": 1, "title": "A"}]"#,
            "new": #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#,
            "films/9": #"{"id": 9, "title": "C"}"#,
        ])
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            try folder.write(
                "entities: {Film: {attributes: {id: integer64, title: string}}}",
                to: "m.yml"
            )
            try folder.write(
                """
                store: s.db
                model: m.yml
                service: {url: "\(url.absoluteString)", preset: rails}
                resources:
                  Film:
                  - {path: top, deletes: none}
                  - {path: new, deletes: none}
                  - {path: films/9, content: object}
                """,
                to: "tidemark.yml"
            )
            for _ in 0..<2 {
                let outcome = try await folder.run("pull")
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await folder.dump()["Film"]?.elements.count == 3)
            }
        }
    }

    @Test(arguments: [
        ("rest", nil, #"{"id": 3, "title": "A"}"#, nil),
        ("kinto", nil, #"{"data": {"id": 3, "title": "A"}}"#, nil),
        ("rest", "data", #"{"data": {"id": 3, "title": "A"}}"#, nil),
        ("rest", "data", #"{"id": 3, "title": "A", "page": {"data": 1}}"#, nil),
        ("rest", "data.item", #"{"data": {"item": {"id": 3, "title": "A"}}}"#, nil),
        ("rest", nil, #"{"results": [{"id": 3, "title": "A"}]}"#, nil),
        ("rest", nil, #"{"results": [{"id": 3}, {"id": 4}]}"#, "one object was expected"),
        ("rest", "data", #"{"data": null, "error": "A"}"#, "one object was expected"),
        ("jsonapi", nil, #"{"meta": {"id": 3, "title": "A"}}"#, "one object was expected"),
    ])
    func `one object is read with and without the envelope of its service`(
        _ preset: String,
        _ envelope: String?,
        _ body: String,
        _ message: String?
    ) async throws {
        let fixedResponses = FixedResponses(bodies: ["settings": body])
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            try folder.write(
                "entities: {Setting: {attributes: {id: integer64, title: string}}}",
                to: "m.yml"
            )
            let lists = envelope.map { ", lists: {envelope: \($0)}" } ?? ""
            try folder.write(
                """
                store: s.db
                model: m.yml
                service: {url: "\(url.absoluteString)", preset: \(preset)\(lists)}
                resources: {Setting: {path: settings, content: object}}
                """,
                to: "tidemark.yml"
            )
            let outcome = try await folder.run("pull")
            #expect((outcome.status == 0) == (message == nil), "\(outcome)")
            if let message { #expect(outcome.stderr.contains(message), "\(outcome)") }
            let title = try await folder.dump()["Setting"]?[0]?["title"]
            #expect(title == (message == nil ? "A" : nil))
        }
    }

    @Test func `an object instead of a list, and a list instead of an object, are errors`()
        async throws
    {
        let fixedResponses = FixedResponses(bodies: [
            "a": #"{"id": 1}"#, "b": #"[{"id": 1}, {"id": 2}]"#,
        ])
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            try folder.write("entities: {A: {attributes: {id: integer64}}}", to: "m.yml")
            for (section, message) in [
                ("{path: a}", "it is one object"),
                ("{path: b, content: object}", "one object was expected"),
                ("{path: a, content: thing}", "resources.A.content: thing is not known."),
                ("[{path: a}, {path: b, content: x}]", "resources.A[1].content: x is not known."),
                ("{path: a, content: object, deletes: sweep}", "is one object, which proves no"),
            ] {
                try folder.write(
                    """
                    store: s.db
                    model: m.yml
                    service: {url: "\(url.absoluteString)", preset: rails}
                    resources: {A: \(section)}
                    """,
                    to: "tidemark.yml"
                )
                let outcome = try await folder.run("pull")
                #expect([64, 65].contains(outcome.status), "\(outcome)")
                #expect(outcome.stderr.contains(message), "\(outcome)")
            }
        }
    }
}
