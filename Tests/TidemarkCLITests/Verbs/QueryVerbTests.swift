import Foundation
import GRDB
import Testing

/// `query`, `count`, `dump` and `export`.
struct QueryVerbTests {
    private let command = ["query", "Note", "--store", "s.db"]

    @Test func `a table has one line per row and truncates long text`() async throws {
        let folder = try await Sample.filled()
        _ = try await folder.done(
            "insert",
            "Note",
            "--store",
            "s.db",
            "--values",
            #"{"id": 12, "text": "\#(String(repeating: "x", count: 60))"}"#
        )
        let outcome = try await folder.run(command)
        #expect(
            outcome.stdout == """
                id  text                                      user
                ──  ────────────────────────────────────────  ────
                10  one two, "three"                             1
                11  four                                         1
                12  \(String(repeating: "x", count: 39))…

                """
        )
    }

    @Test func `CSV quotes fields and ends lines as RFC 4180 specifies`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run(command + ["--format", "csv"])
        #expect(
            outcome.stdout == """
                id,text,user\r
                10,"one
                two, ""three""\",1\r
                11,four,1\r

                """
        )
        let users = try await folder.done("query", "User", "--store", "s.db", "--format", "csv")
        #expect(
            users.stdout == """
                id,name,age,joined,rate,photo,extra,notes\r
                1,"Ann, ""the"" one",41,2014-02-14T00:00:00Z,12.25,,"{""a"":1.0}",10 11\r
                2,Bob,7,,,,,\r

                """
        )
    }

    @Test func `JSON is an array of objects, in which links are keys`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.done("query", "User", "--store", "s.db", "--format", "json")
        #expect(
            try outcome.json() == [
                [
                    "id": 1, "name": "Ann, \"the\" one", "age": 41, "rate": 12.25, "photo": nil,
                    "joined": "2014-02-14T00:00:00Z", "extra": ["a": 1], "notes": [10, 11],
                ],
                [
                    "id": 2, "name": "Bob", "age": 7, "rate": nil, "photo": nil, "joined": nil,
                    "extra": nil, "notes": [],
                ],
            ]
        )
    }

    /// Returns a folder with a store in which another program has written invalid JSON.
    private func damaged() async throws -> Folder {
        let folder = try await Sample.filled()
        try await DatabaseQueue(path: folder.path("s.db")).write { db in
            try db.execute(sql: "UPDATE User SET extra = '{bad' WHERE id = 1")
        }
        return folder
    }

    @Test(arguments: [
        ["dump"], ["query", "User", "--format", "json"], ["query", "User", "--format", "ndjson"],
        ["get", "User:1"],
    ])
    func `an invalid value of a JSON attribute is an error, and the output is valid`(
        _ command: [String]
    ) async throws {
        let outcome = try await damaged().run(command + ["--store", "s.db"])
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("The value of extra in User#1 is not valid JSON"))
        for text in command.contains("ndjson") ? outcome.lines : [outcome.stdout] {
            #expect(throws: Never.self) { try JSON(parsing: text) }
        }
    }

    @Test func `an export writes an invalid value of a JSON attribute as a string`() async throws {
        let users = try await damaged().done("export", "User", "--store", "s.db").json()
        #expect(users.elements.map { $0["extra"] } == ["{bad", JSON.null])
    }

    @Test func `NDJSON has one object per line`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run(command + ["--format", "ndjson"])
        #expect(
            try outcome.lines.map(JSON.init(parsing:)) == [
                ["id": 10, "text": "one\ntwo, \"three\"", "user": 1],
                ["id": 11, "text": "four", "user": 1],
            ]
        )
    }

    @Test func `CSV quotes a field even if a combining mark follows the special character`()
        async throws
    {
        let folder = try Sample.folder()
        let names = [
            "plain", "a,b", "a,\u{301}b", "a\"\u{301}b", "a\r\nb", "a\n\u{301}b", "\"", " a ",
        ]
        let users = names.enumerated().map { ["id": "\($0)", "name": $1] }
        try await folder.importUsers(
            String(decoding: try JSONEncoder().encode(users), as: UTF8.self)
        )
        let outcome = try await folder.done(
            "query",
            "User",
            "--store",
            "s.db",
            "--format",
            "csv",
            "--columns",
            "name",
            "--sort",
            "id"
        )
        let quoted = [
            "plain", "\"a,b\"", "\"a,\u{301}b\"", "\"a\"\"\u{301}b\"", "\"a\r\nb\"",
            "\"a\n\u{301}b\"", "\"\"\"\"", " a ",
        ]
        #expect(
            Array(outcome.stdout.utf8)
                == Array((["name"] + quoted).map { $0 + "\r\n" }.joined().utf8)
        )
    }

    @Test func `--columns selects and orders columns in every format`() async throws {
        let folder = try await Sample.filled()
        let printed = [
            "table": "user  id\n────  ──\n   1  10\n   1  11\n",
            "csv": "user,id\r\n1,10\r\n1,11\r\n",
            "json": "[{\"user\":1,\"id\":10},{\"user\":1,\"id\":11}]\n",
            "ndjson": "{\"user\":1,\"id\":10}\n{\"user\":1,\"id\":11}\n",
        ]
        for (format, text) in printed {
            let outcome = try await folder.run(
                command + ["--columns", "user,id", "--format", format]
            )
            #expect(outcome.stdout == text, "\(outcome)")
        }
        let none = try await folder.run(command + ["--columns", ","])
        #expect(none.status == 64)
    }

    @Test func `an entity without rows prints no row in any format`() async throws {
        let folder = try await Sample.filled()
        _ = try await folder.done("erase", "--store", "s.db", "--yes")
        let printed = [
            "table": "id  text  user\n──  ────  ────\n", "csv": "id,text,user\r\n", "json": "[]\n",
            "ndjson": "",
        ]
        for (format, text) in printed {
            #expect(try await folder.run(command + ["--format", format]).stdout == text)
        }
    }

    @Test(
        arguments: [
            (["--sort", "name"], [2, 3, 1, 4]), (["--sort", "-name"], [4, 1, 3, 2]),
            (["--sort=-age,name"], [1, 2, 3, 4]), (["--sort", "-age,-id"], [1, 3, 2, 4]),
            (["--sort", "age,name"], [4, 2, 3, 1]), (["--limit", "2"], [1, 2]),
            (["--offset", "3"], [4]), (["--limit", "1", "--offset", "1"], [2]),
            (["--limit", "0"], []), (["--offset", "9"], []),
            (["--sort", "name", "--limit", "2", "--offset", "1"], [3, 1]),
        ] as [([String], [Int])]
    )
    func `--sort, --limit and --offset sort and select rows`(
        _ options: [String],
        _ expected: [Int]
    ) async throws {
        let folder = try Sample.folder()
        try await folder.importUsers(
            """
            [{"id": 1, "name": "C", "age": 9}, {"id": 2, "name": "A", "age": 5},
             {"id": 3, "name": "B", "age": 5}, {"id": 4, "name": "D"}]
            """
        )
        let outcome = try await folder.run(
            ["query", "User", "--store", "s.db", "--format", "json"] + options
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            try outcome.json().elements.map { $0["id"] } == expected.map { .number(Double($0)) }
        )
    }

    @Test func `count prints the number of rows, as text or as JSON`() async throws {
        let folder = try await Sample.filled()
        #expect(try await folder.done("count", "Note", "--store", "s.db").stdout == "2\n")
        let json = try await folder.done("count", "Note", "--store", "s.db", "--format", "json")
        #expect(json.stdout == "{\"count\":2}\n")
    }

    @Test func `dump prints the whole store, or one entity`() async throws {
        let folder = try await Sample.filled()
        #expect(try await folder.dump() == Sample.dump)
        let one = try await folder.done("dump", "--store", "s.db", "--entity", "Note")
        #expect(try one.json() == ["Note": try #require(Sample.dump["Note"])])
        #expect(one.lines.count == 1)
    }

    @Test func `export prints rows as JSON in the form of the service`() async throws {
        let folder = try await Sample.filled()
        let all = try await folder.done("export", "User", "--store", "s.db")
        #expect(
            try all.json() == [
                [
                    "id": 1, "name": "Ann, \"the\" one", "age": 41,
                    "joined": "2014-02-14T00:00:00Z", "rate": 12.25, "photo": nil,
                    "extra": ["a": 1.0],
                    "notes": [
                        ["id": 10, "text": "one\ntwo, \"three\""], ["id": 11, "text": "four"],
                    ],
                ],
                [
                    "id": 2, "name": "Bob", "age": 7, "joined": nil, "rate": nil, "photo": nil,
                    "extra": nil, "notes": [],
                ],
            ]
        )
    }

    @Test(
        arguments: [
            (["--relationships", "ids"], "note_ids", [10, 11] as JSON),
            (["--relationships", "ids", "--keys", "camel"], "noteIds", [10, 11]),
            (["--date-format", "dd.MM.yyyy HH:mm"], "joined", "14.02.2014 00:00"),
            (
                ["--date-format", "dd.MM.yyyy HH:mm", "--time-zone", "Asia/Kathmandu"], "joined",
                "14.02.2014 05:45"
            ),
            (["--relationships", "none"], "notes", nil),
        ] as [([String], String, JSON?)]
    )
    func `the options of export determine the form of a row`(
        _ options: [String],
        _ key: String,
        _ value: JSON?
    ) async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run(["export", "User:1", "--store", "s.db"] + options)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.json()[key] == value)
    }

    @Test func `nested attributes are exported under their own key`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.done(
            "export",
            "User#1",
            "--store",
            "s.db",
            "--relationships",
            "nested-attributes"
        )
        let row = try outcome.json()
        #expect(row["notes"] == nil)
        #expect(
            row["notes_attributes"]?.keys == ["0", "1"]
                || row["notes_attributes"]?.elements.count == 2
        )
    }
}
