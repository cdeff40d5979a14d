import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// What the command says about changes that the service has accepted and not shown.
@Suite(.timeLimit(.minutes(40)))
struct UnconfirmedVerbTests {
    private static let waiting =
        "Book: 2 unconfirmed: the service has accepted the changes, and the next sync shows what "
        + "it has taken."

    /// Opens a shop whose responses are not believed, with two changes that it has accepted, and
    /// of which it has taken one.
    private func open(_ body: (Shop) async throws -> Void) async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(service: "push: {response: none}")
            try await shop.fill()
            for book in ["Book:1", "Book:3"] {
                _ = try await shop.folder.done("update", book, "--values", #"{"title": "mine"}"#)
            }
            let push = try await shop.folder.done("push")
            #expect(push.lines == ["Book: 2 updated", Self.waiting])
            shop.fake["books/1"]?["title"] = "Book 1"
            shop.fake.clearRequests()
            try await body(shop)
        }
    }

    @Test func `a dry run of a push counts them`() async throws {
        try await open { shop in
            let dry = try await shop.folder.done("push", "--dry-run")
            #expect(dry.lines == ["Nothing would be sent.", Self.waiting])
            let json = try await shop.folder.done("push", "--dry-run", "--format", "json").json()
            #expect(json == ["requests": [], "unconfirmed": ["Book": 2]])
        }
    }

    @Test func `a verification and dry runs show what was taken, and decide nothing`()
        async throws
    {
        try await open { shop in
            let folder = shop.folder
            let before = try await folder.done("status", "--format", "json").json()
            for _ in 1...2 {
                let verify = try await folder.run("verify")
                #expect(verify.status == 1, "\(verify)")
                #expect(
                    verify.lines == [
                        "Book:1 differs in title.",
                        "Book#1: the service has accepted a change, and kept its own value of title.",
                    ]
                )
                let json = try await folder.run("verify", "--format", "json").json()
                #expect(
                    json["unconfirmed"] == [
                        ["ref": "Book#1", "outcome": "notTaken", "properties": ["title"]],
                        ["ref": "Book#3", "outcome": "taken", "properties": []],
                    ]
                )
                for verb in ["pull", "sync"] {
                    let dry = try await folder.done(verb, "--dry-run")
                    #expect(
                        dry.stderr.contains(
                            "The service has accepted 1 local change, and kept its own values: the "
                                + "next pull records that."
                        ),
                        "\(verb): \(dry)"
                    )
                    let json = try await folder.done(verb, "--dry-run", "--format", "json").json()
                    #expect(json["pushed"]?["entities"]?["Book"]?["notTaken"] == 1, "\(verb)")
                    #expect(json["pushed"]?["unconfirmed"] == [:], "\(verb)")
                }
            }
            #expect(try await folder.done("status", "--format", "json").json() == before)
            let conflicts = try await folder.done("conflicts", "list")
            #expect(conflicts.stdout == "There are no conflicts.\n")
            #expect(shop.fake.requests.allSatisfy { $0.request.method == .get })
        }
    }

    @Test func `a pull says what was not taken`() async throws {
        try await open { shop in
            let pull = try await shop.folder.done("pull")
            #expect(
                pull.stderr.contains(
                    "The service has accepted 1 local change, and kept its own values: tidemark "
                        + "conflicts list shows both."
                ),
                "\(pull)"
            )
            let conflicts = try await shop.folder.done("conflicts", "list", "--format", "json")
            #expect(try conflicts.json().elements.map { $0["kind"] } == ["notTaken"])
            #expect(try await shop.folder.done("verify").lines.count == 1)
        }
    }

    @Test func `a deletion that was not done is named`() async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(service: "push: preset")
            try await shop.fill()
            let book = shop.fake["books/2"]
            _ = try await shop.folder.done("delete", "Book:2")
            _ = try await shop.folder.done("push")
            shop.fake["books/2"] = book
            let verify = try await shop.folder.run("verify")
            #expect(verify.status == 1)
            #expect(
                verify.lines == [
                    "Book:2 is missing here.",
                    "Book#2: the service has accepted a change, and kept its own value of "
                        + "author, id, title.",
                ]
            )
        }
    }

    @Test func `messages next to an object are quoted`() async throws {
        let responses = FixedResponses(bodies: [
            "items/": #"[{"id": 1, "title": "a"}]"#,
            "items/1/": #"""
            {"id": 1, "title": "b", "errors": {"title": ["is rather short"], "base": ["mind"]}}
            """#,
        ])
        try await FakeServer.run(responses.service) { url in
            for format in ["text", "json"] {
                let folder = try Folder()
                try folder.write(
                    "entities: {Item: {attributes: {id: integer64, title: string}}}",
                    to: "model.yml"
                )
                try folder.write(
                    """
                    store: s.db
                    model: model.yml
                    service: {url: "\(url.absoluteString)", preset: rest, push: {check: none}}
                    resources: {Item: {path: items/}}
                    """,
                    to: "tidemark.yml"
                )
                _ = try await folder.done("pull")
                _ = try await folder.done("update", "Item:1", "--values", #"{"title": "b"}"#)
                let push = try await folder.done("push", "--format", format)
                if format == "text" {
                    #expect(push.lines == ["Item: 1 updated"])
                } else {
                    #expect(
                        try push.json()["messages"] == [
                            [
                                "row": "Item#1", "message": "mind",
                                "fields": ["title": ["is rather short"]],
                            ]
                        ]
                    )
                }
                #expect(
                    push.stderr == """
                        The service has accepted the change of Item#1, and says: mind; title: is \
                        rather short

                        """
                )
            }
        }
    }
}
