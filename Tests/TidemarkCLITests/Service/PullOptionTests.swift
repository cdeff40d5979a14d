import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// The options `--dry-run`, `--full` and `--watch` of `tidemark pull`.
@Suite(.timeLimit(.minutes(40)))
struct PullOptionTests {
    /// Returns the contents of every file in the folder, by name.
    private func bytes(_ folder: Folder) throws -> [String: Data] {
        try folder.names().reduce(into: [:]) { found, name in
            found[name] = try Data(contentsOf: folder.url.appending(path: name))
        }
    }

    @Test func `a dry run reports what would happen and changes no byte`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake["books/3"] = nil
            shop.fake["books/4"]?["title"] = "Other"
            shop.fake["books/8"] = ["id": 8, "title": "New"]
            let before = try bytes(shop.folder)
            let outcome = try await shop.folder.done("pull", "--dry-run", "--format", "json")
            #expect(
                try outcome.json()["entities"]?["Book"]
                    == ["inserted": 1, "updated": 1, "unchanged": 5, "deleted": 1, "skipped": 0]
            )
            #expect(try bytes(shop.folder) == before)
            let real = try await shop.folder.done("pull", "--format", "json")
            #expect(try real.json()["entities"] == outcome.json()["entities"])
        }
    }

    @Test func `a dry run neither creates nor migrates a store`() async throws {
        try await Shop.open { shop in
            let first = try await shop.folder.done("pull", "--dry-run")
            #expect(first.lines.contains { $0.hasPrefix("Book ") && $0.contains("  7  ") })
            #expect(!shop.folder.has("shop.db"))

            try await shop.fill()
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing("title: string", with: "title: string, pages: integer64"),
                to: "model.yml"
            )
            let before = try bytes(shop.folder)
            let second = try await shop.folder.done("pull", "--dry-run")
            #expect(second.stderr.contains("Would migrate"), "\(second)")
            #expect(try bytes(shop.folder) == before)
        }
    }

    /// The count that a service with three objects reports, and the message that results.
    private static let countMismatches = [
        (
            5,
            "Thing moved between pages while it was read (3 of 5 objects read); nothing of it was "
        ),
        (2, "(3 objects read, 2 reported by the service); nothing of it was deleted."),
    ]

    @Test(arguments: countMismatches)
    func `a count mismatch is reported with both counts`(
        _ total: Int,
        _ message: String
    ) async throws {
        let page = #"{"count": \#(total), "next": NEXT, "results": [OBJECTS]}"#
        let fixedResponses = FixedResponses(bodies: [
            "things": page.replacing("NEXT", with: #""BASE/things?page=2""#)
                .replacing("OBJECTS", with: #"{"id": 1}, {"id": 2}"#),
            "things?page=2": page.replacing("NEXT", with: "null")
                .replacing("OBJECTS", with: #"{"id": 3}"#),
        ])
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            try folder.write(
                "entities: {Thing: {attributes: {id: integer64}}}",
                to: "model.yml"
            )
            try folder.write(
                "store: s.db\nmodel: model.yml\nservice: {url: \"\(url.absoluteString)\"}\n"
                    + "resources: {Thing: {path: things, total: count}}\n",
                to: "tidemark.yml"
            )
            let outcome = try await folder.run("pull")
            #expect(outcome.stderr.contains(message), "\(outcome)")
        }
    }

    @Test func `--dry-run with --watch is a usage error`() async throws {
        let folder = try Folder()
        try await InvalidCommand(
            "pull",
            "--dry-run",
            "--watch",
            "1s",
            status: 64,
            "Error: --watch pulls repeatedly, and --dry-run changes nothing."
        )
        .check(in: folder)
    }

    @Test func `a full pull sends unconditional requests`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake.clearRequests()
            try await shop.fill()
            #expect(shop.fake.requests.allSatisfy { $0.status == 304 })
            shop.fake.clearRequests()
            let outcome = try await shop.folder.done("pull", "--full", "--format", "json")
            #expect(shop.fake.requests.map(\.status) == [200, 200, 200, 200])
            #expect(try outcome.json()["entities"]?["Book"]?["unchanged"] == 7)
        }
    }

    @Test(arguments: ["soon", "0s", "-1s", "5 m", "1w"])
    func `an invalid interval is a usage error`(_ text: String) async throws {
        try await Shop.open { shop in
            try await InvalidCommand(
                "pull",
                "--watch=\(text)",
                status: 64,
                "--watch: write 30s, 500ms or 5m, not \(text)."
            )
            .check(in: shop.folder)
            #expect(shop.fake.requests.isEmpty)
        }
    }
}
