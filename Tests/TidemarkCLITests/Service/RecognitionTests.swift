import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkJSON
import TidemarkModel
import TidemarkTesting

/// The recognition of envelope and pagination from the first response of a list.
@Suite(.timeLimit(.minutes(40)))
struct RecognitionTests {
    /// The responses of a service, and the expected result of a pull.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var path = "things"
        var bodies: [String: String]
        var fields: [String: [String: String]] = [:]
        /// The number of rows after the pull; nil if the pull fails with a message that contains
        /// `message`.
        var rows: Int? = 3
        var message = ""
        var type = "application/json"
        var testDescription: String { name }
    }

    private static let two = #"[{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]"#
    private static let one = #"[{"id": 3, "n": "c"}]"#

    private static let cases = [
        Case(name: "an array", bodies: ["things": two], rows: 2),
        Case(
            name: "Link",
            bodies: ["things": two, "things?p=2": one],
            fields: ["things": ["Link": "<BASE/things?p=2>; rel=\"next\""]]
        ),
        Case(
            name: "Next-Page",
            bodies: ["things": two, "things?p=2": one],
            fields: ["things": ["Next-Page": "BASE/things?p=2"]]
        ),
        Case(
            name: "next, and a count of this page alone",
            bodies: [
                "things": #"{"count": 2, "next": "/api/things?p=2", "results": \#(two)}"#,
                "things?p=2": #"{"count": 1, "next": null, "results": \#(one)}"#,
            ]
        ),
        Case(
            name: "info.next",
            bodies: [
                "things":
                    #"{"info": {"count": 3, "pages": 2, "next": "BASE/things?page=2"}, "results": \#(two)}"#,
                "things?page=2": #"{"info": {"count": 3, "next": null}, "results": \#(one)}"#,
            ]
        ),
        Case(
            name: "_links.next.href",
            bodies: [
                "things":
                    #"{"_links": {"next": {"href": "?p=2"}}, "_embedded": {"things": \#(two)}}"#,
                "things?p=2": #"{"_links": {}, "_embedded": {"things": \#(one)}}"#,
            ]
        ),
        Case(
            name: "skip and total",
            bodies: [
                "things": #"{"things": \#(two), "total": 3, "skip": 0, "limit": 2}"#,
                "things?skip=2": #"{"things": \#(one), "total": 3, "skip": 2, "limit": 1}"#,
            ]
        ),
        Case(
            name: "page and total_pages",
            bodies: [
                "things":
                    #"{"page": 1, "per_page": 2, "total": 3, "total_pages": 2, "data": \#(two)}"#,
                "things?page=2": #"{"page": 2, "per_page": 2, "total": 3, "data": \#(one)}"#,
            ]
        ),
        Case(
            name: "JSON:API by its type",
            bodies: [
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
        Case(
            name: "a total, and nothing that leads to it",
            bodies: ["things": #"{"items": \#(two), "total": 3}"#],
            rows: nil,
            message: "contains 2 objects and says that there are more (total: 3), but not how to"
        ),
        Case(
            name: "a total inside the envelope",
            bodies: ["things": #"{"data": {"items": \#(two), "total": 3}}"#],
            rows: nil,
            message: "(data.total: 3), but not how to request them."
        ),
        Case(
            name: "has_more",
            bodies: ["things": #"{"items": \#(two), "has_more": true}"#],
            rows: nil,
            message: "(has_more: true), but not how to request them."
        ),
        Case(
            name: "links with relations",
            bodies: [
                "things": #"{"items": \#(two), "links": [{"rel": "next", "href": "?p=2"}]}"#,
                "things?p=2": #"{"items": \#(one), "links": []}"#,
            ]
        ),
        Case(
            name: "rows as arrays next to objects",
            bodies: [
                "things":
                    #"{"rows": [[1, "a"], [2, "b"]], "columns": ["id", "n"], "hints": \#(one)}"#
            ],
            rows: nil,
            message: "“rows” contains arrays (2), and objects are expected."
        ),
        Case(
            name: "rows as arrays alone",
            bodies: ["things": #"{"rows": [[1, "a"]], "columns": ["id", "n"]}"#],
            rows: nil,
            message: "“rows” contains arrays (1), and objects are expected."
        ),
        Case(
            name: "an empty list in an envelope",
            bodies: ["things": #"{"things": [], "total_count": 0, "offset": 0, "limit": 25}"#],
            rows: nil,
            message: "has no objects: the list is empty, so no model can be inferred."
        ),
        Case(
            name: "one object without a key",
            bodies: ["things": #"{"n": 1, "ok": true}"#],
            rows: nil,
            message: "is one object without a member that is certainly its primary key."
        ),
        Case(
            name: "several lists",
            bodies: ["things": #"{"as": \#(two), "bs": \#(one)}"#],
            rows: nil,
            message: "has several lists: as, bs. Say in a tidemark.yml which is whose."
        ),
        Case(
            name: "links beside the list, of which one leads to the next page",
            bodies: [
                "things":
                    #"""
                {"features": \#(two), "numberMatched": 3, "conformsTo": ["http://a.example/b"],
                 "links": [{"href": "BASE/things", "rel": "self"},
                   {"href": "BASE/things?offset=2", "rel": "next"}]}
                """#,
                "things?offset=2":
                    #"""
                {"features": \#(one), "numberMatched": 3,
                 "links": [{"href": "BASE/things", "rel": "prev"}]}
                """#,
            ]
        ),
        Case(
            name: "links with a relation, as in FHIR",
            bodies: [
                "things":
                    #"{"entry": \#(two), "link": [{"relation": "next", "url": "BASE/things?p=2"}]}"#,
                "things?p=2": #"{"entry": \#(one), "link": [{"relation": "self", "url": "x"}]}"#,
            ]
        ),
        Case(
            name: "a page without objects beside links",
            bodies: ["things": #"{"features": [], "links": [{"href": "BASE/x", "rel": "self"}]}"#],
            rows: nil,
            message: "has no objects: the list is empty, so no model can be inferred."
        ),
        Case(
            name: "an empty list",
            bodies: ["things": "[]"],
            rows: nil,
            message: "has no objects: the list is empty, so no model can be inferred."
        ),
        Case(
            name: "objects without a key",
            bodies: ["things": #"[{"n": "a", "m": 1}, {"n": "a", "m": 1}]"#],
            rows: nil,
            message: "The objects of things have no member that is certainly their primary key."
        ),
        Case(
            name: "links of which one leads to no list",
            path: "",
            bodies: [
                "": #"{"things": "BASE/things", "me": "BASE/me"}"#,
                "things": two, "me": #"{"ok": true}"#,
            ],
            rows: 2
        ),
        Case(
            name: "links to another host",
            path: "",
            bodies: ["": #"{"things": "https://elsewhere.example/things"}"#],
            rows: nil,
            message: "is one object without a member that is certainly its primary key."
        ),
        Case(
            name: "links that lead to nothing",
            path: "",
            bodies: ["": #"{"things": "BASE/things"}"#],
            rows: nil,
            message: "leads to no list that can be read."
        ),
    ]

    @Test(arguments: cases)
    func `a list is read as its first response indicates, or the pull is rejected`(
        _ given: Case
    ) async throws {
        let fixedResponses = FixedResponses(
            bodies: given.bodies,
            fields: given.fields,
            type: given.type
        )
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            let address = url.absoluteString + given.path
            let outcome = try await folder.run("pull", address, "--into", "s.db")
            guard let rows = given.rows else {
                #expect(outcome.status == 65, "\(outcome)")
                #expect(outcome.stderr.contains(given.message), "\(outcome)")
                #expect(outcome.stderr.split(separator: "\n").last?.hasPrefix("tidemark: ") == true)
                #expect(!folder.has("s.db"))
                return
            }
            #expect(outcome.status == 0, "\(outcome)")
            let dump = try await folder.dump()
            #expect(dump.keys == ["Thing"], "\(dump)")
            #expect(dump["Thing"]?.elements.count == rows)
            #expect(dump["Thing"]?[1]?["n"] == "b")
            let again = try await folder.run("pull", address, "--into", "s.db")
            #expect(again.status == 0, "\(again)")
            #expect(try await folder.dump() == dump)
        }
    }

    @Test(arguments: [5, 25])
    func `a full page that may not be the whole list is reported`(_ count: Int) async throws {
        let objects = (1...count).map { #"{"id": \#($0)}"# }
        let fixedResponses = FixedResponses(bodies: [
            "things": "[\(objects.joined(separator: ", "))]"
        ])
        try await FakeServer.run(fixedResponses.service) { url in
            let address = "\(url.absoluteString)things"
            let folder = try Folder()
            let outcome = try await folder.done("pull", address, "--into", "s.db")
            let model =
                "The model of s.db was inferred from \(address), with Thing. "
                + "`tidemark model show --store s.db` prints it.\n"
            let assumption =
                "Thing: the service returned \(count) objects, as full pages have, and does not say that "
                + "these are all. That they are all is assumed.\n"
            #expect(outcome.stderr == model + (count == 25 ? assumption : ""))
            let status = try await folder.done("status", "--store", "s.db")
            #expect(status.stdout.contains(assumption) == (count == 25))
            let verified = try await folder.done("verify", "--store", "s.db")
            #expect(verified.stdout.contains(" as far as it is known.") == (count == 25))
            #expect(verified.stdout.contains(assumption) == (count == 25))
        }
    }

    @Test func `guesses in the model of a new store are reported`() async throws {
        let fixedResponses = FixedResponses(bodies: [
            "things": #"[{"id": 1, "parts": [{"id": 7}, {"id": 8}]}, {"id": 2, "parts": []}]"#
        ])
        try await FakeServer.run(fixedResponses.service) { url in
            let address = "\(url.absoluteString)things"
            let folder = try Folder()
            let outcome = try await folder.done("pull", address, "--into", "s.db")
            #expect(
                outcome.stderr == """
                    The model of s.db was inferred from \(address), with Part, Thing. `tidemark \
                    model show --store s.db` prints it.
                    Thing.parts: No Part was seen under two Things. If each belongs to one only, \
                    make the inverse to-one.

                    """
            )
            let again = try await folder.done("pull", address, "--into", "s.db")
            #expect(again.stderr == "")
            let quiet = try await folder.done("pull", address, "--into", "q.db", "--quiet")
            #expect(quiet.stderr == "")
            // Part has no resource of its own, so its row has no numbers of pages and objects.
            #expect(outcome.stdout.contains("\nThing         1        2  "))
        }
    }

    /// A body that repeats a text, and the reason why it is rejected.
    struct OversizedBody: Sendable, CustomTestStringConvertible {
        let text: String
        let count: Int
        let message: String
        var testDescription: String { message }
    }

    private static let oversizedBodies = [
        OversizedBody(
            text: "0,",
            count: Limits().json.itemTokens,
            message: "one item has more than 4194304 values and member names"
        ),
        OversizedBody(
            text: " ",
            count: Limits().json.itemBytes,
            message: "the body is longer than 67108864 bytes"
        ),
    ]

    @Test(arguments: oversizedBodies)
    func `a response that requires too much memory is rejected before model inference`(
        _ oversized: OversizedBody
    ) async throws {
        let fake = FakeService(collections: [:])
        let body = "[[\(String(repeating: oversized.text, count: oversized.count))0]]"
        fake.inject(.body(body, type: "application/json"))
        try await FakeServer.run(fake) { url in
            let folder = try Folder()
            let address = "\(url.absoluteString)things"
            for command in [["pull", address, "--into", "s.db"], ["model", "infer", address]] {
                let outcome = try await folder.run(command)
                #expect(outcome.status == 65, "\(command): \(outcome)")
                #expect(outcome.stderr.contains(oversized.message), "\(outcome)")
            }
            #expect(try folder.names() == [])
        }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let dialect: FakeDialect
        let path: String
        let requestPath: String
        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(
            name: "kinto",
            dialect: .kinto(),
            path: "buckets/app/collections/films/records",
            requestPath: "/api/buckets/app/collections/films/records"
        ),
        Kind(
            name: "parse",
            dialect: .parse(),
            path: "classes/Film",
            requestPath: "/api/classes/Film"
        ),
        Kind(name: "rails", dialect: .rails(), path: "films", requestPath: "/api/films"),
        Kind(name: "jsonapi", dialect: .jsonAPI(), path: "films", requestPath: "/api/films"),
    ]

    @Test(arguments: kinds)
    func `lists of every preset are pulled with and without --preset`(
        _ kind: Kind
    ) async throws {
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
                #expect(dump["Film"]?[0]?["type"] == nil)
                let again = try await folder.done("pull", address, "--into", "s.db")
                #expect(!again.stderr.contains("model"), "\(again)")
                #expect(
                    fake.requests.allSatisfy {
                        $0.request.path?.hasPrefix(kind.requestPath) == true
                    }
                )
            }
        }
    }
}
