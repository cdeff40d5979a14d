import Testing
import TidemarkTesting

/// What a pull does not dare to delete, and what becomes of it.
@Suite(.timeLimit(.minutes(40)))
struct SweepsVerbTests {
    private static let sentence =
        "Book no longer lists 12 of 12 rows. They are kept until you delete them with `tidemark sweeps "
        + "accept Book`, or dismiss this with `tidemark sweeps discard Book`."

    /// Twelve books that were pulled, of which the service tells no more.
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

    @Test func `a pull that would empty a table keeps the rows, says so, and ends with 75`()
        async throws
    {
        try await emptied { shop in
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 75, "\(outcome)")
            #expect(outcome.stderr == "tidemark: \(Self.sentence)\n")
            #expect(!outcome.stdout.contains("no longer lists"))
            #expect(try await count(shop) == "12\n")

            let json = try await shop.folder.run("pull", "--format", "json")
            #expect(json.status == 75)
            #expect(
                try json.json()["parked"] == [
                    ["resource": "books/", "entity": "Book", "rows": 12, "total": 12]
                ]
            )
            let status = try await shop.folder.done("status")
            #expect(status.lines.contains(Self.sentence))
        }
    }

    @Test func `what waits is listed, for people and for programs`() async throws {
        try await emptied { shop in
            let none = try await shop.folder.done("sweeps", "list")
            #expect(none.stdout == "Nothing waits for a decision.\n")
            #expect(try await shop.folder.done("sweeps", "list", "--format", "json").json() == [])
            _ = try await shop.folder.run("pull")
            #expect(try await shop.folder.done("sweeps", "list").stdout == Self.sentence + "\n")
            #expect(
                try await shop.folder.done("sweeps", "list", "--format", "json").json() == [
                    ["resource": "books/", "entity": "Book", "rows": 12, "total": 12]
                ]
            )
        }
    }

    @Test func `what is accepted is deleted, and does not wait any more`() async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("pull")
            let outcome = try await shop.folder.done(
                "sweeps",
                "accept",
                "books/",
                "--format",
                "json"
            )
            #expect(try outcome.json()["entities"]?["Book"]?["deleted"] == 12)
            #expect(try await count(shop) == "0\n")
            #expect(
                try await shop.folder.done("sweeps", "list").stdout
                    == "Nothing waits for a decision.\n"
            )
            #expect(try await shop.folder.done("pull").stderr == "")
        }
    }

    @Test(arguments: ["text", "json"])
    func `what is discarded stays, and is not asked for again at once`(
        _ format: String
    )
        async throws
    {
        try await emptied { shop in
            _ = try await shop.folder.run("pull")
            let outcome = try await shop.folder.done(
                "sweeps",
                "discard",
                "books/",
                "--format",
                format
            )
            if format == "json" {
                #expect(try outcome.json()[0]?["rows"] == 12)
            } else {
                #expect(outcome.stdout == "12 rows of books/ are kept.\n")
            }
            #expect(try await count(shop) == "12\n")
            let list = try await shop.folder.done("sweeps", "list")
            #expect(list.stdout == "Nothing waits for a decision.\n")
        }
    }

    @Test func `who allows deletes is not asked`() async throws {
        try await emptied { shop in
            let outcome = try await shop.folder.done("pull", "--allow-deletes")
            #expect(outcome.stderr == "")
            #expect(try await count(shop) == "0\n")
        }
    }

    @Test(arguments: ["accept", "discard"])
    func `a resource of which nothing waits is told`(_ verb: String) async throws {
        try await emptied { shop in
            try await Mistake(
                "sweeps",
                verb,
                "books/",
                status: 66,
                "No row of books/ waits for a decision. None does."
            )
            .check(in: shop.folder)
            _ = try await shop.folder.run("pull")
            try await Mistake(
                "sweeps",
                verb,
                "authors/",
                status: 66,
                "No row of authors/ waits for a decision. Those of Book do."
            )
            .check(in: shop.folder)
        }
    }
}
