import Foundation
import Testing
import TidemarkJSON
import TidemarkModel
import TidemarkYAML

@testable import TidemarkCLI

/// The limits that a configuration sets.
@Suite(.timeLimit(.minutes(40)))
struct LimitsTests {
    private func limits(_ text: String) throws -> Limits {
        try YAMLText("service: {url: 'http://127.0.0.1:1/', limits: \(text)}")
            .decode(Configuration.self).limits
    }

    @Test func `every key sets its limit, and an empty mapping keeps the defaults`() throws {
        var expected = Limits()
        expected.concurrency = 2
        expected.http.idleTimeout = .seconds(5)
        expected.http.pages = 7
        expected.http.attempts = 3
        expected.http.redirects = 1
        expected.http.responseTime = .seconds(120)
        expected.http.retryTime = .seconds(60)
        expected.http.pause = .seconds(7_200)
        expected.http.bodyBytes = 32 << 20
        expected.http.bodyInMemory = 1 << 20
        expected.json.itemBytes = 4_096
        expected.json.itemTokens = 1_000
        expected.http.consecutiveRejections = 10
        expected.http.assetBytes = 2 << 20
        expected.conflicts.age = .seconds(30 * 86_400)
        expected.conflicts.records = 500
        #expect(
            try limits(
                """
                {concurrency: 2, timeout: 5s, pageLimit: 7, attempts: 3, redirects: 1, answerTime: 2m, \
                retryTime: 1m, pause: 2h, bodyBytes: 32MiB, bodyInMemory: 1 MiB, jsonItemBytes: 4096, \
                jsonItemTokens: 1000, rejections: 10, assetBytes: 2MiB, conflictAge: 30d, \
                conflictRecords: 500}
                """
            ) == expected
        )
        #expect(try limits("{}") == Limits())
    }

    @Test func `bodyInMemory is at most bodyBytes`() throws {
        #expect(try limits("{bodyBytes: 1KiB}").http.bodyInMemory == 1_024)
    }

    @Test(
        arguments: [
            ("1", 1), ("8MiB", 8 << 20), ("64 KiB", 64 << 10), ("1.5GiB", 3 << 29), ("2kB", 2_000),
            ("2MB", 2_000_000), ("1GB", 1_000_000_000), ("0", nil), ("-1", nil), ("MiB", nil),
            ("0.1", nil), ("8 apples", nil), ("1e9", nil), ("99999999999999999999GiB", nil),
            ("", nil), ("1.2.3", nil),
        ] as [(String, Int?)]
    )
    func `a size is parsed with its unit`(_ text: String, _ bytes: Int?) {
        #expect(Int(writtenSize: text) == bytes)
    }

    @Test func `concurrency may be as large as Int.max`() async throws {
        try await Shop.open { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                text.replacing("concurrency: 2", with: "concurrency: \(Int.max)"),
                to: "tidemark.yml"
            )
            try await shop.fill()
            #expect(try await shop.dump()["Book"]?.elements.count == 7)
        }
    }

    @Test func `a body that exceeds bodyBytes is rejected`() async throws {
        try await Shop.open { shop in
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(
                text.replacing("attempts: 1", with: "attempts: 1, bodyBytes: 64B"),
                to: "tidemark.yml"
            )
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.stderr.contains("the body is longer than 64 bytes"))
        }
    }

    @Test
    func `too few open files or too little memory is an error, and the file limit is raised`()
        async throws
    {
        try await Shop.open { shop in
            func pull(_ limit: String) async throws -> Outcome {
                try await shop.folder.run(
                    URL(filePath: "/bin/sh"),
                    ["-c", "ulimit \(limit) && exec '\(Tidemark.executable.path)' pull"]
                )
            }
            let few = try await pull("-n 20")
            #expect(few.status == 77, "\(few)")
            #expect(
                few.stderr.hasPrefix("tidemark: This process may open 20 files, and a pull needs ")
            )
            let raised = try await pull("-Sn 20")
            #expect(raised.status == 0, "\(raised)")
            let outOfMemory = try await pull("-v 700000")
            #expect(outOfMemory.status == 77, "\(outOfMemory)")
            #expect(
                outOfMemory.stderr.hasPrefix(
                    "tidemark: This process may use 683 MiB of address space, and a pull needs "
                )
            )
        }
    }

    @Test func `a service with a configured name keeps its store after its URL changes`()
        async throws
    {
        try await Shop.open { first in
            try await first.fill()
            let name = try #require(URL(string: first.url)).origin
            try await Shop.open { second in
                try first.configure(url: second.url)
                let rejected = try await first.folder.run("pull")
                #expect(rejected.status == 77, "\(rejected)")
                #expect(rejected.stderr.contains("set `service.name` to \(name)."))
                try first.configure(service: "name: \(name)", url: second.url)
                try await first.fill()
            }
        }
    }
}

extension URL {
    /// The origin: scheme, host and port.
    fileprivate var origin: String { "\(scheme ?? "")://\(host() ?? ""):\(port ?? 0)" }
}
