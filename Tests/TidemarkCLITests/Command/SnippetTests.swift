import Foundation
import GRDB
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// The Swift samples of the README, built and run as printed.
@Suite(.timeLimit(.minutes(40)))
struct SnippetTests {
    /// Returns the URL of the executable that a snippet is built into.
    private func program(_ snippet: String) -> URL {
        Tidemark.executable.deletingLastPathComponent().appending(path: snippet)
    }

    @Test func `the first sample imports a document, and a second run changes nothing`()
        async throws
    {
        let folder = try Folder()
        let first = try await folder.run(program("ImportUsers"), [])
        #expect(first.stdout == "1 [\"On the engine\"]\n", "\(first)")
        let second = try await folder.run(program("ImportUsers"), [])
        #expect(second.stdout == "0 [\"On the engine\"]\n", "\(second)")
    }

    @Test func `the second sample pulls a list`() async throws {
        let folder = try Folder()
        let fake = FakeService(
            collections: ["users": [["id": .number("1"), "first_name": "Ada"]]],
            dialect: .rest(pageSize: 3)
        )
        try await FakeServer.run(fake) { url in
            let outcome = try await folder.run(program("PullUsers"), [url.absoluteString])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout.hasPrefix("users: complete; 1 objects on 1 pages, "))
        }
        let names = try await DatabaseQueue(path: folder.path("users.sqlite")).read { db in
            try String.fetchAll(db, sql: "SELECT firstName FROM User")
        }
        #expect(names == ["Ada"])
        let usage = try await folder.run(program("PullUsers"), [])
        #expect(usage.stdout == "usage: PullUsers URL\n")
        #expect(usage.status == 64)
    }
}
