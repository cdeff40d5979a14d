import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// What one answer says of how a list goes on.
@Suite(.timeLimit(.minutes(15)))
struct RecognitionTests {
    /// A service whose answers are written down: path and query, header fields, body.
    struct Script: Sendable, CustomTestStringConvertible {
        let name: String
        var path = "things"
        var answers: [String: String]
        var fields: [String: [String: String]] = [:]
        /// What the pull brings; nil where it is refused with the words.
        var rows: Int? = 3
        var words = ""
        var entity = "Thing"
        var type = "application/json"
        var testDescription: String { name }

        var dialect: FakeDialect {
            FakeDialect(
                answer: { [self] request, _ in
                    let query = request.query.map { "\($0.name)=\($0.value)" }
                        .joined(separator: "&")
                    let place = request.path + (query.isEmpty ? "" : "?\(query)")
                    guard let text = answers[place] else {
                        return FakeResponse(["detail": .string(place)], status: .notFound)
                    }
                    let body = Array(text.replacing("BASE/", with: request.base).utf8)
                    var response = FakeResponse(.bytes(body, type: type))
                    for (name, value) in fields[place] ?? [:] {
                        if let name = HTTPField.Name(name) {
                            response.fields[name] = value.replacing("BASE/", with: request.base)
                        }
                    }
                    return response
                },
                loop: { _, _ in }
            )
        }
    }

    private static let two = #"[{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]"#
    private static let one = #"[{"id": 3, "n": "c"}]"#

    private static let scripts = [
        Script(name: "an array", answers: ["things": two], rows: 2),
        Script(
            name: "Link",
            answers: ["things": two, "things?p=2": one],
            fields: ["things": ["Link": "<BASE/things?p=2>; rel=\"next\""]]
        ),
        Script(
            name: "Next-Page",
            answers: ["things": two, "things?p=2": one],
            fields: ["things": ["Next-Page": "BASE/things?p=2"]]
        ),
        Script(
            name: "next, and a count of this page alone",
            answers: [
                "things": #"{"count": 2, "next": "/api/things?p=2", "results": \#(two)}"#,
                "things?p=2": #"{"count": 1, "next": null, "results": \#(one)}"#,
            ]
        ),
        Script(
            name: "info.next",
            answers: [
                "things":
                    #"{"info": {"count": 3, "pages": 2, "next": "BASE/things?page=2"}, "results": \#(two)}"#,
                "things?page=2": #"{"info": {"count": 3, "next": null}, "results": \#(one)}"#,
            ]
        ),
        Script(
            name: "_links.next.href",
            answers: [
                "things":
                    #"{"_links": {"next": {"href": "?p=2"}}, "_embedded": {"things": \#(two)}}"#,
                "things?p=2": #"{"_links": {}, "_embedded": {"things": \#(one)}}"#,
            ]
        ),
        Script(
            name: "skip and total",
            answers: [
                "things": #"{"things": \#(two), "total": 3, "skip": 0, "limit": 2}"#,
                "things?skip=2": #"{"things": \#(one), "total": 3, "skip": 2, "limit": 1}"#,
            ]
        ),
        Script(
            name: "page and total_pages",
            answers: [
                "things":
                    #"{"page": 1, "per_page": 2, "total": 3, "total_pages": 2, "data": \#(two)}"#,
                "things?page=2": #"{"page": 2, "per_page": 2, "total": 3, "data": \#(one)}"#,
            ]
        ),
        Script(
            name: "JSON:API by its type",
            answers: [
                "things": """
                {"data": [{"type": "things", "id": "1", "attributes": {"n": "a"}},
                  {"type": "things", "id": "2", "attributes": {"n": "b"}}],
                 "links": {"next": "BASE/things?p=2"}}
                """,
                "things?p=2": """
                {"data": [{"type": "things", "id": "3", "attributes": {"n": "c"}}], "links": {}}
                """,
            ],
            type: "application/vnd.api+json"
        ),
        Script(
            name: "a total, and nothing that leads to it",
            answers: ["things": #"{"items": \#(two), "total": 3}"#],
            rows: nil,
            words: "has 3 objects and gives 2 of them: nothing says how the list goes on."
        ),
        Script(
            name: "one object",
            answers: ["things": #"{"id": 1, "n": "a"}"#],
            rows: nil,
            words: "was answered without a list: it is one object."
        ),
        Script(
            name: "several lists",
            answers: ["things": #"{"as": \#(two), "bs": \#(one)}"#],
            rows: nil,
            words: "has several lists: as, bs. Say in a tidemark.yml which is whose."
        ),
        Script(
            name: "an empty list",
            answers: ["things": "[]"],
            rows: nil,
            words: "has no objects, so no model can be inferred."
        ),
        Script(
            name: "objects without a key",
            answers: ["things": #"[{"n": "a", "m": 1}, {"n": "a", "m": 1}]"#],
            rows: nil,
            words: "The objects of things have no member that is certainly their key."
        ),
        Script(
            name: "links of which one leads to no list",
            path: "",
            answers: [
                "": #"{"things": "BASE/things", "me": "BASE/me"}"#,
                "things": two, "me": #"{"id": 1}"#,
            ],
            rows: 2
        ),
        Script(
            name: "links that lead elsewhere",
            path: "",
            answers: ["": #"{"things": "https://elsewhere.example/things"}"#],
            rows: nil,
            words: "was answered without a list: it is one object."
        ),
        Script(
            name: "links that lead to nothing",
            path: "",
            answers: ["": #"{"things": "BASE/things"}"#],
            rows: nil,
            words: "leads to no list that can be read."
        ),
    ]

    @Test(arguments: scripts)
    func `a list is read as its first answer says, or the pull is refused`(
        _ script: Script
    )
        async throws
    {
        let fake = FakeService(data: FakeData([]), dialect: script.dialect)
        try await FakeServer.run(fake) { url in
            let folder = try Folder()
            let address = url.absoluteString + script.path
            let outcome = try await folder.run("pull", address, "--into", "s.db")
            guard let rows = script.rows else {
                #expect(outcome.status == 65, "\(outcome)")
                #expect(outcome.stderr.contains(script.words), "\(outcome)")
                #expect(outcome.stderr.split(separator: "\n").last?.hasPrefix("tidemark: ") == true)
                #expect(!folder.has("s.db"))
                return
            }
            #expect(outcome.status == 0, "\(outcome)")
            let dump = try await folder.dump()
            #expect(dump.keys == [script.entity], "\(dump)")
            #expect(dump[script.entity]?.elements.count == rows)
            #expect(dump[script.entity]?[1]?["n"] == "b")
            let again = try await folder.run("pull", address, "--into", "s.db")
            #expect(again.status == 0, "\(again)")
            #expect(try await folder.dump() == dump)
        }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let dialect: FakeDialect
        let path: String
        let places: String
        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(
            name: "kinto",
            dialect: .kinto(),
            path: "buckets/app/collections/films/records",
            places: "/api/buckets/app/collections/films/records"
        ),
        Kind(name: "parse", dialect: .parse(), path: "classes/Film", places: "/api/classes/Film"),
        Kind(name: "rails", dialect: .rails(), path: "films", places: "/api/films"),
        Kind(name: "jsonapi", dialect: .jsonAPI(), path: "films", places: "/api/films"),
    ]

    @Test(arguments: kinds)
    func `services of the presets are recognized, and the preset may be said`(
        _ kind: Kind
    )
        async throws
    {
        let name = kind.name == "parse" ? "Film" : "films"
        let films = (1...30).map { number -> FakeJSON in
            let id: FakeJSON = .string("k\(number)")
            return kind.name == "parse"
                ? ["objectId": id, "title": "Film"] : ["id": id, "title": "Film"]
        }
        let fake = FakeService(
            data: FakeData([(name: name, objects: films)]),
            dialect: kind.dialect
        )
        try await FakeServer.run(fake) { url in
            for more in [[], ["--preset", kind.name]] {
                let folder = try Folder()
                let address = url.absoluteString + kind.path
                let outcome = try await folder.run(["pull", address, "--into", "s.db"] + more)
                #expect(outcome.status == 0, "\(outcome)")
                let dump = try await folder.dump()
                #expect(dump.keys == ["Film"])
                #expect(dump["Film"]?.elements.count == 30, "\(outcome)")
                let again = try await folder.done("pull", address, "--into", "s.db")
                #expect(!again.stderr.contains("model"), "\(again)")
                #expect(
                    fake.requests.allSatisfy { $0.request.path?.hasPrefix(kind.places) == true }
                )
            }
        }
    }
}
