import Foundation
import Testing
import TidemarkTesting

/// The verbs that show a local change, and a conflict, with all that is known about it.
@Suite(.timeLimit(.minutes(40)))
struct OutboxVerbTests {
    /// Opens a shop that accepts changes of books with a title, and whose objects were pulled.
    private func open(_ body: (Shop) async throws -> Void) async throws {
        var writes = FakeWrites()
        writes.required = ["books": ["title"], "authors": ["name"]]
        try await Shop.open(accepting: writes) { shop in
            try shop.configure(service: "push: preset")
            try await shop.fill()
            try await body(shop)
        }
    }

    /// Returns the lines of a result with single spaces, without rules, and without what differs
    /// each time.
    private func words(_ outcome: Outcome) -> [String] {
        outcome.lines.filter { !$0.contains("─") }.map { line in
            line.split(separator: " ").joined(separator: " ")
                .replacing(/[0-9-]+T[0-9:]+Z/, with: "TIME")
                .replacing(/idempotency key: .*/, with: "idempotency key: KEY")
        }
    }

    @Test func `a rejected change is shown with its values and its request`() async throws {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": null}"#)
            #expect(
                words(try await folder.done("outbox", "show", "Book:1")) == [
                    "Book#1 (Book:1): update, pending", "property base local", "title Book 1",
                ]
            )
            _ = try await folder.run("push")
            #expect(
                words(try await folder.done("outbox", "show", "Book:1")) == [
                    "Book#1 (Book:1): update, rejected since TIME", "property base local",
                    "title Book 1", "request: PATCH books/1/", "idempotency key: KEY",
                    #"body: {"title":null}"#, "attempts: 1, the last at TIME",
                    "reason: 400 title: This field may not be blank.",
                ]
            )
            let json = try await folder.done("outbox", "show", "Book#1", "--format", "json").json()
            let change = try #require(json["changes"]?[0])
            #expect(
                change["values"]
                    == .array([["property": "title", "base": "Book 1", "local": .null]])
            )
            #expect(change["request"]?["method"] == "PATCH")
            #expect(change["request"]?["path"] == "books/1/")
            #expect(change["request"]?["body"] == #"{"title":null}"#)
            #expect(change["status"] == .number(400))
            #expect(
                change["fieldErrors"] == ["title": .array(["This field may not be blank."])]
            )
            #expect(change["state"] == "rejected")
        }
    }

    @Test func `a creation shows what is stored, and a deletion what the service has`()
        async throws
    {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("insert", "Author", "--values", #"{"name": null}"#)
            _ = try await folder.done(
                "insert",
                "Book",
                "--values",
                #"{"title": "new"}"#,
                "--links",
                #"{"author": "Author#4"}"#
            )
            _ = try await folder.done("delete", "Book:2")
            let created = [
                "Book#8: create, pending", "property base local", "title new", "author Author#4",
            ]
            #expect(words(try await folder.done("outbox", "show", "Book#8")) == created)
            #expect(
                words(try await folder.done("outbox", "show", "Book#2")) == [
                    "Book#2 (Book:2): delete, pending", "property base local", "id 2",
                    "title Book 2",
                    "author Author#3",
                ]
            )
            _ = try await folder.run("push")
            #expect(
                words(try await folder.done("outbox", "show", "Book#8")).last
                    == "It waits for Author#4: tidemark outbox show 'Author#4'"
            )
            let list = words(try await folder.done("outbox", "list"))
            #expect(
                list.filter { $0.hasPrefix("Book#8") } == [
                    "Book#8 create pending TIME waits for Author#4"
                ]
            )
            let json = try await folder.done("outbox", "list", "--format", "json").json()
            let blocked = (0..<3).map { json["changes"]?[$0]?["blockedBy"] }
            #expect(blocked.compactMap(\.self) == ["Author#4"])
            let missing = try await folder.run("outbox", "show", "Book:3")
            #expect(missing.status == 66)
            #expect(
                missing.stderr == """
                    tidemark: Book:3 has no local change. A row that was deleted is named by its \
                    number.

                    """
            )
        }
    }

    @Test func `a conflict is shown with what was kept, and all are exported`() async throws {
        try await open { shop in
            let folder = shop.folder
            #expect(try await folder.done("conflicts", "export").stdout == "")
            for number in 1...2 {
                _ = try await folder.done(
                    "update",
                    "Book:\(number)",
                    "--values",
                    #"{"title": "mine"}"#
                )
                shop.fake["books/\(number)"]?["title"] = "hers"
            }
            _ = try await folder.done("sync")
            #expect(
                words(try await folder.done("conflicts", "show", "1")) == [
                    "Conflict 1 of Book#1: edit, TIME", "property base local remote kept",
                    "title Book 1 mine hers hers", "Decision: remote, by remoteWins",
                ]
            )
            let json = try await folder.done("conflicts", "show", "2", "--format", "json").json()
            #expect(json["row"] == "Book#2")
            let lines = try await folder.done("conflicts", "export").lines
            #expect(try lines.map { try JSON(parsing: $0)["id"] } == [.number(1), .number(2)])
            #expect(try JSON(parsing: lines[1]) == json)
            let missing = try await folder.run("conflicts", "show", "9")
            #expect(missing.status == 66)
            #expect(missing.stderr.hasPrefix("tidemark: There is no conflict 9."))
        }
    }

    @Test func `an open conflict says how it is decided`() async throws {
        try await open { shop in
            let folder = shop.folder
            let configuration = try folder.text(of: "tidemark.yml")
            try folder.write(configuration + "\nconflicts: {default: manual}\n", to: "tidemark.yml")
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            shop.fake["books/1"]?["title"] = "hers"
            _ = try await folder.run("sync")
            #expect(
                words(try await folder.done("conflicts", "show", "1")).last
                    == "It is open. Decide it with tidemark conflicts resolve 1 --take local, "
                    + "remote or base."
            )
        }
    }

    @Test(arguments: ["8", "Book:8"])
    func `an object is adopted by the row of a creation whose response was lost`(
        key: String
    ) async throws {
        try await open { shop in
            let folder = shop.folder
            let values = #"{"title": "new"}"#
            _ = try await folder.done("insert", "Book", "--values", values)
            shop.fake.inject(.lostResponse, times: 1)
            #expect(try await folder.run("push", "-q").status == 75)
            shop.fake["books/8"]?["title"] = "NEW"
            let missing = try await folder.run("outbox", "adopt", "Book#8", "9")
            #expect(missing.status == 66)
            #expect(
                missing.stderr == """
                    tidemark: The service has no object Book:9. Only an object of the list books/ can \
                    be adopted.

                    """
            )
            let other = try await folder.run("outbox", "adopt", "Book#8", "1")
            #expect(other.status == 77)
            #expect(
                other.stderr.hasPrefix("tidemark: Book:1 is the object of Book#1, which had it")
            )
            let adopted = try await folder.done("outbox", "adopt", "Book#8", key)
            #expect(adopted.stdout == "Book#8 is the row of Book:8 now.\n")
            #expect(try await folder.done("get", "Book:8").stdout.contains("NEW"))
            #expect(try await folder.done("outbox", "list").stdout.contains("Nothing is left"))
            let again = try await folder.run("outbox", "adopt", "Book#8", key)
            #expect(again.status == 77)
            #expect(again.stderr.hasPrefix("tidemark: Book#8 is the row of Book:8 already."))
            _ = try await folder.done("sync")
        }
    }

    @Test func `a creation that was not sent adopts an object with a record of what differs`()
        async throws
    {
        try await open { shop in
            let folder = shop.folder
            let values = #"{"title": "mine"}"#
            let links = #"{"author": "Author:2"}"#
            _ = try await folder.done("insert", "Book", "--values", values, "--links", links)
            shop.fake["books/9"] = ["id": 9, "title": "hers", "author_id": .null]
            let adopted = try await folder.done(
                "outbox",
                "adopt",
                "Book#8",
                "9",
                "--format",
                "json"
            )
            let json = try adopted.json()
            #expect(json["row"] == "Book#8")
            #expect(json["key"] == "9")
            #expect(adopted.stderr.contains("tidemark conflicts list"))
            let conflicts = try await folder.done("conflicts", "list", "--format", "json").json()
            #expect("\(conflicts)".contains("duplicateCreate"))
            _ = try await folder.done("sync")
            #expect(shop.fake["books/9"]?["title"] == "hers")
            #expect(shop.fake["books/8"] == nil)
        }
    }
}
