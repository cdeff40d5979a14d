import Foundation
import Testing

/// The options and errors that all verbs have in common.
struct CommonOptionTests {
    @Test(arguments: [
        "dump", "export User", "query User", "get User:1", "count User", "status", "model show",
        "erase --yes",
    ])
    func `every verb accepts --quiet`(_ command: String) async throws {
        let folder = try await Sample.filled()
        let words = command.split(separator: " ").map(String.init)
        let outcome = try await folder.run(words + ["--store", "s.db", "-q"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stderr == "")
    }

    @Test(arguments: ["dump", "export User", "erase --yes", "query User"])
    func `every verb prints JSON with --format json`(_ command: String) async throws {
        let folder = try await Sample.filled()
        let words = command.split(separator: " ").map(String.init)
        let outcome = try await folder.run(words + ["--store", "s.db", "--format", "json"])
        #expect(outcome.status == 0, "\(outcome)")
        _ = try outcome.json()
    }

    @Test func `a successful import with --quiet prints nothing`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.importUsers(
            #"[{"id": 1, "name": "B", "odd": 1}]"#,
            "-q"
        )
        #expect(outcome.stdout + outcome.stderr == "")
    }

    @Test(arguments: [
        ["query", "User", "--sort", "size"], ["query", "User", "--where", "size = 1"],
        ["query", "User", "--columns", "size"],
    ])
    func `an unknown attribute is a usage error in every option`(
        _ command: [String]
    ) async throws {
        let outcome = try await Sample.filled().run(command + ["--store", "s.db"])
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.stderr.contains("size"))
    }

    @Test func `the error for an unknown operation lists the known ones`() async throws {
        let outcome = try await Sample.filled().run(
            "import",
            "--into",
            "User",
            "--store",
            "s.db",
            "--operations",
            "foo"
        )
        #expect(outcome.status == 64)
        for name in ["all", "upsert", "insert", "deleteRelationships"] {
            #expect(outcome.stderr.contains(name), "\(outcome)")
        }
    }

    @Test(arguments: [
        ["import", "--into", "User", "--parent", "User:1", "--where", "id = 1"],
        ["import", "--into", "User", "--relationship", "notes"],
        ["export", "User:1", "--where", "id = 1"],
    ])
    func `a usage error shows the usage of its verb`(_ command: [String]) async throws {
        let outcome = try await Sample.filled().run(command + ["--store", "s.db"], stdin: "[]")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(
            outcome.stderr.lowercased().contains("usage: tidemark \(command[0]) "),
            "\(outcome)"
        )
    }

    @Test(arguments: ["count User", "query User", "dump", "status"])
    func `standard output that cannot be written is an error with status 74`(
        _ command: String
    ) async throws {
        let folder = try await Sample.filled()
        for redirection in [">&-", ">/dev/full", "1</dev/null"] {
            let outcome = try await folder.run(
                URL(filePath: "/bin/sh"),
                ["-c", "'\(Tidemark.executable.path)' \(command) --store s.db \(redirection)"]
            )
            #expect(outcome.status == 74, "\(redirection): \(outcome)")
            #expect(outcome.stderr.hasPrefix("tidemark: Standard output cannot be written: "))
            #expect(!outcome.stderr.contains("Domain"))
        }
    }
}
