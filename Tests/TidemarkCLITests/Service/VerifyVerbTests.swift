import Foundation
import GRDB
import Testing
import TidemarkTesting

/// `tidemark verify`, which compares a store with its service.
@Suite(.timeLimit(.minutes(40)))
struct VerifyVerbTests {
    @Test func `a missing store cannot be verified`() async throws {
        try await Shop.open { shop in
            shop.fake.inject(.status(404))
            let outcome = try await shop.folder.run("verify")
            #expect(outcome.status == 66)
            #expect(!shop.folder.has("shop.db"))
        }
    }

    @Test func `a store matches its service after a pull`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let outcome = try await shop.folder.done("verify")
            #expect(outcome.stdout == "The store matches the service.\n")
            let json = try await shop.folder.done("verify", "--format", "json").json()
            #expect(
                json == [
                    "matches": true, "entities": [:], "rows": [], "rowsOmitted": 0,
                    "unpushed": [], "unpushedOmitted": 0, "incomplete": [], "unprovenEnds": [:],
                    "missingLinks": [],
                    "skippedEntities": [], "invalid": [], "unconfirmed": [],
                ]
            )
        }
    }

    @Test func `local changes do not count`() async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(service: "push: preset")
            try await shop.fill()
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            _ = try await folder.done("delete", "Book:2")
            let same = try await folder.done("verify")
            #expect(
                same.stdout == """
                    The store matches the service, apart from 2 local changes that the service does not \
                    have.

                    """
            )
            shop.fake["books/1"]?["title"] = "hers"
            let changed = try await folder.done("verify", "--show-values")
            #expect(
                changed.lines.prefix(2) == [
                    "Rows with local changes, which the service has changed, too:",
                    "Book:1 differs in title (Book 1 here, hers at the service).",
                ]
            )
            let json = try await folder.done("verify", "--format", "json").json()
            #expect(json["matches"] == true)
            #expect(json["unpushed"]?[0]?["ref"] == "Book#1")
            shop.fake["books/3"]?["title"] = "hers"
            let other = try await folder.run("verify", "--quiet")
            #expect(other.status == 1)
            #expect(other.stdout.hasPrefix("Book:3 differs in title.\n"), "\(other)")
        }
    }

    @Test func `objects and values that cannot be stored are differences`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake["authors/1"]?["name"] = ["first": "A"]
            shop.fake["books/8"] = ["id": "odd", "title": "Odd"]
            _ = try await shop.folder.done("pull", "--quiet")
            let text = try await shop.folder.run("verify", "--quiet", "--show-values")
            #expect(text.status == 1, "\(text)")
            #expect(
                text.stdout == """
                    Author:1 differs in name (Author 1 here, no valid value at the service).

                    """
            )
            #expect(text.stderr.contains("Author:1, name: "), "\(text)")
            #expect(text.stderr.contains("Book:odd, id: The object has no usable primary key."))
            let books = try await shop.folder.run("verify", "--only", "Book")
            #expect(books.status == 1, "\(books)")
            #expect(books.stdout == "")
            #expect(
                books.stderr.hasSuffix(
                    "tidemark: Objects of the service are missing, which cannot be stored: Book.\n"
                )
            )
            let json = try await shop.folder.run("verify", "--only", "Book", "--format", "json")
                .json()
            #expect(json["matches"] == false)
            #expect(json["skippedEntities"] == ["Book"])
            #expect(json["invalid"]?[0]?["severity"] == "error")
        }
    }

    @Test func `invalid values are compared as a pull with the same policy stores them`()
        async throws
    {
        try await Shop.open { shop in
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing("name: string", with: "name: {type: string, default: unnamed}"),
                to: "model.yml"
            )
            shop.fake["authors/1"]?["name"] = ["first": "A"]
            _ = try await shop.folder.done("pull", "--quiet", "--invalid", "null")
            let same = try await shop.folder.done("verify", "--invalid", "null")
            #expect(same.stdout == "The store matches the service.\n")
            let other = try await shop.folder.run("verify", "--show-values")
            #expect(other.status == 1, "\(other)")
            #expect(
                other.stdout == """
                    Author:1 differs in name (no value here, unnamed at the service).

                    """
            )
        }
    }

    @Test func `rows whose parent is unresolved are expected if pulls store them`() async throws {
        try await Shop.open { shop in
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing("Book:\n", with: "Book:\n    primaryKey: [author, id]\n"),
                to: "model.yml"
            )
            shop.fake["books/8"] = ["id": 8, "title": "Book 8", "author_id": 9]
            // The first page of books may be imported before their authors.
            for _ in 0..<2 {
                _ = try await shop.folder.done("pull", "--quiet", "--unresolved", "ignore")
            }
            let same = try await shop.folder.run("verify", "--quiet", "--unresolved", "ignore")
            #expect(same.status == 1, "\(same)")
            #expect(same.stdout == "")
            let other = try await shop.folder.run("verify", "--quiet")
            #expect(other.status == 1, "\(other)")
            #expect(other.stdout == "Book#8 is missing here.\n")
        }
    }

    @Test func `rows that lack a required link are listed, as text and as JSON`() async throws {
        try await Shop.open { shop in
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing("inverse: books}", with: "inverse: books, optional: false}"),
                to: "model.yml"
            )
            shop.fake["books/8"] = ["id": 8, "title": "Without an author"]
            try await shop.fill()
            let text = try await shop.folder.done("verify")
            #expect(
                text.stdout == """
                    Book#8 lacks author, which the model requires.
                    The store matches the service.

                    """
            )
            let json = try await shop.folder.done("verify", "--format", "json").json()
            #expect(json["missingLinks"] == [["ref": "Book#8", "relationship": "author"]])
        }
    }

    @Test func `differences are reported row by row, and nothing changes`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake["books/3"] = nil
            shop.fake["books/4"]?["title"] = "Other"
            shop.fake["books/8"] = ["id": 8, "title": "New"]
            let before = try await shop.dump()
            let text = try await shop.folder.run("verify")
            #expect(text.status == 1)
            #expect(
                text.stdout == """
                    Book:3 is not at the service.
                    Book:4 differs in title.
                    Book:8 is missing here.

                    """
            )
            #expect(text.stderr == "tidemark: 3 rows differ from the service's.\n")
            let values = try await shop.folder.run("verify", "--show-values", "--only", "Book")
            #expect(
                values.lines.contains(
                    "Book:4 differs in title (Book 4 here, Other at the service)."
                )
            )
            let json = try await shop.folder.run("verify", "--format", "json").json()
            #expect(json["matches"] == false)
            #expect(
                json["entities"] == ["Book": ["missing": 1, "extra": 1, "different": 1]]
            )
            #expect(json["rows"]?.elements.count == 3)
            #expect(try await shop.dump() == before)
        }
    }

    @Test func `control characters of keys and values are omitted from text and kept in JSON`()
        async throws
    {
        let title =
            "Red\u{1B}[2J\r\nBook:9 is missing here.\u{7}\(String(repeating: "x", count: 99))"
        try await Shop.open { shop in
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing("{id: integer64, title", with: "{id: string, title"),
                to: "model.yml"
            )
            try await shop.fill()
            shop.fake["books/4"]?["title"] = .string(title)
            shop.fake["books/8"] = ["id": "8\u{9B}31m\nBook:10", "title": "New"]
            let text = try await shop.folder.run("verify", "--show-values")
            #expect(text.status == 1)
            #expect(text.lines.count == 2, "\(text)")
            #expect(text.stdout.contains("(Book 4 here, Red [2J"))
            #expect(text.stdout.contains("Book:8 31m Book:10 is missing here.\n"))
            #expect(text.stdout.contains(String(repeating: "x", count: 99)))
            let hasControlCharacter = text.stdout.unicodeScalars.contains {
                $0 != "\n" && $0.properties.generalCategory == .control
            }
            #expect(!hasControlCharacter)
            let json = try await shop.folder.run("verify", "--show-values", "--format", "json")
            let rows = try json.json()["rows"]?.elements ?? []
            #expect(rows.contains { $0["there"]?["title"]?.string == title })
        }
    }

    @Test func `--only limits the comparison to the specified entities`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake["books/3"] = nil
            _ = try await shop.folder.done("verify", "--only", "Author")
            let outcome = try await shop.folder.run("verify", "--only", "Writer")
            #expect(outcome.status == 64)
            #expect(
                outcome.stderr
                    == "tidemark: No resource lists Writer. Configured are Author, Book.\n"
            )
        }
    }

    @Test func `a service that cannot be read is an error`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            shop.fake.inject(.status(503), at: "books/")
            let outcome = try await shop.folder.run("verify")
            #expect(outcome.status == 69)
            #expect(outcome.stdout == "")
            #expect(outcome.stderr.contains("books/ returned 503"))
        }
    }

    @Test func `a dry run and a verification succeed during a pull of another process`()
        async throws
    {
        try await Shop.open { shop in
            let folder = shop.folder
            let list = ["\(shop.url)books/", "--into", "list.db"]
            try await shop.fill()
            #expect(try await folder.run(["pull"] + list).status == 0)
            for store in ["shop.db", "list.db"] { try Self.occupy(folder.path(store)) }
            for pull in [["pull"], ["pull"] + list] {
                #expect(try await folder.run(pull).status == 75)
                let outcome = try await folder.run(pull + ["--dry-run"])
                #expect(outcome.status == 0, "\(outcome)")
            }
            _ = try await folder.done("verify")
        }
    }

    /// Stores the lease of a pull by a process on another host.
    private static func occupy(_ path: String) throws {
        try DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_lease (_id, token, host, process, started, expires) \
                    VALUES (1, 'theirs', 'elsewhere', 1, 1, strftime('%s') + 3600.0)
                    """
            )
        }
    }
}
