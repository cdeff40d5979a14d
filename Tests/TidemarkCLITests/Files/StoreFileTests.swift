import Foundation
import GRDB
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a store: how it is created, and what is rejected in its place.
struct StoreFileTests {
    private static let isRoot = geteuid() == 0

    /// Verbs that open a store; the last one would create it.
    private static let commands = [
        ["count", "User"], ["dump"], ["query", "User"], ["status"], ["insert", "User"],
        ["erase", "--yes"],
        ["import", "users.json", "--into", "User", "--model", "model.yml"],
    ]

    @Test(arguments: commands)
    func `a text file is not a store and is not modified`(_ command: [String]) async throws {
        let folder = try Sample.folder()
        let text = String(repeating: "dear diary, ", count: 1_000)
        try folder.write(text, to: "diary.txt")
        let outcome = try await folder.run(command + ["--store", "diary.txt"])
        #expect(outcome.status == 65)
        #expect(
            outcome.stderr == """
                tidemark: diary.txt is not a SQLite database. Choose another path for the store.

                """
        )
        #expect(try folder.text(of: "diary.txt") == text)
        #expect(try folder.names() == ["diary.txt", "model.yml", "users.json"])
    }

    @Test(arguments: commands)
    func `another database is not a store and is not modified`(_ command: [String]) async throws {
        let folder = try Sample.folder()
        let other = try DatabaseQueue(path: folder.path("other.db"))
        try await other.write { db in try db.execute(sql: "CREATE TABLE thing (name TEXT)") }
        try other.close()
        let before = try Data(contentsOf: folder.url.appending(path: "other.db"))
        let outcome = try await folder.run(command + ["--store", "other.db"])
        #expect(outcome.status == 65)
        #expect(
            outcome.stderr == """
                tidemark: other.db is a SQLite database, but not a Tidemark store. \
                Choose another path for the store.

                """
        )
        #expect(try Data(contentsOf: folder.url.appending(path: "other.db")) == before)
    }

    @Test(arguments: commands)
    func `a folder is not a store`(_ command: [String]) async throws {
        let folder = try Sample.folder()
        try folder.write("", to: "things/in it")
        let outcome = try await folder.run(command + ["--store", "things"])
        #expect(outcome.status == 65)
        #expect(
            outcome.stderr
                == "tidemark: things is a folder. Choose another path for the store.\n"
        )
    }

    @Test func `an empty file becomes a store only with a model`() async throws {
        let folder = try Sample.folder()
        try folder.write("", to: "s.db")
        let outcome = try await folder.run("count", "User", "--store", "s.db")
        #expect(outcome.status == 66)
        #expect(
            outcome.stderr == "tidemark: The store s.db is empty.\n"
        )
        #expect(try folder.text(of: "s.db") == "")
        _ = try await folder.done("insert", "Note", "--store", "s.db", "--model", "model.yml")
        #expect(try await folder.done("count", "Note", "--store", "s.db").stdout == "1\n")
    }

    @Test(arguments: commands.dropLast())
    func `a missing store is not created without a model`(_ command: [String]) async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(command + ["--store", "new.db"])
        #expect(outcome.status == 66)
        #expect(
            outcome.stderr == "tidemark: There is no store at new.db.\(Self.hint(command))\n"
        )
        #expect(!folder.has("new.db"))
    }

    /// Returns the hint about creating the store, which only some verbs print.
    private static func hint(_ command: [String]) -> String {
        ["insert", "erase"].contains(command[0])
            ? " Create it with --model PATH; `tidemark model infer` writes a model from samples."
            : ""
    }

    @Test func `processes that create the same store concurrently lose no row`() async throws {
        let folder = try Sample.folder()
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await folder.run(
                        "insert",
                        "Note",
                        "--values",
                        #"{"id": \#(number)}"#,
                        "--store",
                        "s.db",
                        "--model",
                        "model.yml"
                    )
                }
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.stderr)") }
        }
        #expect(try await folder.done("count", "Note", "--store", "s.db").stdout == "8\n")
    }

    @Test func `a store in a missing folder cannot be created`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            "insert",
            "Note",
            "--store",
            "no/s.db",
            "--model",
            "model.yml"
        )
        #expect(outcome.status == 73)
        #expect(
            outcome.stderr == """
                tidemark: The store no/s.db cannot be created: No such file or directory. \
                Its folder must exist and be writable.

                """
        )
        #expect(!folder.has("no"))
    }

    @Test func `exceeding the file size limit is an error, and the store is unchanged`()
        async throws
    {
        let folder = try await Sample.filled()
        let before = try await folder.dump()
        let notes = (100..<20_000).map {
            #"{"id":\#($0),"text":"\#(String(repeating: "x", count: 99))"}"#
        }
        try folder.write("[\(notes.joined(separator: ","))]", to: "notes.json")
        let outcome = try await folder.run(
            URL(filePath: "/bin/sh"),
            [
                "-c",
                #"ulimit -f 600; exec "$0" import notes.json --into Note --store s.db"#,
                Tidemark.executable.path,
            ]
        )
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.stderr.hasPrefix("tidemark: SQLite reports an error: "))
        #expect(try await folder.dump() == before)
    }

    @Test func `a store is readable by its owner only`() async throws {
        let folder = try await Sample.filled()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("s.db"))[
            .posixPermissions
        ]
        #expect((mode as? NSNumber)?.intValue == 0o600)
    }

    @Test(.disabled(if: isRoot, "Root may read and write everything: run the tests as a user."))
    func `a file without read permission is an error`() async throws {
        let folder = try await Sample.filled()
        for name in ["users.json", "model.yml"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0],
                ofItemAtPath: folder.path(name)
            )
        }
        let document = try await folder.run(
            "import",
            "users.json",
            "--into",
            "User",
            "--store",
            "s.db"
        )
        #expect(document.status == 77)
        #expect(document.stderr == "tidemark: users.json cannot be read.\n")
        let model = try await folder.run("model", "check", "model.yml")
        #expect(model.status == 77)
        #expect(model.stderr == "tidemark: model.yml cannot be read.\n")
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test(.disabled(if: isRoot, "Root may read and write everything: run the tests as a user."))
    func `nothing is created in a folder without write permission`() async throws {
        let folder = try Sample.folder()
        try FileManager.default.createDirectory(
            atPath: folder.path("locked"),
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o500]
        )
        let outcome = try await folder.run(
            "insert",
            "Note",
            "--store",
            "locked/s.db",
            "--model",
            "model.yml"
        )
        #expect(outcome.status == 73)
        #expect(outcome.stderr.contains("locked/s.db"))
        #expect(!folder.has("locked/s.db"))
    }
}
