import Foundation
import HTTPTypes
import Testing
import TidemarkTesting

/// The verbs that send local changes, and those that decide about them.
@Suite(.timeLimit(.minutes(40)))
struct PushVerbTests {
    /// Opens a shop that accepts changes, and whose objects were pulled.
    private func open(
        accepting writes: FakeWrites = FakeWrites(),
        _ body: (Shop) async throws -> Void
    ) async throws {
        try await Shop.open(accepting: writes) { shop in
            try shop.configure(service: "push: preset")
            try await shop.fill()
            try await body(shop)
        }
    }

    private func effects(_ shop: Shop) -> String {
        // Requests are sent concurrently.
        shop.fake.audit.map(\.description).sorted().joined(separator: "\n")
    }

    @Test func `changes of rows are sent, and are listed until then`() async throws {
        try await open { shop in
            let folder = shop.folder
            let update = try await folder.done(
                "update",
                "Book:1",
                "--values",
                #"{"title": "mine"}"#
            )
            #expect(update.stderr.isEmpty)
            _ = try await folder.done("insert", "Book", "--values", #"{"title": "new"}"#)
            _ = try await folder.done("delete", "Book:2")
            let list = try await folder.done("outbox", "list", "--format", "json")
            let changes = try list.json()["changes"]?.elements.map { change in
                ["row", "key", "kind", "state"].compactMap { change[$0]?.string }
                    .joined(separator: " ")
            }
            #expect(
                changes == [
                    "Book#1 1 update pending", "Book#2 2 delete pending",
                    "Book#8 create pending",
                ]
            )
            let push = try await folder.done("push")
            let doubt =
                "Book: 1 unconfirmed: the service has accepted the changes, and the next sync shows "
                + "what it has taken."
            #expect(push.lines == ["Book: 1 created, 1 updated, 1 deleted", doubt])
            #expect(
                effects(shop) == """
                    create books/8 {"id":8,"title":"new"}
                    delete books/2
                    update books/1 {"id":1,"title":"mine","author_id":2}
                    """
            )
            #expect(try await folder.done("outbox", "list").stdout == "Nothing is left to push.\n")
            #expect(try await folder.done("push").lines == ["Nothing was pushed.", doubt])
            _ = try await folder.done("sync")
            #expect(try await folder.done("push").lines == ["Nothing was pushed."])
        }
    }

    @Test func `a change that is rejected is sent again when it was corrected`() async throws {
        var writes = FakeWrites()
        writes.required["books"] = ["title"]
        try await open(accepting: writes) { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": null}"#)
            let push = try await folder.run("push")
            #expect(push.status == 65, "\(push)")
            #expect(push.stdout == "Book: 1 rejected\n")
            #expect(
                push.stderr == """
                    Book#1 was rejected (400): title: This field may not be blank. Correct it with \
                    tidemark update, or discard it with tidemark outbox discard 'Book#1'.
                    tidemark: The service has rejected changes.

                    """
            )
            let again = try await folder.run("push")
            #expect(again.status == 65, "\(again)")
            #expect(again.stdout == "Nothing was pushed.\n")
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "right"}"#)
            #expect(try await folder.done("push").stdout == "Book: 1 updated\n")
            #expect(
                effects(shop) == #"update books/1 {"id":1,"title":"right","author_id":2}"#
            )
        }
    }

    @Test func `a discarded change leaves the row as the service has it`() async throws {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            _ = try await folder.done("delete", "Book:2")
            #expect(
                try await folder.done("outbox", "discard", "Book:1").stdout
                    == "The update of Book#1 was discarded.\n"
            )
            #expect(
                try await folder.done("outbox", "discard", "Book#2").stdout
                    == "The delete of Book#2 was discarded.\n"
            )
            let missing = try await folder.run("outbox", "discard", "Book:3")
            #expect(missing.status == 66)
            #expect(missing.stderr.hasPrefix("tidemark: Book:3 has no local change."))
            let titles = try await shop.dump()["Book"]?.elements.prefix(2)
                .compactMap { $0["title"]?.string }
            #expect(titles == ["Book 1", "Book 2"])
        }
    }

    @Test func `a dry run shows the requests, and sends none`() async throws {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            _ = try await folder.done("insert", "Author", "--values", #"{"name": "new"}"#)
            _ = try await folder.done(
                "insert",
                "Book",
                "--values",
                #"{"title": "new"}"#,
                "--links",
                #"{"author": "Author#4"}"#
            )
            shop.fake.clearRequests()
            let push = try await folder.done("push", "--dry-run")
            let lines = push.lines.map { line in
                line.replacing(/https?:\/\/[^ ]*\/(authors|books)/) { "\($0.output.1)" }
            }
            #expect(
                lines == [
                    #"POST authors/  Author#4: create  {"name":"new"}"#,
                    #"PATCH books/1/ (after it is read)  Book#1: title  {"title":"mine"}"#,
                    #"POST books/  Book#8: create  {"title":"new","author_id":"«Author#4»"}"#,
                ]
            )
            let json = try await folder.done("sync", "--dry-run", "--format", "json").json()
            #expect(json["plannedRequests"]?.elements.count == 3)
            #expect(shop.fake.requests.allSatisfy { $0.request.method == .get })
            #expect(shop.fake.audit.isEmpty)
            let left = try await folder.done("outbox", "list", "--format", "json").json()
            #expect(left["changes"]?.elements.count == 3)
        }
    }

    @Test func `the status names what is not pushed`() async throws {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            let status = try await folder.done("status")
            #expect(
                status.lines.contains("Book: 1 local change pending. See tidemark outbox list."),
                "\(status)"
            )
            let json = try await folder.done("status", "--format", "json").json()
            #expect(json["unpushed"]?.elements.first?["state"]?.string == "pending")
            _ = try await folder.done("push")
            let empty = try await folder.done("status", "--format", "json").json()
            #expect(empty["unpushed"]?.elements.isEmpty == true)
        }
    }

    @Test func `a conflict gets other values`() async throws {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            shop.fake["books/1"]?["title"] = "hers"
            _ = try await folder.done("sync")
            let wrong = try await folder.run("conflicts", "resolve", "1")
            #expect(wrong.status == 64)
            _ = try await folder.done(
                "conflicts",
                "resolve",
                "1",
                "--values",
                #"{"title": "ours"}"#
            )
            #expect(try await folder.done("push").stdout == "Book: 1 updated\n")
            #expect(shop.fake["books/1"]?["title"] == "ours")
            let json = try await folder.done("conflicts", "list", "--format", "json").json()
            #expect(json.elements.first?["decision"]?.string == "values")
        }
    }

    @Test func `a sync pushes and pulls`() async throws {
        try await open { shop in
            _ = try await shop.folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            shop.fake["books/3"]?["title"] = "hers"
            let sync = try await shop.folder.done("sync")
            #expect(sync.lines.first == "Book: 1 updated")
            _ = try await shop.folder.done("update", "Book:2", "--values", #"{"title": "Book 2"}"#)
            let json = try await shop.folder.done("sync", "--format", "json").json()
            #expect(json["isComplete"] == true)
            #expect(json["pushed"]?["failures"] == [:])
            let titles = try await shop.dump()["Book"]?.elements.prefix(3)
                .compactMap { $0["title"]?.string }
            #expect(titles == ["mine", "Book 2", "hers"])
            #expect(effects(shop) == #"update books/1 {"id":1,"title":"mine","author_id":2}"#)
        }
    }

    @Test func `a conflict is listed with all versions`() async throws {
        try await open { shop in
            let folder = shop.folder
            #expect(
                try await folder.done("conflicts", "list").stdout == "There are no conflicts.\n"
            )
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            shop.fake["books/1"]?["title"] = "hers"
            _ = try await folder.done("sync")
            let list = try await folder.done("conflicts", "list")
            let words = list.lines.last?.split(separator: " ").joined(separator: " ")
            #expect(words == "1 Book#1 edit title Book 1 mine hers remote remoteWins")
            let json = try await folder.done("conflicts", "list", "--format", "json")
            #expect(
                try json.json().elements.first?["values"]?.elements.first?["local"]?.string
                    == "mine"
            )
            #expect(
                try await folder.done("conflicts", "list", "--open").stdout
                    == "There are no conflicts.\n"
            )
            #expect(
                try await folder.done("conflicts", "resolve", "1", "--take", "local").stdout
                    == "Book#1 has the local version.\n"
            )
            #expect(try await folder.done("push").stdout == "Book: 1 updated\n")
            let missing = try await folder.run("conflicts", "resolve", "9", "--take", "local")
            #expect(missing.status == 66)
        }
    }

    @Test func `changes wait while the service cannot be reached`() async throws {
        try await open { shop in
            let folder = shop.folder
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            try shop.configure(
                service: "push: preset\n  name: \(shop.origin)",
                url: "http://127.0.0.1:9/api/"
            )
            let push = try await folder.run("push")
            #expect(push.status == 69, "\(push)")
            #expect(push.stdout == "Book: 1 postponed\n")
            let list = try await folder.done("outbox", "list", "--format", "json")
            #expect(try list.json()["changes"]?.elements.first?["state"]?.string == "pending")
        }
    }

    // MARK: Configuration

    @Test func `a service that accepts no changes is not pushed to`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let push = try await shop.folder.run("push")
            #expect(push.status == 64)
            #expect(
                push.stderr == """
                    tidemark: No list accepts changes. Write push: preset under service in \
                    tidemark.yml, or the options of the service as a mapping.

                    """
            )
        }
    }

    @Test(arguments: [
        (
            "push: mine",
            "service.push: mine is not known. Write none, preset, jsonapi, kinto, parse, rails, "
                + "rest, or the options of the service as a mapping."
        ),
        (
            "push: {update: putty}",
            "service.push.update: putty is not known. Write none, METHOD or METHOD path/{key}, each "
                + "with or without whole after it."
        ),
        (
            "push: {updates: PUT}",
            "service.push.updates is not known. Known are create, update, delete, key, body, names, "
                + "references, embed, nulls, check, version, stale, idempotency, reconcile, batch, "
                + "read, readEnvelope, responseEnvelope, uploads, response, "
                + "accepted, nested, links."
        ),
        (
            "push: {readNulls: omit}",
            "service.push.readNulls belongs to the list: write it as resources.ENTITY.readNulls, or "
                + "as service.lists.readNulls for all lists."
        ),
        (
            "lists: {push: preset}",
            "service.lists.push cannot hold for all lists. Write it as service.push, or as "
                + "resources.ENTITY.push."
        ),
    ])
    func `a wrong option is named with its forms`(text: String, message: String) async throws {
        try await Shop.open { shop in
            try shop.configure(service: text)
            let push = try await shop.folder.run("pull")
            #expect(push.status == 65)
            #expect(push.stderr.contains(message), "\(push)")
        }
    }

    @Test func `a file without a model and resources sends changes, too`() async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            let folder = shop.folder
            try folder.write(
                "{store: s.db, service: {url: '\(shop.url)books/', push: preset}}",
                to: "tidemark.yml"
            )
            _ = try await folder.done("pull")
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            #expect(try await folder.done("push").stdout == "Book: 1 updated\n")
            #expect(effects(shop) == #"update books/1 {"id":1,"title":"mine","author_id":2}"#)
        }
    }

    @Test func `a policy of the configuration decides a conflict`() async throws {
        try await open { shop in
            let folder = shop.folder
            let configuration = try folder.text(of: "tidemark.yml")
            try folder.write(
                configuration + "\nconflicts: {Book: {title: localWins}}\n",
                to: "tidemark.yml"
            )
            _ = try await folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            shop.fake["books/1"]?["title"] = "hers"
            _ = try await folder.done("sync")
            #expect(effects(shop) == #"update books/1 {"id":1,"title":"mine","author_id":2}"#)
        }
    }

    @Test(arguments: [
        (
            "{Boook: localWins}",
            "conflicts.Boook: the model has no entity Boook. Write default, deletes, or an entity."
        ),
        (
            "{Book: {titel: manual}}",
            "conflicts.Book.titel: Book has neither an attribute nor a relationship of this name. "
                + "Write default, deletes, or one of its properties."
        ),
        (
            "{Book: {title: 'latestWins:editedAt'}}",
            "conflicts.Book.title: Book has no attribute editedAt. Write latestWins with an attribute "
                + "that has the time of the last change."
        ),
        (
            "{default: mine}",
            "conflicts.default: mine is not known. Write remoteWins, localWins, manual or "
                + "latestWins:ATTRIBUTE."
        ),
        (
            "{deletes: mine}",
            "conflicts.deletes: mine is not known. Write one of remoteWins, localWins, editWins, "
                + "manual."
        ),
    ])
    func `a wrong policy is named with its forms`(text: String, message: String) async throws {
        try await Shop.open { shop in
            let configuration = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(configuration + "\nconflicts: \(text)\n", to: "tidemark.yml")
            let pull = try await shop.folder.run("pull")
            #expect(pull.status == 65)
            #expect(pull.stderr.contains(message), "\(pull)")
            #expect(!shop.folder.has("shop.db"))
        }
    }

    @Test func `options change the requests of one list`() async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(
                service: "push: preset",
                resources: ", push: {check: none, update: PUT}"
            )
            try await shop.fill()
            _ = try await shop.folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            shop.fake.clearRequests()
            #expect(try await shop.folder.done("push").stdout == "Book: 1 updated\n")
            let methods = shop.fake.requests.map { "\($0.request.method)" }
            #expect(methods == ["PUT"])
        }
    }
}
