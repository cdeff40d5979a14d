import Foundation
import Testing
import TidemarkTesting

/// Writes of a user, which a push sends, and of what the service has sent (`--from-service`).
@Suite(.timeLimit(.minutes(40)))
struct OriginOptionTests {
    /// Opens a shop that accepts changes, and whose objects were pulled.
    private func open(
        conflicts: String = "{}",
        _ body: (Shop) async throws -> Void
    ) async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(service: "push: preset")
            let configuration = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                "\(configuration)\nconflicts: \(conflicts)\n",
                to: "tidemark.yml"
            )
            try await shop.fill()
            try await body(shop)
        }
    }

    /// Prints the books with a low key, the local changes and the decisions about conflicts.
    private func state(_ shop: Shop) async throws -> [String] {
        let books = try await shop.dump()["Book"]?.elements ?? []
        let shown = books.filter { $0["id"] == 1 || $0["id"] == 2 || $0["id"] == 90 }.map { book in
            "\(book["title"]?.string ?? "–")"
        }
        let outbox = try await shop.folder.done("outbox", "list", "--format", "json").json()
        let changes = outbox["changes"]?.elements.map { change in
            ["row", "kind", "state"].compactMap { change[$0]?.string }.joined(separator: " ")
        }
        let conflicts = try await shop.folder.done("conflicts", "list", "--format", "json").json()
        let decisions = conflicts.elements.map { $0["decision"]?.string ?? "open" }
        return shown + (changes ?? []) + decisions
    }

    @Test func `a document that a user imports is pushed`() async throws {
        try await open { shop in
            let folder = shop.folder
            try folder.write(#"[{"id": 1, "title": "mine"}]"#, to: "books.json")
            let imported = try await folder.done(
                "import",
                "books.json",
                "--into",
                "Book",
                "--where",
                "id < 3",
                "--operations",
                "all"
            )
            #expect(imported.stderr.contains("1 of 7 rows of Book were deleted"), "\(imported)")
            #expect(
                try await state(shop) == ["mine", "Book#1 update pending", "Book#2 delete pending"]
            )
            #expect(try await folder.done("push").lines.first == "Book: 1 updated, 1 deleted")
            #expect(
                shop.fake.audit.map(\.description).sorted() == [
                    "delete books/2",
                    #"update books/1 {"id":1,"title":"mine","author_id":2}"#,
                ]
            )
        }
    }

    @Test(arguments: [
        ([], ["hers", "Book 2", "new"]), (["--operations", "all"], ["hers", "new"]),
    ])
    func `a document of the service is stored, and not pushed`(
        options: [String],
        expected: [String]
    ) async throws {
        try await open { shop in
            let folder = shop.folder
            try folder.write(
                #"[{"id": 1, "title": "hers"}, {"id": 90, "title": "new"}]"#,
                to: "books.json"
            )
            let scope = ["--into", "Book", "--where", "id < 3 OR id = 90"]
            let imported = try await folder.run(
                ["import", "books.json", "--from-service"] + scope + options
            )
            #expect(imported.status == 0, "\(imported)")
            #expect(
                imported.stderr.contains("1 row of Book is not in the document, and was kept")
                    == options.isEmpty,
                "\(imported)"
            )
            #expect(try await state(shop) == expected)
            #expect(try await folder.done("push").stdout == "Nothing was pushed.\n")
            #expect(shop.fake.audit.isEmpty)
        }
    }

    @Test func `a document that a user imports into a mirror deletes no row`() async throws {
        try await open { shop in
            let folder = shop.folder
            try folder.write(#"[{"id": 1, "title": "mine"}]"#, to: "books.json")
            let command = ["import", "books.json", "--into", "Book"]
            let dry = try await folder.run(command + ["--dry-run"])
            #expect(
                dry.stderr.contains("6 rows of Book are not in the document, and would be kept"),
                "\(dry)"
            )
            let json = try await folder.run(command + ["--format", "json"])
            #expect(json.status == 0, "\(json)")
            #expect(try json.json()["unlisted"] == 6)
            #expect(try await state(shop) == ["mine", "Book 2", "Book#1 update pending"])
        }
    }

    @Test(arguments: [
        ("{}", ["hers", "Book 2", "remote"]),
        ("{Book: localWins}", ["mine", "Book 2", "Book#1 update pending", "local"]),
        ("{Book: {title: manual}}", ["mine", "Book 2", "Book#1 update conflicted", "open"]),
    ])
    func `the policies decide between a local change and what the service has sent`(
        conflicts: String,
        expected: [String]
    ) async throws {
        let writes = [
            ["import", "book.json", "--into", "Book", "--operations", "upsert"],
            ["update", "Book:1", "--json", "book.json"],
            ["update", "Book:1", "--values", #"{"title": "hers"}"#],
            ["insert", "Book", "--values", #"{"id": 1, "title": "hers"}"#],
        ]
        for write in writes {
            try await open(conflicts: conflicts) { shop in
                let folder = shop.folder
                try folder.write(#"{"id": 1, "title": "hers"}"#, to: "book.json")
                _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
                let outcome = try await folder.run(write + ["--from-service"])
                #expect(outcome.status == 0, "\(write) \(outcome)")
                #expect(try await state(shop) == expected, "\(write)")
            }
        }
    }

    @Test func `values and links of the service are not pushed`() async throws {
        try await open { shop in
            let folder = shop.folder
            let inserted = try await folder.done(
                "insert",
                "Book",
                "--values",
                #"{"id": 90, "title": "new"}"#,
                "--links",
                #"{"author": "Author:3"}"#,
                "--from-service"
            )
            #expect(inserted.stdout == "Book#8\n")
            let updated = try await folder.done(
                "update",
                "Book:1",
                "--values",
                #"{"title": "hers"}"#,
                "--links",
                #"{"author": "Author:1"}"#,
                "--from-service"
            )
            #expect(updated.stdout == "Book#1: title, author\n")
            #expect(inserted.stderr + updated.stderr == "")
            #expect(try await state(shop) == ["hers", "Book 2", "new"])
            let linked = "id = 1 AND author.id = 1 OR id = 90 AND author.id = 3"
            #expect(try await folder.done("count", "Book", "--where", linked).stdout == "2\n")
            let unknown = try await folder.run(
                "insert",
                "Book",
                "--values",
                #"{"titel": "new"}"#,
                "--from-service"
            )
            #expect(unknown.status == 65, "\(unknown)")
        }
    }

    @Test func `an object that was deleted here comes back only if the service has changed it`()
        async throws
    {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("delete", "Book:2")
            let same = try await folder.run(
                "insert",
                "Book",
                "--values",
                #"{"id": 2, "title": "Book 2"}"#,
                "--from-service"
            )
            #expect(same.status == 77)
            #expect(
                same.stderr == """
                    tidemark: The Book was deleted here, and that is not pushed yet: nothing was \
                    stored.

                    """
            )
            #expect(try await state(shop) == ["Book 1", "Book#2 delete pending"])
            let changed = try await folder.done(
                "insert",
                "Book",
                "--values",
                #"{"id": 2, "title": "hers"}"#,
                "--from-service"
            )
            #expect(changed.stdout == "Book#2\n")
            #expect(try await state(shop) == ["Book 1", "hers", "remote"])
        }
    }

    @Test func `a local write says that a pull may undo it only where none is pushed`()
        async throws
    {
        let write = ["update", "Book:1", "--values", #"{"title": "mine"}"#]
        try await open { shop in
            let captured = try await shop.folder.run(write)
            #expect(captured.stderr == "")
        }
        try await Shop.open { shop in
            try await shop.fill()
            let local = try await shop.folder.run(write)
            #expect(local.stderr.contains("the next pull may undo it"), "\(local)")
            let other = ["update", "Book:1", "--values", #"{"title": "hers"}"#, "--from-service"]
            let received = try await shop.folder.run(other)
            #expect(received.stderr == "")
        }
    }
}
