import Foundation
import Testing
import TidemarkTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `tidemark status`, before, during and after a pull.
@Suite(.timeLimit(.minutes(40)))
struct StatusVerbTests {
    private func status(_ shop: Shop) async throws -> JSON {
        try await shop.folder.done("status", "--format", "json").json()
    }

    /// Returns the words of each line of the table, by the first word.
    private func table(_ shop: Shop) async throws -> [String: [String]] {
        let lines = try await shop.folder.done("status").lines.map { line in
            line.split(separator: " ").map(String.init)
        }
        return Dictionary(lines.map { ($0[0], Array($0.dropFirst())) }) { first, _ in first }
    }

    @Test func `a store that belongs to no service is reported as such`() async throws {
        let folder = try await Sample.filled()
        let text = try await folder.done("status", "--store", "s.db")
        #expect(text.stdout == "The store belongs to no service: nothing was pulled into it.\n")
        let json = try await folder.done("status", "--store", "s.db", "--format", "json")
        #expect(
            try json.json() == [
                "drafts": [:], "pendingDeletions": [], "resources": [:],
                "pendingServiceDeletions": [], "unconfirmed": [:], "unpushed": [],
                "unresolved": [], "unresolvedReferenceCount": 0, "unsentOrders": [],
            ]
        )
    }

    @Test func `after a pull the rows, the time and the result of each resource are reported`()
        async throws
    {
        try await Shop.open { shop in
            try await shop.fill()
            let first = try await status(shop)
            #expect(first["service"]?.string.map { shop.url.hasPrefix($0) } == true)
            let books = try #require(first["resources"]?["books/"])
            #expect(books["rows"] == 7)
            #expect(books["isComplete"] == true)
            #expect(books["ending"] == "complete")
            #expect(books["firstFullSync"]?.string?.hasSuffix("Z") == true)
            #expect(books["lastAttempt"]?.string?.hasSuffix("Z") == true)
            #expect(books["nextPage"] == nil)
            #expect(first["unresolvedReferenceCount"] == 0)

            try await shop.fill()
            let second = try await status(shop)["resources"]?["books/"]
            #expect(second?["ending"] == "unchanged")
            #expect(second?["firstFullSync"] == books["firstFullSync"])
            let line = try await table(shop)["Book"]
            #expect(line?.first == "7" && line?.last == "unchanged", "\(line ?? [])")
        }
    }

    @Test func `a failure is reported with its reason and the page at which the pull resumes`()
        async throws
    {
        try await Shop.open { shop in
            shop.fake.inject(.status(500), at: "books/?page=3")
            _ = try await shop.folder.run("pull", "--only", "Book")
            let json = try await status(shop)
            let books = try #require(json["resources"]?["books/"])
            #expect(books["rows"] == 6)
            #expect(books["isComplete"] == false)
            #expect(books["ending"] == "failed")
            #expect(books["nextPage"] == 3)
            #expect(books["failure"]?.string?.contains("returned 500") == true)
            #expect(json["unresolvedReferenceCount"] == 6)
            let text = try await shop.folder.done("status")
            #expect(text.stdout.contains("failed, resumes at page 3"))
            #expect(text.stdout.contains("not yet"))
            #expect(
                text.stdout.contains(
                    "6 unresolved references of Book.author to Author: no resource lists Author. Add one "
                        + "to resolve them.\n"
                )
            )
            #expect(text.stdout.contains("Book: GET \(shop.url)books/?page=3 returned 500"))
            #expect(!text.stdout.contains("without a failure"))
        }
    }

    @Test func `after a failure the time of the last successful pull is reported`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let success = try #require(
                try await status(shop)["resources"]?["books/"]?["lastSuccess"]?.string
            )
            shop.fake.inject(.status(500), at: "books/?page=3")
            _ = try await shop.folder.run("pull", "--full", "--only", "Book")
            let books = try await status(shop)["resources"]?["books/"]
            #expect(books?["ending"] == "failed")
            #expect(books?["lastSuccess"]?.string == success)
            let text = try await shop.folder.done("status").stdout
            #expect(text.contains(" The last pull without a failure was at \(success).\n"))
        }
    }

    @Test func `a running pull is reported with its process and page`() async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            requestGate.block("books/?page=2", of: shop.fake)
            _ = try await shop.folder.run(["pull", "--only", "Book"]) { command in
                defer { requestGate.open() }
                await requestGate.waitForRequest()
                let text = try await shop.folder.done("status").stdout
                #expect(text.contains("A run is active: process \(command.number) on "))
                #expect(text.contains("running, at page 2"))
                #expect(!text.contains("interrupted"))
                let json = try await status(shop)
                #expect(json["running"]?["process"] == .number(Double(command.number)))
                #expect(json["running"]?["host"]?.string?.isEmpty == false)
            }
            #expect(try await status(shop)["running"] == nil)
        }
    }

    @Test func `a killed pull is reported as interrupted`() async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            requestGate.block("books/?page=2", of: shop.fake)
            defer { requestGate.open() }
            _ = try await shop.folder.run(["pull", "--only", "Book"]) { command in
                await requestGate.waitForRequest()
                command.send(SIGKILL)
            }
            let books = try await status(shop)["resources"]?["books/"]
            #expect(books?["ending"] == nil)
            #expect(books?["nextPage"] == 2)
            #expect(books?["rows"] == 3)
            let text = try await shop.folder.done("status")
            #expect(text.stdout.contains("interrupted, resumes at page 2"))
        }
    }

    @Test func `during a pull with --watch the time of the next one is reported`() async throws {
        try await Shop.open { shop in
            let (served, serving) = AsyncStream<Void>.makeStream()
            shop.fake.scheduleChange(after: 4) { _ in serving.yield() }
            _ = try await shop.folder.run(["pull", "--watch", "1h"]) { command in
                for await _ in served { break }
                // The pull ends some time after its last request.
                var next: JSON?
                while next == nil { next = try await status(shop)["nextRun"] }
                #expect(next?.string?.hasSuffix("Z") == true)
                #expect(
                    try await shop.folder.done("status").stdout.contains("The next run begins 20")
                )
                command.send(SIGTERM)
            }
            #expect(try await status(shop)["nextRun"] == nil)
        }
    }
}
