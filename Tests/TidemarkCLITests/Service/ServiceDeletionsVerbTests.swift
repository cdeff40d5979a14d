import Foundation
import HTTPTypes
import Testing
import TidemarkTesting

/// Deletions that a push keeps from the service until they are approved.
@Suite(.timeLimit(.minutes(40)))
struct ServiceDeletionsVerbTests {
    private static let message = """
        Book: 12 of 12 objects would be deleted at the service. They are not sent. Run `tidemark \
        deletions approve Book --at-service` to send them with the next push, or `tidemark \
        deletions reject Book --at-service` to restore the rows.
        """

    private static let books: JSON = [
        "at": "service", "entity": "Book", "rows": 12, "known": 12,
    ]

    /// Opens a shop whose twelve books were pulled and then deleted in the store, by an import.
    private func emptied(_ body: (Shop) async throws -> Void) async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(service: "push: preset")
            for number in 8...12 {
                shop.fake["books/\(number)"] = ["id": .number("\(number)"), "title": "More"]
            }
            try await shop.fill()
            try shop.folder.write("[]", to: "none.json")
            _ = try await shop.folder.done(
                "import",
                "none.json",
                "--into",
                "Book",
                "--operations",
                "all"
            )
            shop.fake.clearRequests()
            try await body(shop)
        }
    }

    /// The books at the service.
    private func books(_ shop: Shop) -> Int {
        (shop.fake.data[objects: "books"] ?? []).count
    }

    private func count(_ shop: Shop) async throws -> String {
        try await shop.folder.done("count", "Book").stdout
    }

    @Test(arguments: ["push", "sync"])
    func `a push that would delete all objects keeps them, and exits with 75`(
        verb: String
    ) async throws {
        try await emptied { shop in
            _ = try await shop.folder.done("update", "Author:1", "--values", #"{"name": "mine"}"#)
            let outcome = try await shop.folder.run(verb)
            #expect(outcome.status == 75, "\(outcome)")
            #expect(outcome.stderr.hasSuffix("tidemark: \(Self.message)\n"), "\(outcome)")
            #expect(outcome.lines.first == "Author: 1 updated")
            #expect(books(shop) == 12)
            #expect(try await count(shop) == "0\n")

            let json = try await shop.folder.run(verb, "--format", "json")
            #expect(json.status == 75, "\(json)")
            let pushed = try json.json()
            #expect(
                (verb == "push" ? pushed : pushed["pushed"])?["pendingDeletions"] == [Self.books]
            )
            #expect(shop.fake.requests.allSatisfy { $0.request.method != .delete })
        }
    }

    @Test func `they are shown by the list, the status and the outbox`() async throws {
        try await emptied { shop in
            #expect(
                try await shop.folder.done("deletions", "list").stdout
                    == "No deletions are pending.\n"
            )
            _ = try await shop.folder.run("push")
            #expect(try await shop.folder.done("deletions", "list").stdout == Self.message + "\n")
            let rows = try await shop.folder.done("deletions", "list", "Book").lines
            #expect(rows == (1...12).map { "Book:\($0)" } + [Self.message])
            let json = try await shop.folder.done("deletions", "list", "--format", "json").json()
            #expect(json[0]?["at"] == "service")
            #expect(json[0]?["listed"]?[11] == ["row": "Book#12", "key": "12"])
            let status = try await shop.folder.done("status")
            #expect(status.lines.contains(Self.message), "\(status)")
            let document = try await shop.folder.done("status", "--format", "json").json()
            #expect(document["pendingServiceDeletions"] == [Self.books])
            let planned = try await shop.folder.done("push", "--dry-run", "--format", "json").json()
            #expect(
                planned["requests"]?.elements.map { $0["needsApproval"] }
                    == Array(repeating: .bool(true), count: 12)
            )
        }
    }

    @Test func `approved deletions are sent by the next push`() async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("push")
            shop.fake.clearRequests()
            let approve = ["deletions", "approve", "Book", "--at-service"]
            let dry = try await shop.folder.run(approve + ["--dry-run"])
            #expect(
                dry.stdout == "The next push would delete 12 objects of Book at the service.\n",
                "\(dry)"
            )
            #expect(try await shop.folder.run("push").status == 75)
            let approved = try await shop.folder.run(approve)
            #expect(
                approved.stdout == "The next push deletes 12 objects of Book at the service.\n",
                "\(approved)"
            )
            #expect(try await shop.folder.done("push").lines.first == "Book: 12 deleted")
            #expect(books(shop) == 0)
            #expect(
                try await shop.folder.done("deletions", "list").stdout
                    == "No deletions are pending.\n"
            )
        }
    }

    @Test(arguments: ["text", "json"])
    func `rejected deletions restore the rows`(_ format: String) async throws {
        try await emptied { shop in
            _ = try await shop.folder.run("push")
            let outcome = try await shop.folder.done(
                "deletions",
                "reject",
                "Book",
                "--at-service",
                "--format",
                format
            )
            if format == "json" {
                #expect(try outcome.json() == [Self.books])
            } else {
                #expect(outcome.stdout == "12 rows of Book are there again.\n")
            }
            #expect(try await count(shop) == "12\n")
            #expect(try await shop.folder.done("push").stdout == "Nothing was pushed.\n")
            #expect(
                try await shop.folder.done("outbox", "list").stdout == "Nothing is left to push.\n"
            )
            #expect(books(shop) == 12)
        }
    }

    @Test(arguments: ["push", "sync"])
    func `an option sends them without approval`(verb: String) async throws {
        try await emptied { shop in
            // That of a pull permits nothing at the service.
            if verb == "sync" {
                #expect(try await shop.folder.run("sync", "--allow-deletes").status == 75)
                #expect(books(shop) == 12)
            }
            let outcome = try await shop.folder.done(verb, "--allow-service-deletes")
            #expect(outcome.lines.first == "Book: 12 deleted")
            #expect(books(shop) == 0)
        }
    }

    @Test(arguments: ["approve", "reject"])
    func `an entity without a pending deletion at the service is an error`(
        _ verb: String
    ) async throws {
        try await emptied { shop in
            try await InvalidCommand(
                "deletions",
                verb,
                "Book",
                "--at-service",
                status: 66,
                "No deletion of Book at the service is pending. There are no such deletions."
            )
            .check(in: shop.folder)
            _ = try await shop.folder.run("push")
            try await InvalidCommand(
                "deletions",
                verb,
                "Author",
                "--at-service",
                status: 66,
                "No deletion of Author at the service is pending. Pending: Book."
            )
            .check(in: shop.folder)
            try await InvalidCommand(
                "deletions",
                verb,
                "Book",
                status: 66,
                "No deletion of Book is pending. There are no pending deletions."
            )
            .check(in: shop.folder)
        }
    }
}
