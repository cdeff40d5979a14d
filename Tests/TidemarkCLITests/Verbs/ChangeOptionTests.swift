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

/// `--changes`, which writes a line for each changed row.
struct ChangeOptionTests {
    private let load = [
        "import", "users.json", "--root", "data.users", "--into", "User", "--store", "s.db",
    ]

    @Test func `an import writes a line for each changed row, and none if nothing changes`()
        async throws
    {
        let folder = try Sample.folder()
        let first = try await folder.run(
            load + ["--model", "model.yml", "--changes", "changes.jsonl"]
        )
        #expect(first.status == 0, "\(first)")
        #expect(first.lines.count == 4)
        let lines = try folder.changes()
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0["change"] == "insert" })
        #expect(
            Set(lines.map(\.keys)) == [["change", "entity", "key", "properties", "row"]]
        )
        let second = try await folder.run(load + ["--changes", "changes.jsonl"])
        #expect(second.status == 0, "\(second)")
        #expect(try folder.text(of: "changes.jsonl").isEmpty)
    }

    @Test func `a line names the changed properties, and a deleted row its key`() async throws {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              User:
                attributes: {id: integer64, name: string, bornAt: date}
                relationships:
                  notes: {to: Note, toMany: true, inverse: user, deleteRule: cascade}
                  tags: {to: Tag, toMany: true, inverse: users}
              Note:
                primaryKey: [day, id]
                attributes: {id: integer64, day: date, text: string}
                relationships: {user: {to: User, inverse: notes}}
              Tag:
                primaryKey: code
                attributes: {code: string}
                relationships: {users: {to: User, toMany: true, inverse: tags}}
            """,
            to: "model.yml"
        )
        func load(_ users: String) async throws -> String {
            let arguments = [
                "import", "-", "--into", "User", "--store", "s.db", "--model", "model.yml",
                "--changes", "-",
            ]
            let outcome = try await folder.run(arguments, stdin: users)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stderr.hasPrefix("entity  inserted"))
            return outcome.stdout
        }
        let note = #"{"id": 7, "day": "2026-01-02", "text": "a"}"#
        let first = try await load(
            """
            [{"id": 1, "name": "Ada", "notes": [\(note)], "tags": [{"code": "x\\"y"}]}, {"id": 2}]
            """
        )
        #expect(
            Set(first.split(separator: "\n")) == [
                #"{"change":"insert","entity":"User","row":1,"key":1,"properties":["id","name","tags"]}"#,
                #"{"change":"insert","entity":"Note","row":1,"key":["2026-01-02T00:00:00Z",7],"properties":["id","day","text","user"]}"#,
                #"{"change":"insert","entity":"Tag","row":1,"key":"x\"y","properties":["code","users"]}"#,
                #"{"change":"insert","entity":"User","row":2,"key":2,"properties":["id"]}"#,
            ]
        )
        let second = try await load(
            #"[{"id": 2, "name": "Alan", "bornAt": "1912-06-23", "tags": ["x\"y"]}]"#
        )
        #expect(
            Set(second.split(separator: "\n")) == [
                #"{"change":"update","entity":"User","row":2,"key":2,"properties":["name","bornAt","tags"]}"#,
                #"{"change":"update","entity":"Tag","row":1,"key":"x\"y","properties":["users"]}"#,
                #"{"change":"delete","entity":"User","row":1,"key":1,"properties":[]}"#,
                #"{"change":"delete","entity":"Note","row":1,"key":["2026-01-02T00:00:00Z",7],"properties":[]}"#,
            ]
        )
    }

    @Test(arguments: ["-", "changes.jsonl"])
    func `rows changed by the migration before an import are written too`(
        target: String
    ) async throws {
        let folder = try Folder()
        let model = "entities: {User: {attributes: {id: integer64, age: string}}}"
        try folder.write(model, to: "old.yml")
        try folder.write(model.replacing("string", with: "integer64"), to: "new.yml")
        let arguments = ["import", "-", "--into", "User", "--store", "s.db", "--model"]
        let users = #"[{"id": 1, "age": "36"}, {"id": 2}]"#
        let first = try await folder.run(arguments + ["old.yml"], stdin: users)
        #expect(first.status == 0, "\(first)")
        let second = try await folder.run(
            arguments + ["new.yml", "--changes", target],
            stdin: #"[{"id": 1, "age": 37}, {"id": 2}]"#
        )
        #expect(second.status == 0, "\(second)")
        #expect(second.stderr.contains("Migrated s.db"))
        let lines = target == "-" ? second.stdout : try folder.text(of: target)
        let line = #"{"change":"update","entity":"User","row":1,"key":1,"properties":["age"]}"#
        #expect(lines == "\(line)\n\(line)\n")
    }

    @Test func `a failed import writes no lines`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            [
                "import", "-", "--into", "User", "--store", "s.db", "--model", "model.yml",
                "--changes", "changes.jsonl",
            ],
            stdin: #"[{"id": 1, "name": "A"}, {"id": 2"#
        )
        #expect(outcome.status == 65, "\(outcome)")
        #expect(try folder.text(of: "changes.jsonl").isEmpty)
    }

    @Test func `a file that cannot be written is an error before the import`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            load + ["--model", "model.yml", "--changes", "missing/changes.jsonl"]
        )
        #expect(outcome.status == 74)
        #expect(
            outcome.stderr == """
                tidemark: The changes cannot be written to missing/changes.jsonl: \
                No such file or directory.

                """
        )
        #expect(!folder.has("s.db"))
    }

    @Test func `the store, the document and the model are not overwritten`() async throws {
        let folder = try await Sample.filled()
        let dump = try await folder.dump()
        let users = try folder.text(of: "users.json")
        let model = try folder.text(of: "model.yml")
        for name in ["s.db", "users.json", "model.yml"] {
            let outcome = try await folder.run(
                load + ["--model", "model.yml", "--changes", "./\(name)"]
            )
            #expect(outcome.status == 64)
            #expect(outcome.stderr.contains("--changes ./\(name) would overwrite \(name)."))
        }
        #expect(try folder.text(of: "users.json") == users)
        #expect(try folder.text(of: "model.yml") == model)
        #expect(try await folder.dump() == dump)
    }

    @Test func `a hard link to the store is not overwritten`() async throws {
        let folder = try await Sample.filled()
        let dump = try await folder.dump()
        try FileManager.default.linkItem(
            at: folder.url.appending(path: "s.db"),
            to: folder.url.appending(path: "linked.jsonl")
        )
        let outcome = try await folder.run(load + ["--changes", "linked.jsonl"])
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.stderr.contains("--changes linked.jsonl would overwrite s.db."))
        #expect(try await folder.dump() == dump)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/stdout")))
    func `changes are written to a pipe, which has no path of its own`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            load + ["--model", "model.yml", "--quiet", "--changes", "/dev/stdout"]
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stdout.split(separator: "\n").count == 4)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a full disk is an error, and committed rows are kept`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            load + ["--model", "model.yml", "--changes", "/dev/full"]
        )
        #expect(outcome.status == 74)
        #expect(
            outcome.stderr == """
                tidemark: The changes cannot be written to /dev/full: No space left on device. \
                What was committed stays in the store.

                """
        )
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test(arguments: [["import", "-", "--into", "User"], ["migrate", "--model", "m"], ["pull"]])
    func `--dry-run with --changes is a usage error`(_ command: [String]) async throws {
        let folder = try Folder()
        let outcome = try await folder.run(command + ["--dry-run", "--changes", "-"])
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("--dry-run commits nothing"))
    }

    @Test func `a migration writes the rows that it changes`() async throws {
        let folder = try await Sample.filled()
        try folder.write(
            Sample.model.replacing("age: integer16", with: "age: string"),
            to: "other.yml"
        )
        let outcome = try await folder.run(
            ["migrate", "--store", "s.db", "--model", "other.yml", "--changes", "-"]
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.lines.isEmpty)
        for line in outcome.lines {
            let change = try JSON(parsing: line)
            #expect(change["change"] == "update")
            #expect(change["entity"] == "User")
            #expect(change["properties"] == ["age"])
        }
        #expect(outcome.stderr.contains("change User.age from integer16 to string"))
    }
}

/// `--changes` of `tidemark pull`.
@Suite(.timeLimit(.minutes(40)))
struct PullChangesTests {
    @Test func `a pull writes the changes of each commit`() async throws {
        try await Shop.open { shop in
            _ = try await shop.folder.done("pull", "--changes", "changes.jsonl")
            let first = try shop.folder.changes()
            #expect(first.count { $0["change"] == "insert" } == 10)
            _ = try await shop.folder.done("pull", "--changes", "changes.jsonl")
            #expect(try shop.folder.text(of: "changes.jsonl").isEmpty)
            shop.fake["books/3"] = nil
            shop.fake["books/4"] = [
                "id": .number("4"), "title": "Other", "author_id": .number("1"),
            ]
            let third = try await shop.folder.done("pull", "--changes", "-")
            #expect(third.stderr.hasPrefix("resource "))
            #expect(
                Set(third.lines) == [
                    #"{"change":"update","entity":"Book","row":4,"key":4,"properties":["title","author"]}"#,
                    #"{"change":"delete","entity":"Book","row":3,"key":3,"properties":[]}"#,
                ]
            )
        }
    }

    @Test func `rows changed by the migration are written before those changed by the pull`()
        async throws
    {
        try await Shop.open { shop in
            _ = try await shop.folder.done("pull")
            let model = try shop.folder.text(of: "model.yml")
            try shop.folder.write(
                model.replacing(
                    "name: string}",
                    with: "name: string, kind: {type: string, optional: false, default: x}}"
                ),
                to: "model.yml"
            )
            shop.fake["authors/2"] = ["id": .number("2"), "name": "New"]
            let outcome = try await shop.folder.done("pull", "--changes", "changes.jsonl")
            #expect(outcome.stderr.contains("shop.db: add Author.kind"))
            func line(_ key: Double, _ property: String) -> JSON {
                [
                    "change": "update", "entity": "Author", "row": .number(key),
                    "key": .number(key), "properties": [.string(property)],
                ]
            }
            #expect(
                try shop.folder.changes() == [
                    line(1, "kind"), line(2, "kind"), line(3, "kind"), line(2, "name"),
                ]
            )
        }
    }

    @Test func `the configuration, the model and the files in its bundle are not overwritten`()
        async throws
    {
        try await Shop.open { shop in
            let bundle = "M.xcdatamodeld/M.xcdatamodel/contents"
            let model = """
                <model><entity name="Book"><attribute name="id" attributeType="Integer 64"/>
                </entity></model>
                """
            try shop.folder.write(model, to: bundle)
            try shop.configure(to: "other.yml")
            let other = try shop.folder.text(of: "other.yml")
            try shop.folder.write(
                other.replacing("model.yml", with: "M.xcdatamodeld")
                    .replacing("  Author: {path: authors/}\n", with: ""),
                to: "bundle.yml"
            )
            for (configuration, name) in [
                ("tidemark.yml", "tidemark.yml"), ("other.yml", "other.yml"),
                ("other.yml", "model.yml"), ("bundle.yml", bundle),
            ] {
                let text = try shop.folder.text(of: name)
                let outcome = try await shop.folder.run("pull", configuration, "--changes", name)
                #expect(outcome.status == 64, "\(outcome)")
                #expect(outcome.stderr.contains("--changes \(name) would overwrite"), "\(outcome)")
                #expect(try shop.folder.text(of: name) == text)
            }
        }
    }

    @Test func `an interrupted pull has written the changes that it committed`() async throws {
        let requestGate = RequestGate()
        try await Shop.open(requestGate.environment) { shop in
            requestGate.block("books/?page=3", of: shop.fake)
            defer { requestGate.open() }
            let arguments = ["pull", "--only", "Book", "--changes", "changes.jsonl"]
            let outcome = try await shop.folder.run(arguments) { command in
                await requestGate.waitForRequest()
                command.send(SIGINT)
            }
            #expect(outcome.status == 130)
            #expect(try shop.folder.changes().count == 6)
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a pull fails if its changes cannot be written`() async throws {
        try await Shop.open { shop in
            let outcome = try await shop.folder.run("pull", "--changes", "/dev/full")
            #expect(outcome.status == 74, "\(outcome)")
            #expect(outcome.stderr.contains("cannot be written to /dev/full: No space left"))
        }
    }
}

extension Folder {
    /// Returns the lines of `changes.jsonl`.
    fileprivate func changes() throws -> [JSON] {
        try text(of: "changes.jsonl").split(separator: "\n").map { try JSON(parsing: String($0)) }
    }
}
