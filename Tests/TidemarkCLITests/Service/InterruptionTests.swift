import Foundation
import GRDB
import HTTPTypes
import Testing
import TidemarkTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Pulls that are interrupted by a signal, or killed, in the middle of a list.
@Suite(.timeLimit(.minutes(40)))
struct InterruptionTests {
    /// Pulls the books, and runs a closure when the third page has been requested.
    private func interrupt(
        _ shop: Shop,
        at requestGate: RequestGate,
        _ body: @Sendable (RunningCommand) async throws -> Void
    ) async throws -> Outcome {
        requestGate.block("books/?page=3", of: shop.fake)
        defer { requestGate.open() }
        return try await shop.folder.run(["pull", "--only", "Book"]) { command in
            await requestGate.waitForRequest()
            try await body(command)
        }
    }

    /// A configuration that lets a transaction stay open after the access that began it.
    private var unsafe: Configuration {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return configuration
    }

    private func leases(_ shop: Shop) throws -> Int {
        try DatabaseQueue(path: shop.folder.path("shop.db")).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_lease") ?? -1
        }
    }

    /// Checks that the next pull requests only the third page and completes the list.
    private func checkResumption(_ shop: Shop) async throws {
        #expect(try await shop.dump()["Book"]?.elements.count == 6)
        shop.fake.clearRequests()
        _ = try await shop.folder.done("pull", "--only", "Book")
        #expect(shop.fake.requests.map(\.request.path) == ["/api/books/?page=3"])
        #expect(try await shop.dump()["Book"]?.elements.count == 7)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal ends a pull, which keeps its pages, releases its lease and can resume`(
        _ signal: Int32,
        _ status: Int32
    ) async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            let outcome = try await interrupt(shop, at: requestGate) { $0.send(signal) }
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.stdout == "")
            #expect(
                outcome.stderr == """
                    tidemark: Interrupted. What was stored is kept, and the next pull resumes from there.

                    """
            )
            #expect(try leases(shop) == 0)
            try await checkResumption(shop)
        }
    }

    @Test func `a second signal ends a pull at once, without cleanup`() async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            // The lease cannot be released while another connection holds the write lock.
            let other = try DatabaseQueue(path: shop.folder.path("shop.db"), configuration: unsafe)
            let outcome = try await interrupt(shop, at: requestGate) { command in
                try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
                command.send(SIGINT)
                command.send(SIGTERM)
            }
            try await other.writeWithoutTransaction { try $0.rollback() }
            #expect([130, 143].contains(outcome.status), "\(outcome)")
            #expect(outcome.stderr == "")
            #expect(try leases(shop) == 1)
            try await checkResumption(shop)
        }
    }

    @Test func `the lease of a killed pull is taken over at once`() async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            let outcome = try await interrupt(shop, at: requestGate) { $0.send(SIGKILL) }
            #expect(outcome.status == 137)
            #expect(try leases(shop) == 1)
            try await checkResumption(shop)
            #expect(try leases(shop) == 0)
        }
    }

    @Test func `a concurrent pull is rejected with status 75`() async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                text.replacing("attempts: 1", with: "attempts: 1, timeout: 10m"),
                to: "tidemark.yml"
            )
            let outcome = try await interrupt(shop, at: requestGate) { _ in
                let other = try await shop.folder.run("pull")
                #expect(other.status == 75, "\(other)")
                #expect(other.stderr.contains("Another run is using this store: process"))
                requestGate.open()
            }
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test func `a pull with --watch repeats until a signal ends it`() async throws {
        try await Shop.open { shop in
            let (served, serving) = AsyncStream<Void>.makeStream()
            shop.fake.scheduleChange(after: 13) { _ in serving.yield() }
            shop.fake.inject(.status(403), times: 1, at: "books/?page=2")
            let outcome = try await shop.folder.run(["pull", "--watch", "1ms"]) { command in
                for await _ in served { break }
                let status = try await shop.folder.done("status")
                #expect(status.stdout.contains("The next run begins "), "\(status)")
                command.send(SIGINT)
            }
            #expect(outcome.status == 130, "\(outcome)")
            let status = try await shop.folder.done("status")
            #expect(!status.stdout.contains("The next run begins "), "\(status)")
            let reports = outcome.lines.filter { $0.hasPrefix("Book ") }
            #expect(reports.count >= 3, "\(outcome)")
            #expect(outcome.stderr.contains("books/?page=2 returned 403"), "\(outcome)")
            #expect(try leases(shop) == 0)
            #expect(try await shop.dump()["Book"]?.elements.count == 7)
        }
    }
}
