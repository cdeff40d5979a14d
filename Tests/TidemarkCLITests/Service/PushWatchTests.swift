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

/// `tidemark push --watch` and `tidemark sync --watch`, which run until a signal ends them.
@Suite(.timeLimit(.minutes(40)))
struct PushWatchTests {
    private func open(_ body: (Shop) async throws -> Void) async throws {
        try await Shop.open(accepting: FakeWrites()) { shop in
            try shop.configure(service: "push: preset")
            try await shop.fill()
            try await body(shop)
        }
    }

    /// Waits until the service has applied the changes, and the store knows it.
    private func waitForPush(_ shop: Shop) async throws {
        while try await shop.folder.done("outbox", "list").stdout != "Nothing is left to push.\n" {}
    }

    @Test(
        arguments: [(["--watch"], SIGINT, 130), (["--watch", "10m"], SIGTERM, 143)]
            as [([String], Int32, Int32)]
    )
    func `a push with --watch sends what other programs change`(
        watch: [String],
        signal: Int32,
        status: Int32
    ) async throws {
        try await open { shop in
            let outcome = try await shop.folder.run(["push"] + watch) { command in
                for title in ["first", "second"] {
                    _ = try await shop.folder.done(
                        "update",
                        "Book:1",
                        "--values",
                        #"{"title": "\#(title)"}"#
                    )
                    try await waitForPush(shop)
                }
                command.send(signal)
            }
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.lines.contains("Book: 1 updated"), "\(outcome)")
            #expect(outcome.stderr.contains("the next push continues."), "\(outcome)")
            #expect(shop.fake["books/1"]?["title"] == "second")
            #expect(shop.fake.audit.map(\.kind.rawValue) == ["update", "update"])
        }
    }

    @Test func `a sync with --watch pulls at the interval, and pushes`() async throws {
        try await open { shop in
            _ = try await shop.folder.done("update", "Book:1", "--values", #"{"title": "mine"}"#)
            let (served, serving) = AsyncStream<Void>.makeStream()
            shop.fake.scheduleChange(after: 20) { _ in serving.yield() }
            let outcome = try await shop.folder.run(
                ["sync", "--watch", "1ms", "--format", "json"]
            ) { command in
                for await _ in served { break }
                command.send(SIGINT)
            }
            #expect(outcome.status == 130, "\(outcome)")
            #expect(shop.fake.audit.map(\.kind.rawValue) == ["update"])
            // Each run has printed one line.
            #expect(outcome.lines.count >= 2, "\(outcome)")
            #expect(outcome.lines.first?.contains(#""updated":1}"#) == true, "\(outcome)")
        }
    }

    @Test(arguments: [("push", "pushes"), ("sync", "syncs")])
    func `a dry run does not repeat`(verb: String, does: String) async throws {
        try await InvalidCommand(
            verb,
            "--dry-run",
            "--watch",
            "1s",
            status: 64,
            "Error: --watch \(does) repeatedly, and --dry-run changes nothing."
        )
        .check(in: Folder())
    }

    @Test(arguments: ["push", "sync"])
    func `an invalid interval is a usage error`(verb: String) async throws {
        try await open { shop in
            try await InvalidCommand(
                verb,
                "--watch=soon",
                status: 64,
                "--watch: write 30s, 500ms or 5m, not soon."
            )
            .check(in: shop.folder)
        }
    }
}
