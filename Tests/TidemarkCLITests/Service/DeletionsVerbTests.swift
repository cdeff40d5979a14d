import Foundation
import Testing
import TidemarkTesting

/// Pending deletions, and the verbs that list, approve and reject them.
@Suite(.timeLimit(.minutes(40)))
struct DeletionsVerbTests {
    private static let message =
        "Book: the service no longer has 12 of 12 rows of Book. They are kept. Run "
        + "`tidemark deletions approve Book` to delete them, or `tidemark deletions reject Book` to "
        + "keep them."

    private static let books: JSON = [
        "at": "store", "resource": "books/", "entity": "Book", "rows": 12,
        "entities": ["Book": ["rows": 12, "total": 12]],
    ]

    /// Opens a shop whose twelve books were pulled and then deleted at the service.
    private func emptied(_ body: (Shop) async throws -> Void) async throws {
        try await Shop.open { shop in
            for number in 8...12 {
                shop.fake["books/\(number)"] = ["id": .number("\(number)"), "title": "More"]
            }
            try await shop.fill()
            shop.fake.change { data in
                for number in 1...12 { data["books/\(number)"] = nil }
            }
            try await body(shop)
        }
    }

    private func count(_ shop: Shop) async throws -> String {
        try await shop.folder.done("count", "Book").stdout
    }

    @Test func `a pull that would empty a table keeps the rows and exits with 75`() async throws {
        try await emptied { shop in
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 75, "\(outcome)")
            #expect(outcome.stderr == "tidemark: \(Self.message)\n")
            #expect(!outcome.stdout.contains("tidemark deletions"))
            #expect(try await count(shop) == "12\n")

            let json = try await shop.folder.run("pull", "--format", "json")
            #expect(json.status == 75)
            #expect(
                try json.json()["pendingDeletions"] == [
                    Self.books
                ]
            )
            let status = try await shop.folder.done("status")
            #expect(status.lines.contains(Self.message))
        }
    }

    @Test func `a pull at a terminal prints a pending deletion once`() async throws {
        try await emptied { shop in
            let terminal = try Terminal()
            let outcome = try await shop.folder.run(
                URL(filePath: "/bin/sh"),
                [
                    "-c", #"exec "$0" pull <"$1" >"$1" 2>&1"#, Tidemark.executable.path,
                    terminal.path,
                ]
            )
            #expect(outcome.status == 75, "\(outcome)")
            let printed = try terminal.printed()
            #expect(printed.contains("tidemark: \(Self.message)"), "\(printed)")
            #expect(printed.split(separator: "tidemark deletions approve").count == 2)
        }
    }

    @Test func `pending deletions are listed, as text and as JSON`() async throws {
        try await emptied { shop in
            let none = try await shop.folder.done("deletions", "list")
            #expect(none.stdout == "No deletions are pending.\n")
            #expect(
                try await shop.folder.done("deletions", "list", "--format", "json").json() == []
            )
            _ = try await shop.folder.run("pull")
            #expect(try await shop.folder.done("deletions", "list").stdout == Self.message + "\n")
            let json = try await shop.folder.done("deletions", "list", "--format", "json").json()
            #expect(json[0]?["entities"] == ["Book": ["rows": 12, "total": 12]])
            #expect(json[0]?["listed"]?[11] == ["row": "Book#12", "key": "12"])
            let rows = try await shop.folder.done("deletions", "list", "Book").lines
            #expect(rows == (1...12).map { "Book:\($0)" } + [Self.message])
        }
    }

    @Test func `approving a deletion deletes its rows`() async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("pull")
            let outcome = try await shop.folder.done(
                "deletions",
                "approve",
                "books/",
                "--format",
                "json"
            )
            #expect(try outcome.json()["entities"]?["Book"]?["deleted"] == 12)
            #expect(try await count(shop) == "0\n")
            #expect(
                try await shop.folder.done("deletions", "list").stdout
                    == "No deletions are pending.\n"
            )
            #expect(try await shop.folder.done("pull").stderr == "")
        }
    }

    @Test func `approving in a store that remembers its service requests the list again`()
        async throws
    {
        try await emptied { shop in
            try FileManager.default.removeItem(atPath: shop.folder.path("tidemark.yml"))
            let books: [FakeJSON] = (1...12).map { ["id": .number("\($0)"), "title": "Book"] }
            shop.fake.change { data in
                for book in books { data["books/\(book.identity ?? "")"] = book }
            }
            _ = try await shop.folder.done("pull", "\(shop.url)books/", "--into", "s.db")
            shop.fake.change { data in
                for number in 1...12 { data["books/\(number)"] = nil }
            }
            #expect(try await shop.folder.run("pull", "--store", "s.db").status == 75)
            for book in books.prefix(2) { shop.fake["books/\(book.identity ?? "")"] = book }
            shop.fake.clearRequests()
            let outcome = try await shop.folder.done(
                "deletions",
                "approve",
                "Book",
                "--store",
                "s.db",
                "--format",
                "json"
            )
            #expect(try outcome.json()["entities"]?["Book"]?["deleted"] == 10)
            #expect(!shop.fake.requests.isEmpty)
            let kept = try await shop.folder.done("count", "Book", "--store", "s.db")
            #expect(kept.stdout == "2\n")
        }
    }

    @Test(arguments: [[], ["--offline"]])
    func `a dry run of an approval reports the rows and leaves them pending`(
        _ options: [String]
    ) async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("pull")
            shop.fake.clearRequests()
            let approval = ["deletions", "approve", "Book", "--dry-run"] + options
            let text = try await shop.folder.run(approval)
            #expect(text.status == 0, "\(text)")
            #expect(text.stdout.contains(" 12 "), "\(text)")
            let json = try await shop.folder.run(approval + ["--format", "json"])
            #expect(try json.json()["entities"]?["Book"]?["deleted"] == 12)
            #expect(shop.fake.requests.isEmpty == options.contains("--offline"))
            #expect(try await count(shop) == "12\n")
            #expect(try await shop.folder.done("deletions", "list").stdout == Self.message + "\n")
        }
    }

    @Test(arguments: ["text", "json"])
    func `rejecting a deletion keeps its rows`(
        _ format: String
    ) async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("pull")
            let outcome = try await shop.folder.done(
                "deletions",
                "reject",
                "books/",
                "--format",
                format
            )
            if format == "json" {
                #expect(try outcome.json()[0]?["rows"] == 12)
            } else {
                #expect(outcome.stdout == "The 12 rows of Book will be kept.\n")
            }
            #expect(try await count(shop) == "12\n")
            let kept =
                "Book: the service no longer has 12 of 12 rows of Book. They are kept, as you "
                + "decided. Run `tidemark deletions approve Book` to delete them."
            let list = try await shop.folder.done("deletions", "list")
            #expect(list.stdout == kept + "\n")
            let pull = try await shop.folder.done("pull")
            #expect(pull.stderr == kept + "\n")
            #expect(try await count(shop) == "12\n")
        }
    }

    @Test func `a suggested command contains the specified store and configuration`() async throws {
        try await emptied { shop in
            try FileManager.default.moveItem(
                atPath: shop.folder.path("tidemark.yml"),
                toPath: shop.folder.path("other.yml")
            )
            let store = " --store 'my shop.db'"
            let first = try await shop.folder.run("pull", "other.yml", "--store", "my shop.db")
            #expect(first.status == 0, "\(first)")
            for number in 1...12 {
                shop.fake["books/\(number)"] = ["id": .number("\(number)"), "title": "Book"]
            }
            _ = try await shop.folder.done("pull", "other.yml", "--store", "my shop.db")
            shop.fake.change { data in
                for number in 1...12 { data["books/\(number)"] = nil }
            }
            let pull = try await shop.folder.run("pull", "other.yml", "--store", "my shop.db")
            #expect(pull.stderr.contains("`tidemark deletions approve Book other.yml\(store)`"))
            #expect(pull.stderr.contains("`tidemark deletions reject Book\(store)`"), "\(pull)")
            for verb in ["deletions list", "status"] {
                let words = verb.split(separator: " ").map(String.init)
                let outcome = try await shop.folder.run(words + ["--store", "my shop.db"])
                #expect(outcome.stdout.contains("approve Book\(store)`"), "\(outcome)")
            }
        }
    }

    @Test func `approving with a configuration that does not exist is an error`() async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("pull")
            let outcome = try await shop.folder.run("deletions", "approve", "Book", "tidemrak.yml")
            #expect(outcome.status == 66, "\(outcome)")
            #expect(outcome.stderr.contains("There is no configuration at tidemrak.yml."))
            #expect(try await count(shop) == "12\n")
        }
    }

    @Test func `a pull with --allow-deletes deletes without approval`() async throws {
        try await emptied { shop in
            let outcome = try await shop.folder.done("pull", "--allow-deletes")
            #expect(outcome.stderr == "")
            #expect(try await count(shop) == "0\n")
        }
    }

    @Test(arguments: ["approve", "reject"])
    func `a list without a pending deletion is an error`(_ verb: String) async throws {
        try await emptied { shop in
            try await InvalidCommand(
                "deletions",
                verb,
                "books/",
                status: 66,
                "No deletion of books/ is pending. There are no pending deletions."
            )
            .check(in: shop.folder)
            _ = try await shop.folder.run("pull")
            try await InvalidCommand(
                "deletions",
                verb,
                "authors/",
                status: 66,
                "No deletion of authors/ is pending. Pending: Book."
            )
            .check(in: shop.folder)
        }
    }
}
