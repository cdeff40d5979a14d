import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// Stores that remember their service, and configurations without a model.
@Suite(.timeLimit(.minutes(40)))
struct StoredServiceTests {
    @Test func `a store created from a URL is pulled and verified without the URL`() async throws {
        try await Shop.open { shop in
            try FileManager.default.removeItem(atPath: shop.folder.path("tidemark.yml"))
            _ = try await shop.folder.done("pull", "\(shop.url)books/", "--into", "s.db")
            #expect(try await shop.folder.run("verify", "--store", "s.db").status == 0)
            shop.fake["books/9"] = ["id": 9, "title": "New", "author_id": 1]
            let different = try await shop.folder.run("verify", "--store", "s.db")
            #expect(different.status == 1, "\(different)")
            let pulled = try await shop.folder.run("pull", "--store", "s.db")
            #expect(pulled.status == 0, "\(pulled)")
            #expect(try await shop.folder.dump()["Book"]?.elements.count == 8)
            let byAddress = try await shop.folder.run(
                "verify",
                "\(shop.url)books/",
                "--into",
                "s.db"
            )
            #expect(byAddress.status == 0, "\(byAddress)")
        }
    }

    @Test func `a store that remembers no service requires a configuration or a URL`()
        async throws
    {
        let folder = try Folder()
        try folder.write("entities: {Book: {attributes: {id: integer64}}}", to: "m.yml")
        _ = try await folder.done(
            "import",
            "-",
            "--into",
            "Book",
            "--model",
            "m.yml",
            "--store",
            "s.db",
            stdin: "[]"
        )
        for verb in ["pull", "verify"] {
            try await InvalidCommand(
                verb,
                "--store",
                "s.db",
                status: 66,
                "s.db does not remember a service, and there is no tidemark.yml. Name a "
                    + "configuration or an address."
            )
            .check(in: folder)
        }
    }

    /// Pagination is recognized at every pull, not only at the first one.
    @Test func `a list that grows from one page to several is read to its end`() async throws {
        try await Shop.open { shop in
            try FileManager.default.removeItem(atPath: shop.folder.path("tidemark.yml"))
            for book in 4...7 { shop.fake["books/\(book)"] = nil }
            _ = try await shop.folder.done("pull", "\(shop.url)books/", "--into", "s.db")
            for book in 4...9 {
                shop.fake["books/\(book)"] = ["id": .number("\(book)"), "title": "New"]
            }
            _ = try await shop.folder.done("pull", "--store", "s.db")
            let count = try await shop.folder.done("count", "Book", "--store", "s.db")
            #expect(count.stdout == "9\n")
        }
    }

    @Test(arguments: [[], ["--full"]])
    func `null in place of the object of a key path clears the value in an inferred model`(
        _ options: [String]
    ) async throws {
        try await Shop.open { shop in
            try FileManager.default.removeItem(atPath: shop.folder.path("tidemark.yml"))
            for book in 1...7 {
                shop.fake["books/\(book)"] = [
                    "id": .number("\(book)"), "image": ["url": .string("\(book).png")],
                ]
            }
            func images() async throws -> String {
                let columns = ["--columns", "id,imageURL", "--where", "id < 3", "--sort", "id"]
                return try await shop.folder.run(
                    ["query", "Book", "--store", "s.db", "--format", "csv"] + columns
                ).stdout
            }
            _ = try await shop.folder.done("pull", "\(shop.url)books/", "--into", "s.db")
            #expect(try await images() == "id,imageURL\r\n1,1.png\r\n2,2.png\r\n")
            shop.fake["books/1"] = ["id": 1, "image": nil]
            let pulled = try await shop.folder.run(["pull", "--store", "s.db"] + options)
            #expect(pulled.status == 0, "\(pulled)")
            #expect(try await images() == "id,imageURL\r\n1,\r\n2,2.png\r\n")
        }
    }

    @Test func `verify does not create a store from a URL`() async throws {
        try await Shop.open { shop in
            let outcome = try await shop.folder.run(
                "verify",
                "\(shop.url)books/",
                "--store",
                "s.db"
            )
            #expect(outcome.status == 66, "\(outcome)")
            #expect(!shop.folder.has("s.db"))
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test func `the first pull with a configuration without a model infers one`() async throws {
        try await Shop.open { shop in
            try shop.folder.write(
                """
                store: shop.db
                service: {url: "\(shop.url)"}
                resources:
                  Writer: {path: authors/}
                  Book: {path: books/}
                """,
                to: "tidemark.yml"
            )
            let dry = try await shop.folder.run("pull", "--dry-run")
            #expect(dry.status == 0, "\(dry)")
            #expect(!shop.folder.has("shop.db"))
            shop.fake.clearRequests()
            let first = try await shop.folder.run("pull")
            #expect(first.status == 0, "\(first)")
            #expect(shop.fake.requests.count == 4)
            let dump = try await shop.dump()
            #expect(dump.keys == ["Book", "Writer"])
            #expect(dump["Book"]?.elements.count == 7)
            #expect(dump["Writer"]?.elements.count == 3)
            #expect(try await shop.folder.run("pull").status == 0)
            #expect(try await shop.folder.run("verify").status == 0)
            #expect(try await shop.dump() == dump)
        }
    }

    @Test func `a configuration without model and resources pulls the lists at its URL`()
        async throws
    {
        let fixedResponses = FixedResponses(
            bodies: [
                "": #"{"films": "BASE/films/", "people": "BASE/people/", "none": "BASE/none/"}"#,
                "films/": #"[{"id": 1, "title": "A"}]"#,
                "people/": #"{"items": [{"id": 2, "name": "B"}], "total_count": 1}"#,
                "none/": "[]",
            ],
            required: ("X-Client", "films")
        )
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            try folder.write(
                "store: s.db\nservice: {url: \"\(url.absoluteString)\", headers: {X-Client: films}}\n",
                to: "tidemark.yml"
            )
            let first = try await folder.run("pull")
            #expect(first.status == 0, "\(first)")
            let dump = try await folder.dump()
            #expect(dump.keys == ["Film", "Person"])
            #expect(dump["Person"]?[0]?["name"] == "B")
            let again = try await folder.run("pull")
            #expect(again.status == 0, "\(again)")
            #expect(try await folder.run("verify").status == 0)
            #expect(try await folder.dump() == dump)
        }
    }

    @Test func `configured list options and service name apply whatever the response indicates`()
        async throws
    {
        try await Shop.open { shop in
            try shop.folder.write(
                """
                store: shop.db
                service:
                  url: "\(shop.url)books/"
                  name: shop
                  lists: {deletes: none, order: sort=id}
                """,
                to: "tidemark.yml"
            )
            _ = try await shop.folder.done("pull")
            for book in 2...7 { shop.fake["books/\(book)"] = nil }
            shop.fake.clearRequests()
            _ = try await shop.folder.done("pull")
            #expect(try await shop.folder.done("count", "Book").stdout == "7\n")
            #expect(shop.fake.requests.first?.description.contains("sort=id") == true)
            let status = try await shop.folder.done("status")
            #expect(status.lines.first == "The store belongs to shop.")
        }
    }

    @Test func `configured pagination reads a list whose responses do not indicate the next page`()
        async throws
    {
        let fixedResponses = FixedResponses(bodies: [
            "items": #"{"data": [{"id": 1}], "more": [{"x": 2}], "total": 2}"#,
            "items?page=1": #"{"data": [{"id": 1}], "total": 2}"#,
            "items?page=2": #"{"data": [{"id": 2}], "total": 2}"#,
            "items?page=3": #"{"data": [], "total": 2}"#,
        ])
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            let service = "url: \"\(url.absoluteString)items\""
            try folder.write("store: s.db\nservice: {\(service)}\n", to: "tidemark.yml")
            #expect(try await folder.run("pull").status == 65)
            try folder.write(
                """
                store: s.db
                service: {\(service), lists: {envelope: data, pagination: page}}
                """,
                to: "tidemark.yml"
            )
            let outcome = try await folder.run("pull")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try await folder.done("count", "Item").stdout == "2\n")
        }
    }

    /// Writes a configuration without a model.
    private func configure(_ shop: Shop, _ resources: String...) throws {
        try shop.folder.write(
            "store: shop.db\nservice: {url: \"\(shop.url)\"}\nresources:\n"
                + resources.map { "  \($0)\n" }.joined(),
            to: "tidemark.yml"
        )
    }

    @Test func `a list that gets objects after the first pull is added to the inferred model`()
        async throws
    {
        try await Shop.open { shop in
            let lists = ["Author: {path: authors/}", "Book: {path: books/}"]
            try configure(shop, lists[0], lists[1])
            let books: [FakeJSON] = (1...7).map {
                ["id": .number("\($0)"), "title": "Book", "note": .null]
            }
            for number in 1...7 { shop.fake["books/\(number)"] = nil }
            let first = try await shop.folder.done("pull")
            #expect(first.stderr.contains("Book is left out: books/ has no objects"), "\(first)")
            for (number, book) in books.enumerated() { shop.fake["books/\(number + 1)"] = book }
            let verified = try await shop.folder.run("verify")
            #expect(verified.status == 65, "\(verified)")
            #expect(
                verified.stderr.contains("Book: the objects of books/ are not in the store yet")
            )
            let dry = try await shop.folder.done("pull", "--dry-run")
            #expect(dry.stderr.contains("Book was added to the model"), "\(dry)")
            #expect(try await shop.dump().keys == ["Author"])
            let second = try await shop.folder.done("pull")
            #expect(second.stderr.contains("Book was added to the model"), "\(second)")
            let guess = "Book.note: It was always null, so its type is a guess.\n"
            #expect(second.stderr.contains(guess), "\(second)")
            let dump = try await shop.dump()
            #expect(dump["Author"]?.elements.count == 3)
            #expect(dump["Book"]?.elements.count == 7)
            #expect(try await shop.folder.done("pull").stderr == "")
            #expect(try await shop.folder.run("verify").status == 0)
        }
    }

    @Test func `a list for which no entity can be added is reported and fails the pull`()
        async throws
    {
        try await Shop.open { shop in
            try configure(shop, "Author: {path: authors/}")
            _ = try await shop.folder.done("pull")
            try configure(
                shop,
                "Author: {path: authors/}",
                "Note: {path: missing/}",
                "Writer: {path: authors/}"
            )
            shop.fake["authors/9"] = ["id": 9, "name": "New"]
            for verb in ["pull", "verify"] {
                let outcome = try await shop.folder.run(verb)
                #expect(outcome.status == 66, "\(outcome)")
                for message in [
                    "Note: the stored model has no entity of this name, and the list cannot be read: ",
                    "Writer: authors/ was pulled as Author before, and the stored model has no "
                        + "entity Writer. Use the name Author, or pull into a new store.",
                    "tidemark: 2 lists of the configuration were left out: Note, Writer.",
                ] {
                    #expect(outcome.stderr.contains(message), "\(outcome)")
                }
            }
            #expect(try await shop.folder.done("count", "Author").stdout == "4\n")
            #expect(try await shop.folder.run("pull", "--only", "Author").status == 0)
            let only = try await shop.folder.run("pull", "--only", "Writer")
            #expect(only.status == 65)
            #expect(only.stderr.hasPrefix("tidemark: Writer: authors/ was pulled as"), "\(only)")
            try configure(shop, "Auhtor: {path: authors/}")
            let wrong = try await shop.folder.run("pull")
            #expect(wrong.status == 65)
            #expect(wrong.stderr.hasPrefix("tidemark: Auhtor: authors/ was pulled as"), "\(wrong)")
        }
    }

    @Test func `lists without objects are skipped, and the pull fails if all are empty`()
        async throws
    {
        let fixedResponses = FixedResponses(bodies: ["a": "[]", "b": #"[{"id": 1}]"#])
        try await FakeServer.run(fixedResponses.service) { url in
            let folder = try Folder()
            let head = "store: s.db\nservice: {url: \"\(url.absoluteString)\"}\nresources:\n"
            try folder.write("\(head)  A: {path: a}\n", to: "tidemark.yml")
            let rejected = try await folder.run("pull")
            #expect(rejected.status == 65)
            #expect(rejected.stderr.contains("have no objects, so no model can be inferred."))
            #expect(!folder.has("s.db"))
            try folder.write("\(head)  A: {path: a}\n  B: {path: b}\n", to: "tidemark.yml")
            let first = try await folder.run("pull")
            #expect(first.status == 0, "\(first)")
            #expect(first.stderr.contains("A is left out: a has no objects"), "\(first)")
            let second = try await folder.run("pull")
            #expect(second.status == 0)
            #expect(second.stderr.contains("A: a has no objects, so it is left out."), "\(second)")
        }
    }

    @Test(arguments: ["", "resources: {Film: {path: films}}"])
    func `a pull with a model without a primary key fails and names the entity`(
        _ resources: String
    ) async throws {
        try await Shop.open { shop in
            try shop.folder.write(
                "entities: {Film: {attributes: {title: string, episode: integer64}}}",
                to: "model.yml"
            )
            try shop.folder.write(
                "store: s.db\nmodel: model.yml\nservice: {url: \"\(shop.url)\"}\n\(resources)\n",
                to: "tidemark.yml"
            )
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.stderr.contains("primary key"))
            #expect(outcome.stderr.contains("Film"))
            #expect(outcome.stderr.contains("primaryKey"))
            #expect(!shop.folder.has("s.db"))
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test(arguments: ["http://127.0.0.1:99999/", "http://127.0.0.1:65536/", "https://"])
    func `a URL without a host or with an invalid port is an error`(_ url: String) async throws {
        try await Shop.open { shop in
            try shop.configure(url: url)
            for arguments in [
                ["pull"], ["pull", "\(url)a", "--into", "s.db"], ["model", "infer", "\(url)a"],
            ] where url != "https://" || arguments.count == 1 {
                let outcome = try await shop.folder.run(arguments)
                #expect([64, 65].contains(outcome.status), "\(outcome)")
                #expect(outcome.stderr.lowercased().contains("invalid url"), "\(outcome)")
            }
        }
    }
}
