import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// Pulls by URL of objects that have no id.
@Suite(.timeLimit(.minutes(40)))
struct GuessedKeyTests {
    /// The pages of a HAL list of 25 objects, the last five of which have the name of the first if
    /// names repeat.
    ///
    /// The closure returns further members of an object, such as its links.
    private static func pages(repeats: Bool = true, link: (Int) -> String) -> [String: String] {
        var bodies: [String: String] = [:]
        for page in 0...12 {
            let items = (page * 2 + 1...page * 2 + 2).filter { $0 <= 25 }.map { number in
                let name = repeats && number > 20 ? "n1" : "n\(number)"
                return "{\"name\": \"\(name)\"\(link(number))}"
            }
            let next =
                page < 12 ? #", "next": {"href": "BASE/orders?page=\#(page + 1)&size=2"}"# : ""
            bodies[page == 0 ? "orders" : "orders?page=\(page)&size=2"] = """
                {"_embedded": {"orders": [\(items.joined(separator: ","))]},
                 "_links": {"self": {"href": "BASE/orders"}\(next)},
                 "page": {"size": 2, "totalElements": 25, "totalPages": 13, "number": \(page)}}
                """
        }
        return bodies
    }

    private func open(
        _ bodies: [String: String],
        _ body: (Folder, String) async throws -> Void
    ) async throws {
        let responses = FixedResponses(bodies: bodies, type: "application/hal+json")
        try await FakeServer.run(responses.service) { url in
            try await body(try Folder(), "\(url.absoluteString)orders")
        }
    }

    private func count(_ folder: Folder) async throws -> String {
        try await folder.done("count", "Order", "--store", "s.db").stdout
    }

    @Test(arguments: ["/%", "/x%", "?number=%"])
    func `the self link of HAL is the key, so that equal names stay apart`(
        end: String
    ) async throws {
        let bodies = Self.pages { number in
            let url = "BASE/orders" + end.replacing("%", with: "\(number)")
            return #", "_links": {"self": {"href": "\#(url)"}, "order": {"href": "\#(url)"}}"#
        }
        try await open(bodies) { folder, url in
            for _ in 0..<2 {
                let outcome = try await folder.run("pull", url, "--into", "s.db")
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await count(folder) == "25\n")
            }
            #expect(try await folder.run("verify", "--store", "s.db").status == 0)
        }
    }

    @Test func `a guessed key that repeats on a later page fails the pull and is named`()
        async throws
    {
        try await open(Self.pages { _ in "" }) { folder, url in
            for _ in 0..<2 {
                let outcome = try await folder.run("pull", url, "--into", "s.db")
                #expect(![0, nil].contains(outcome.status), "\(outcome)")
                #expect(
                    outcome.stderr.contains(
                        """
                        has several objects with the same “name”, which was taken for the primary \
                        key of Order because it was different in the first pages.
                        """
                    ),
                    "\(outcome)"
                )
                #expect(outcome.stderr.contains("primaryKey"), "\(outcome)")
            }
        }
    }

    @Test func `a guessed key that does not repeat is accepted`() async throws {
        try await open(Self.pages(repeats: false) { _ in "" }) { folder, url in
            for _ in 0..<2 {
                let outcome = try await folder.run("pull", url, "--into", "s.db")
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await count(folder) == "25\n")
            }
        }
    }

    @Test func `numbers of two collections are not one key`() async throws {
        let bodies = Self.pages(repeats: false) { number in
            let collection = number > 20 ? "archive" : "orders"
            let link = "BASE/\(collection)/\(number > 20 ? number - 20 : number)"
            return #", "_links": {"self": {"href": "\#(link)"}}"#
        }
        try await open(bodies) { folder, url in
            let outcome = try await folder.run("pull", url, "--into", "s.db")
            let rows = try await count(folder)
            #expect(rows == "25\n" || outcome.status != 0, "\(rows): \(outcome)")
        }
    }
}
