import Foundation
import Testing

/// The documents that `tidemark import` reads, and their effects on the store.
struct ImportDocumentTests {
    private static let shell = URL(filePath: "/bin/sh")

    private static let model = "entities:\n  User:\n    attributes: {id: integer64, name: string}\n"

    private static let command = ["import", "-", "--into", "User", "--store", "s.db"]

    /// Returns a folder with the model and a store with the given number of users.
    private static func filled(_ users: Int) async throws -> Folder {
        let folder = try Folder()
        try folder.write(model, to: "m.yml")
        let outcome = try await folder.run(
            command + ["--model", "m.yml"],
            stdin: list(1...users)
        )
        try #require(outcome.status == 0, "\(outcome)")
        return folder
    }

    private static func list(_ ids: some Sequence<Int>, name: String = "a") -> String {
        "[" + ids.map { "{\"id\":\($0),\"name\":\"\(name)\"}" }.joined(separator: ",") + "]"
    }

    private static func count(_ folder: Folder) async throws -> String {
        try await folder.done("count", "User", "--store", "s.db").stdout
    }

    // MARK: Forms of documents

    @Test func `JSON Lines are imported, from a file and from standard input`() async throws {
        let lines = "{\"id\": 1}\n{\"id\": 2}\n\n{\"id\": 3, \"name\": \"c\"}\n"
        let folder = try await Self.filled(1)
        try folder.write(lines, to: "users.jsonl")
        _ = try await folder.done(
            "import",
            "users.jsonl",
            "--into",
            "User",
            "--store",
            "s.db",
            "-q"
        )
        let first = try await folder.dump()
        #expect(try await Self.count(folder) == "3\n")
        _ = try await folder.run(Self.command, stdin: lines)
        #expect(try await folder.dump() == first)
    }

    @Test(arguments: [
        ("[{\"id\": 1}, {\"name\":", "not valid JSON: line 1, column 21: unexpected end of input."),
        ("null", "cannot be imported: expected an array or an object, found null."),
        ("{\"id\": 1}\n{\"id\": }", "not valid JSON: line 2, column 8: expected a value."),
    ])
    func `an invalid document is an error with its position and changes nothing`(
        _ document: String,
        _ message: String
    ) async throws {
        let folder = try await Self.filled(3)
        let outcome = try await folder.run(Self.command, stdin: document)
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains(message), "\(outcome)")
        #expect(try await Self.count(folder) == "3\n")
    }

    @Test func `an object around the list is an error that names the key path of the list`()
        async throws
    {
        let folder = try await Self.filled(3)
        let document = #"{"meta": [1], "data": [{"id": 9}]}"#
        try await InvalidCommand(
            "import",
            "--into",
            "User",
            stdin: document,
            status: 65,
            """
            Standard input is one object with a list under data, so nothing was imported. Import \
            the list with --root data. The object itself has no usable primary key of User.
            """
        ).check(in: folder, store: "s.db")
        #expect(try await Self.count(folder) == "3\n")
        // An object that contains no list is reported like any other that cannot be stored.
        let outcome = try await folder.run(Self.command, stdin: #"{"name": "x"}"#)
        #expect(outcome.status == 65, "\(outcome)")
        #expect(outcome.stderr.contains("User, id: The object has no usable primary key.\n"))
    }

    @Test func `an endless document is rejected at a limit`() async throws {
        let folder = try await Self.filled(1)
        let update = try await folder.run(
            "update",
            "User:1",
            "--json",
            "/dev/zero",
            "--store",
            "s.db"
        )
        #expect(update.status == 65, "\(update)")
        #expect(update.stderr.contains("/dev/zero is longer than 64 MiB"), "\(update)")
        let load = try await folder.run(
            "import",
            "/dev/zero",
            "--into",
            "User",
            "--store",
            "s.db"
        )
        #expect(load.status == 65, "\(load)")
        #expect(load.stderr.contains("not valid JSON: line 1, column 1"), "\(load)")
    }

    // MARK: New stores

    @Test func `a new store gets a model that is inferred from the document`() async throws {
        let folder = try Folder()
        let document = #"[{"id": 1, "name": "a", "tags": [{"id": 7}]}, {"id": 2, "name": "b"}]"#
        let dry = try await folder.run(Self.command + ["--dry-run"], stdin: document)
        #expect(dry.status == 0, "\(dry)")
        #expect(!folder.has("s.db"))
        let outcome = try await folder.run(Self.command, stdin: document)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.stderr.contains("The model of s.db was inferred from the document, with "),
            "\(outcome)"
        )
        #expect(try await Self.count(folder) == "2\n")
        let again = try await folder.run(Self.command + ["--format", "json"], stdin: document)
        #expect(try again.json()["entities"]?["User"]?["unchanged"] == 2)
        #expect(again.stderr == "")
    }

    @Test(arguments: [
        (
            "[]", 66,
            """
            There is no store at s.db, and no model can be inferred from an empty list. Pass a model \
            with --model PATH; `tidemark model infer` prints one for sample JSON.
            """
        ),
        (
            #"[{"price": 1.5}, {"price": 1.5}]"#, 65,
            "no member of the objects is certainly the primary key of User."
        ),
        (
            #"{"data": [{"id": 1}], "more": [{"id": 1}]}"#, 65,
            """
            Standard input is one object with lists under data and more, so no model was inferred \
            and nothing was imported. Import the list with --root data or --root more.
            """
        ),
        (
            #"{"data": {"items": [{"id": 1}], "total": 1}}"#, 65,
            "Standard input is one object with a list under data.items, so no model was inferred"
        ),
        ("[{\"id\": 1},", 65, "not valid JSON"),
    ])
    func `a document from which no model can be inferred creates no store`(
        _ document: String,
        _ status: Int32,
        _ message: String
    ) async throws {
        let folder = try Folder()
        let outcome = try await folder.run(Self.command, stdin: document)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.stderr.contains(message), "\(outcome)")
        #expect(try folder.names() == [])
    }

    @Test func `a model is inferred from JSON Lines as from an array`() async throws {
        let folder = try Folder()
        try folder.write("{\"id\": 1, \"at\": \"2016-01-09\"}\n{\"id\": 2}\n", to: "users.json")
        let lines = try await folder.done("model", "infer", "users.json")
        try folder.write("[{\"id\": 1, \"at\": \"2016-01-09\"}, {\"id\": 2}]", to: "users.json")
        let array = try await folder.done("model", "infer", "users.json")
        #expect(lines.stdout == array.stdout)
        try folder.write("{\"id\": 1, \"at\": \"2016-01-09\"}", to: "users.json")
        #expect(try await folder.done("model", "infer", "users.json").stdout.contains("User:"))
    }

    // MARK: Effects on other rows and processes

    @Test func `the deletion of unlisted rows is reported on standard error`() async throws {
        let folder = try await Self.filled(203)
        let dry = try await folder.run(Self.command + ["--dry-run"], stdin: Self.list(1...20))
        #expect(
            dry.stderr == """
                183 of 203 rows of User would be deleted, as the document does not list them. \
                --operations upsert keeps such rows.

                """
        )
        let new = try await folder.run(Self.command, stdin: Self.list(11...213))
        #expect(new.stderr.hasPrefix("10 of 203 rows of User were deleted,"), "\(new)")
        let quiet = try await folder.run(Self.command + ["--quiet"], stdin: Self.list(11...20))
        #expect(quiet.stderr == "")
        #expect(try await Self.count(folder) == "10\n")
        #expect(try await folder.run(Self.command, stdin: Self.list(11...20)).stderr == "")
    }

    @Test func `the deletion of a row without a key that was unlinked is not reported`()
        async throws
    {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              Article:
                attributes: {id: integer64}
                relationships: {author: {to: Author, inverse: articles}}
              Author:
                attributes: {id: integer64, name: string}
                relationships: {articles: {to: Article, toMany: true, inverse: author}}
            """,
            to: "model.yml"
        )
        let options = ["--store", "s.db", "--model", "model.yml", "--operations", "upsert"]
        let first = try await folder.run(
            ["import", "-", "--into", "Article"] + options,
            stdin: #"[{"id": 1, "author": {"name": "Ada"}}]"#
        )
        #expect(first.status == 0, "\(first)")
        let second = try await folder.run(
            ["import", "-", "--into", "Author"] + options,
            stdin: #"[{"id": 5, "articles": [{"id": 1}]}]"#
        )
        #expect(second.stderr == "")
        let names = try await folder.done(
            "query",
            "Author",
            "--store",
            "s.db",
            "--columns",
            "id,name"
        )
        #expect(names.stdout == "id  name\n──  ────\n 5\n")
    }

    @Test func `another process can write while a document is read`() async throws {
        let folder = try await Self.filled(3)
        let script = """
            mkfifo pipe || exit 1
            "$0" import pipe --into User --operations upsert --store s.db -q & exec 3>pipe
            printf '[{"id": 1, "name": "slow"},' >&3
            "$0" insert User --values '{"id": 9}' --store s.db || exit 2
            printf '{"id": 4}]' >&3
            exec 3>&-
            wait $!
            """
        let outcome = try await folder.run(
            Self.shell,
            ["-c", script, Tidemark.executable.path]
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await Self.count(folder) == "5\n")
    }

    @Test func `an import whose write-ahead log cannot be checkpointed has succeeded`()
        async throws
    {
        let folder = try Folder()
        try folder.write(Self.model, to: "m.yml")
        let name = String(repeating: "x", count: 400)
        let first = try await folder.run(
            Self.command + ["--model", "m.yml", "-q"],
            stdin: Self.list(1...8_000, name: name)
        )
        try #require(first.status == 0, "\(first)")
        let size = try folder.url.appending(path: "s.db").resourceValues(forKeys: [.fileSizeKey])
        let blocks = try #require(size.fileSize) / 512 + 200
        let script = """
            trap '' XFSZ
            ulimit -f \(blocks)
            exec "$0" import - --into User --operations upsert --store s.db -q
            """
        let outcome = try await folder.run(
            Self.shell,
            ["-c", script, Tidemark.executable.path],
            stdin: Self.list(100_001...110_001)
        )
        let number = try await Self.count(folder)
        #expect(
            outcome.status == 0 && number == "18001\n"
                || outcome.status == 74 && number == "8000\n",
            "\(outcome), \(number)"
        )
    }

    @Test func `an update with a remote object reports its diagnostics`() async throws {
        let folder = try await Self.filled(1)
        let outcome = try await folder.run(
            "update",
            "User:1",
            "--json",
            "-",
            "--store",
            "s.db",
            stdin: #"{"name": "b", "zzz": 1}"#
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stdout == "User#1: name\n")
        #expect(
            outcome.stderr
                == "User, zzz: The model has no attribute or relationship for this key.\n"
        )
    }
}
