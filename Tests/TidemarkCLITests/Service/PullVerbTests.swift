import HTTPTypes
import Testing
import TidemarkTesting

/// `tidemark pull` with a configuration.
@Suite(.timeLimit(.minutes(40)))
struct PullVerbTests {
    @Test func `a pull fills the store and reports it, and a second pull changes nothing`()
        async throws
    {
        try await Shop.open { shop in
            let first = try await shop.fill()
            #expect(
                first.lines.prefix(4) == [
                    "resource  pages  objects  inserted  updated  unchanged  deleted  skipped",
                    "────────  ─────  ───────  ────────  ───────  ─────────  ───────  ───────",
                    "Author        1        3         3        0          0        0        0",
                    "Book          3        7         7        0          0        0        0",
                ]
            )
            #expect(first.lines.last?.hasPrefix("4 requests, ") == true)
            #expect(first.lines.last?.hasSuffix(" 10 objects read.") == true)
            #expect(first.stderr == "")
            let dump = try await shop.dump()
            #expect(
                dump["Author"]?[0] == [
                    "$ref": "Author#1", "id": 1, "name": "Author 1", "books": ["Book#3", "Book#6"],
                ]
            )

            let second = try await shop.folder.done("pull", "--format", "json").json()
            #expect(
                second.keys == [
                    "bytes", "diagnostics", "diagnosticsOmitted", "entities", "isComplete",
                    "pendingDeletions", "requests", "resources", "unresolved",
                    "unresolvedReferenceCount",
                ]
            )
            #expect(second["isComplete"] == true)
            #expect(second["requests"] == 4)
            #expect(second["unresolvedReferenceCount"] == 0)
            #expect(
                second["resources"]?["books/"] == [
                    "entity": "Book", "ending": "unchanged", "pages": 0, "unchangedPages": 3,
                    "objects": 0, "total": 7, "warnings": [],
                ]
            )
            #expect(
                second["entities"]?["Book"]
                    == ["inserted": 0, "updated": 0, "unchanged": 7, "deleted": 0, "skipped": 0]
            )
            #expect(try await shop.dump() == dump)
        }
    }

    @Test func `the row of a deleted object is deleted`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake["books/3"] = nil
            let outcome = try await shop.folder.done("pull", "--format", "json")
            #expect(try outcome.json()["entities"]?["Book"]?["deleted"] == 1)
            let author = try await shop.folder.done("get", "Author:1", "--store", "shop.db")
            #expect(try author.json()["books"] == ["Book#6"])
        }
    }

    @Test func `deletes none keeps the rows of deleted objects`() async throws {
        try await Shop.open { shop in
            try shop.configure(resources: ", deletes: none")
            try await shop.fill()
            let dump = try await shop.dump()
            shop.fake["books/7"] = nil
            try await shop.fill()
            #expect(try await shop.dump() == dump)
        }
    }

    @Test func `--only pulls the specified entities`() async throws {
        try await Shop.open { shop in
            _ = try await shop.folder.done("pull", "--only", "Author")
            #expect(shop.fake.requests.map(\.request.path) == ["/api/authors/"])
            let books = try await shop.folder.done("pull", "--only", "Book,Author")
            #expect(books.lines.count == 5)
        }
    }

    @Test func `unresolved references are reported`() async throws {
        try await Shop.open { shop in
            let outcome = try await shop.folder.done("pull", "--only", "Book")
            #expect(
                outcome.lines.last
                    == "7 unresolved references of Book.author to Author: their rows are not in the "
                    + "store."
            )
            let all = try await shop.fill()
            #expect(!all.stdout.contains("unresolved"))
        }
    }

    @Test func `unresolved references to an entity without a resource name the missing list`()
        async throws
    {
        try await Shop.open { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                text.replacing("  Author: {path: authors/}\n", with: ""),
                to: "tidemark.yml"
            )
            let message =
                "7 unresolved references of Book.author to Author: no resource lists Author. Add one to "
                + "resolve them."
            #expect(try await shop.fill().lines.last == message)
            let status = try await shop.folder.done("status")
            #expect(status.lines.last == message)
            let json = try await shop.folder.done("status", "--format", "json").json()
            #expect(
                json["unresolved"] == [
                    [
                        "entity": "Book", "relationship": "author", "destination": "Author",
                        "count": 7, "isListed": false,
                    ]
                ]
            )
        }
    }

    @Test func `--quiet prints only what cannot be stored, or only the report in JSON`()
        async throws
    {
        try await Shop.open { shop in
            shop.fake["books/7"]?["colour"] = "red"
            let text = try await shop.folder.done("pull", "--quiet")
            #expect(text.stdout + text.stderr == "")
            shop.fake["books/8"] = ["id": .string("odd"), "title": "Odd"]
            shop.fake["books/9"] = ["id": 9, "title": ["odd"]]
            let invalid = try await shop.folder.done("pull", "--quiet")
            #expect(invalid.stdout == "")
            #expect(invalid.stderr.contains("Book:odd, id: The object has no usable primary key."))
            #expect(invalid.stderr.contains("Book:9, title: "), "\(invalid)")
            #expect(!invalid.stderr.contains("colour"), "\(invalid)")
            let json = try await shop.folder.done("pull", "-q", "--format", "json")
            #expect(try json.json()["isComplete"] == true)
            #expect(json.stderr == "")
        }
    }

    @Test func `a pull accepts the options of an import`() async throws {
        try await Shop.open { shop in
            shop.fake["authors/1"]?["name"] = ["first": "A"]
            let author = try await shop.folder.done("pull", "--only", "Author", "--show-values")
            #expect(author.stderr.contains("Author:1, name: "), "\(author)")
            #expect(author.stderr.contains("first"), "\(author)")
            let books = try await shop.folder.done(
                "pull",
                "--only",
                "Book",
                "--unresolved",
                "ignore"
            )
            #expect(!books.stdout.contains("unresolved"), "\(books)")
        }
    }

    @Test(
        arguments: [("skip", 0, "Author 1"), ("null", 0, nil), ("abort", 65, "Author 1")]
            as [(String, Int32, JSON)]
    )
    func `a pull handles invalid values according to the policy`(
        _ policy: String,
        _ status: Int32,
        _ name: JSON
    ) async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake["authors/1"]?["name"] = ["first": "A"]
            let outcome = try await shop.folder.run("pull", "--invalid", policy)
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.stderr.contains("Author:1, name: "), "\(outcome)")
            #expect(try await shop.dump()["Author"]?[0]?["name"] == name)
        }
    }

    @Test func `--only rejects an entity without a resource before any request`() async throws {
        try await Shop.open { shop in
            try await InvalidCommand(
                "pull",
                "--only",
                "Author,Cat",
                status: 64,
                "No resource lists Cat. Configured are Author, Book."
            )
            .check(in: shop.folder)
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test func `a resource for an entity that the model lacks is rejected`() async throws {
        try await Shop.open { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(text + "\n  Cat: {path: cats/}\n", to: "tidemark.yml")
            try await InvalidCommand(
                "pull",
                status: 64,
                "The resource cats/ is for Cat, which the model lacks. It has Author, Book."
            )
            .check(in: shop.folder)
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test func `without resources, entities with a primary key are pulled from their plural paths`()
        async throws
    {
        try await Shop.open { shop in
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model + "\n  Remark:\n    attributes: {text: string}\n",
                to: "model.yml"
            )
            try shop.folder.write(
                "{store: shop.db, model: model.yml, service: {url: '\(shop.url)'}}",
                to: "tidemark.yml"
            )
            try await shop.fill()
            #expect(try await shop.dump()["Book"]?.elements.count == 7)
        }
    }

    @Test func `concurrent pulls of a store succeed or end with status 75`() async throws {
        try await Shop.open { shop in
            async let first = shop.folder.run("pull")
            async let second = shop.folder.run("pull")
            for outcome in try await [first, second] {
                #expect([0, 75].contains(outcome.status), "\(outcome)")
            }
            let dump = try await shop.dump()
            #expect(dump["Author"]?.elements.count == 3)
            #expect(dump["Book"]?.elements.count == 7)
        }
    }
}
