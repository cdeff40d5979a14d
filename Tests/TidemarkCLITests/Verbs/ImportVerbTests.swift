import Testing

/// `tidemark import` and its options.
struct ImportVerbTests {
    @Test func `a document fills a store, and a second import changes nothing`() async throws {
        let folder = try Sample.folder()
        let command = ["import", "users.json", "--root", "data.users", "--into", "User"]
        let first = try await folder.run(command + ["--store", "s.db", "--model", "model.yml"])
        #expect(
            first.stdout == """
                entity  inserted  updated  unchanged  deleted  skipped
                ──────  ────────  ───────  ─────────  ───────  ───────
                Note           2        0          0        0        0
                User           2        0          0        0        0

                """
        )
        #expect(first.stderr == "")
        #expect(first.status == 0)
        #expect(try await folder.dump() == Sample.dump)

        let second = try await folder.run(command + ["--store", "s.db", "--format", "json"])
        #expect(second.status == 0)
        #expect(
            try second.json()["entities"] == [
                "User": ["inserted": 0, "updated": 0, "unchanged": 2, "deleted": 0, "skipped": 0],
                "Note": ["inserted": 0, "updated": 0, "unchanged": 2, "deleted": 0, "skipped": 0],
            ]
        )
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test(arguments: [["-"], []] as [[String]])
    func `a document is read from standard input`(_ file: [String]) async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            ["import"] + file + [
                "--root", "data.users", "--into", "User", "--store", "s.db", "--model", "model.yml",
            ],
            stdin: Sample.users
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `diagnostics do not fail an import, and contain values only with --show-values`()
        async throws
    {
        let folder = try Sample.folder()
        try folder.write(
            """
            [{"id": 1, "name": "A", "age": "old", "hat": 1}, {"id": 2, "name": "B", "age": "new"},
             {"name": "C"}, {"id": 4}, {"id": 5, "name": "E"}, {"id": 5, "name": "E"}]
            """,
            to: "odd.json"
        )
        let command = [
            "import", "odd.json", "--into", "User", "--store", "s.db", "--model", "model.yml",
            "--dry-run",
        ]
        let text = try await folder.run(command)
        #expect(text.status == 0)
        #expect(text.stderr.contains("User:1, age: The value is not a number. (2 times)\n"))
        #expect(text.stderr.contains("User, id: The object has no usable primary key.\n"))
        #expect(!text.stderr.contains("old"))

        let quiet = try await folder.run(command + ["--quiet"])
        #expect(quiet.stderr.contains("User:1, age: The value is not a number. (2 times)\n"))
        #expect(!quiet.stderr.contains("several objects with this key"), "\(quiet)")
        #expect(quiet.stdout == "")

        let json = try await folder.run(command + ["--show-values", "--format", "json"]).json()
        #expect(
            json.keys == ["diagnostics", "diagnosticsOmitted", "entities", "unresolved"]
        )
        #expect(json["entities"]?["User"]?["skipped"] == 2)
        let diagnostics = try #require(json["diagnostics"]).elements
        #expect(
            diagnostics.first { $0["path"] == "age" } == [
                "entity": "User", "key": "1", "path": "age", "count": 2, "value": "\"old\"",
                "message": "The value is not a number.", "severity": "error",
            ]
        )
        #expect(diagnostics.contains { $0["path"] == "hat" })
        #expect(diagnostics.contains { $0["key"] == "4" && $0["path"] == "name" })
        #expect(diagnostics.contains { $0["key"] == "5" })
    }

    @Test func `a dry run reports what would happen and changes nothing`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.importUsers(
            #"[{"id": 2, "name": "Robert"}, {"id": 3, "name": "Cid"}]"#,
            "--dry-run",
            "--format",
            "json"
        )
        #expect(
            try outcome.json()["entities"] == [
                "User": ["inserted": 1, "updated": 1, "unchanged": 0, "deleted": 1, "skipped": 0],
                "Note": ["inserted": 0, "updated": 0, "unchanged": 0, "deleted": 2, "skipped": 0],
            ]
        )
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `a dry run without a store creates none`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.done(
            "import",
            "users.json",
            "--root",
            "data.users",
            "--into",
            "User",
            "--store",
            "s.db",
            "--model",
            "model.yml",
            "--dry-run",
            "--format",
            "json"
        )
        #expect(try outcome.json()["entities"]?["User"]?["inserted"] == 2)
        #expect(try folder.names() == ["model.yml", "users.json"])
    }

    @Test func `an empty list deletes all rows of the entity, and an upsert none`() async throws {
        let folder = try await Sample.filled()
        try await folder.importUsers(
            "[]",
            "--operations",
            "upsert"
        )
        #expect(try await folder.dump() == Sample.dump)
        _ = try await folder.done("import", "--into", "User", "--store", "s.db", stdin: "[]")
        #expect(try await folder.dump() == ["User": [], "Note": []])
    }

    @Test(arguments: [
        ("insert", ["1 Ann", "2 Bob", "3 Cid"]),
        ("update", ["1 Ann", "2 Robert"]),
        ("delete", ["2 Bob"]),
        ("insert,delete", ["2 Bob", "3 Cid"]),
        ("insert,update,delete", ["2 Robert", "3 Cid"]),
    ])
    func `only the specified operations are performed`(
        _ operations: String,
        _ expected: [String]
    ) async throws {
        let folder = try Sample.folder()
        try await folder.importUsers(
            #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]"#
        )
        _ = try await folder.done(
            "import",
            "--into",
            "User",
            "--store",
            "s.db",
            "--operations",
            operations,
            stdin: #"[{"id": 2, "name": "Robert"}, {"id": 3, "name": "Cid"}]"#
        )
        let rows = try await folder.done(
            "query",
            "User",
            "--store",
            "s.db",
            "--sort",
            "id",
            "--format",
            "csv"
        )
        .lines.dropFirst().map { $0.split(separator: ",").prefix(2).joined(separator: " ") }
        #expect(rows == expected)
    }

    @Test func `unresolved references are counted by relationship`() async throws {
        let folder = try Sample.folder()
        let command = ["import", "--into", "Note", "--store", "s.db", "--model", "model.yml"]
        let notes = #"[{"id": 1, "user_id": 9}, {"id": 2, "user_id": 9}]"#
        let dry = try await folder.run(command + ["--dry-run"], stdin: notes)
        #expect(dry.lines.last == "2 references could not be linked.")
        let outcome = try await folder.run(command, stdin: notes)
        #expect(
            outcome.lines.last
                == "2 references could not be linked. Unresolved: 2 of Note.user to User."
        )
    }

    @Test(arguments: [[], ["--relationship", "notes"]] as [[String]])
    func `the children of one row are imported without changing the others`(
        _ relationship: [String]
    ) async throws {
        let folder = try await Sample.filled()
        let before = try #require(try await folder.dump()["User"]?[0])
        let outcome = try await folder.run(
            ["import", "--into", "Note", "--parent", "User:2", "--store", "s.db"] + relationship,
            stdin: #"[{"id": 20, "text": "new"}]"#
        )
        #expect(outcome.status == 0, "\(outcome)")
        let dump = try await folder.dump()
        #expect(dump["User"]?[0] == before)
        #expect(dump["User"]?[1]?["notes"] == ["Note#3"])
        #expect(dump["Note"]?.elements.count == 3)
        #expect(
            dump["Note"]?[2] == ["$ref": "Note#3", "id": 20, "text": "new", "user": "User#2"]
        )
    }

    @Test(arguments: [("hold", "User#3"), ("ignore", nil)])
    func `a reference to a missing row is stored as unresolved, or ignored`(
        _ policy: String,
        _ linked: String?
    ) async throws {
        let folder = try await Sample.filled()
        let first = try await folder.done(
            "import",
            "--into",
            "Note",
            "--store",
            "s.db",
            "--operations",
            "upsert",
            "--unresolved",
            policy,
            "--format",
            "json",
            stdin: #"[{"id": 30, "text": "early", "user_id": 3}]"#
        )
        #expect(try first.json()["unresolved"] == 1)
        try await folder.importUsers(
            #"[{"id": 3, "name": "Cid"}]"#,
            "--operations",
            "upsert"
        )
        let note = try await folder.done("get", "Note:30", "--store", "s.db").json()
        #expect(note["user"] == linked.map { .string($0) } ?? .null)
    }

    @Test func `a document may be one object`() async throws {
        let folder = try await Sample.filled()
        try await folder.importUsers(
            #"{"id": 2, "name": "Robert"}"#,
            "--operations",
            "upsert"
        )
        let row = try await folder.done("get", "User:2", "--store", "s.db").json()
        #expect(row["name"] == "Robert")
    }

    @Test func `a store is created from a Core Data model`() async throws {
        let folder = try Folder()
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Cat" representedClassName="Cat">
                    <attribute name="id" optional="YES" attributeType="Integer 64"/>
                    <attribute name="coatColor" optional="YES" attributeType="String"/>
                </entity>
            </model>
            """,
            to: "Cats.xcdatamodel/contents"
        )
        _ = try await folder.done(
            "import",
            "--into",
            "Cat",
            "--store",
            "c.db",
            "--model",
            "Cats.xcdatamodel",
            stdin: #"[{"id": 7, "coat_color": "grey"}]"#
        )
        #expect(
            try await folder.dump("c.db")
                == ["Cat": [["$ref": "Cat#1", "id": 7, "coatColor": "grey"]]]
        )
    }
}
