import Testing

/// `tidemark migrate`, and the migration of a store by other verbs with a changed model.
struct MigrateVerbTests {
    /// Returns a folder with a filled store, and a model in which a text is replaced.
    private func changed(_ text: String, to other: String) async throws -> Folder {
        let folder = try await Sample.filled()
        try folder.write(Sample.model.replacing(text, with: other), to: "other.yml")
        return folder
    }

    private let migrate = ["migrate", "--store", "s.db", "--model", "other.yml"]

    // MARK: Rejected migrations

    @Test func `a migration that would lose data is rejected with the cause and a remedy`()
        async throws
    {
        let folder = try await changed("name: {type: string", to: "name: {type: integer64")
        let message = """
            tidemark: The store s.db cannot change to the model without losing data: User.name: \
            2 values do not convert from string to integer64, the first in User#1: \
            The value is not a number. \
            Change or clear them first, or give the attribute another name.

            """
        let commands = [
            migrate, ["import", "-", "--into", "User"] + migrate.dropFirst(),
            ["import", "-", "--into", "User", "--dry-run"] + migrate.dropFirst(),
            ["insert", "User", "--values", "{}"] + migrate.dropFirst(),
            ["erase", "--yes"] + migrate.dropFirst(),
        ]
        for command in commands {
            let outcome = try await folder.run(command, stdin: "[]")
            #expect(outcome.status == 65)
            #expect(outcome.stdout.isEmpty)
            #expect(outcome.stderr == message)
        }
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `a dry run reports every rejection and changes nothing`() async throws {
        let folder = try await changed("age: integer16", to: "age: uuid")
        let outcome = try await folder.run(migrate + ["--dry-run", "--format", "json"])
        #expect(outcome.status == 65)
        #expect(
            try outcome.json() == [
                "dryRun": true, "losesData": false, "discardedReferences": 0,
                "discardedChanges": 0,
                "steps": [
                    [
                        "name": "change User.age from integer16 to uuid", "count": 2,
                        "losesData": false,
                    ]
                ],
                "rejections": [
                    [
                        "path": "User.age", "row": "User#1", "count": 2,
                        "reason": """
                        2 values do not convert from integer16 to uuid, the first in User#1: \
                        The value is not a UUID.
                        """,
                        "hint": "Change or clear them first, or give the attribute another name.",
                    ]
                ],
            ]
        )
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `a missing store is not created`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run("migrate", "--store", "s.db", "--model", "model.yml")
        #expect(outcome.status == 66)
        #expect(!folder.has("s.db"))
    }

    @Test func `an invalid model is rejected and does not change the store`() async throws {
        let folder = try await changed("to: Note,", to: "to: Nemo,")
        let outcome = try await folder.run(migrate)
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("Nemo"))
        #expect(try await folder.dump() == Sample.dump)
    }

    // MARK: Migrations

    @Test func `the steps are performed once and reported, also by a dry run`() async throws {
        let folder = try await changed(
            "      extra: json",
            to: "      size: {type: integer16, default: 1}"
        )
        let steps = "drop User.extra (1 value is lost)\nadd User.size (2 rows get the default)\n"
        let dryRun = try await folder.run(migrate + ["--dry-run"])
        #expect(dryRun.stdout == steps)
        #expect(try await folder.dump() == Sample.dump)
        #expect(try await folder.run(migrate).stdout == steps)
        #expect(try await folder.run(migrate).stdout == "Nothing to do.\n")
        let sizes = try await folder.done(
            "query",
            "User",
            "--store",
            "s.db",
            "--where",
            "size = 1",
            "--format",
            "csv"
        )
        #expect(sizes.lines.count == 3)
    }

    @Test(arguments: [
        ("[{\"id\": 12, \"user\": 77}]", "discard 1 unresolved reference"),
        (
            "[{\"id\": 12, \"user\": 77}, {\"id\": 13, \"user\": 78}]",
            "discard 2 unresolved references"
        ),
    ])
    func `unresolved references that a migration deletes are counted`(
        notes: String,
        line: String
    ) async throws {
        let folder = try await Sample.filled()
        _ = try await folder.done(
            "import",
            "-",
            "--into",
            "Note",
            "--operations",
            "upsert",
            "--store",
            "s.db",
            stdin: notes
        )
        let model = """
            entities:
              User: {attributes: {id: integer64}}
              Note: {attributes: {id: integer64}}
            """
        try folder.write(model, to: "other.yml")
        let outcome = try await folder.run(migrate + ["--dry-run"])
        #expect(outcome.lines.last == line)
    }

    @Test func `any verb with a changed model migrates the store and reports it in a line`()
        async throws
    {
        let folder = try await changed("age: integer16", to: "age: string")
        let line = "s.db: change User.age from integer16 to string (2 values are converted).\n"
        let dryRun = try await folder.run(
            ["import", "users.json", "--root", "data.users", "--into", "User", "--dry-run"]
                + migrate.dropFirst()
        )
        #expect(dryRun.status == 0)
        #expect(dryRun.stderr == "Would migrate \(line)")
        #expect(dryRun.stdout.contains("unchanged"))
        #expect(try await folder.dump() == Sample.dump)
        let insert = try await folder.run(
            ["insert", "Note", "--values", "{}"] + migrate.dropFirst()
        )
        #expect(insert.status == 0)
        #expect(insert.stdout == "Note#3\n")
        #expect(insert.stderr == "Migrated \(line)")
        let get = try await folder.done("get", "User:1", "--store", "s.db")
        #expect(get.stdout.contains("\"age\": \"41\""))
    }

    @Test func `a dry run of an import reports as if the store had the model`() async throws {
        let folder = try await changed("id: integer64\n      name", to: "id: string\n      name")
        let document = "[{\"id\": \"2\", \"name\": \"Bob\"}, {\"id\": \"x\", \"name\": \"New\"}]"
        let command = ["import", "-", "--into", "User", "--format", "json"] + migrate.dropFirst()
        let dryRun = try await folder.run(command + ["--dry-run"], stdin: document)
        let real = try await folder.run(command, stdin: document)
        #expect(dryRun.status == 0)
        #expect(try dryRun.json() == real.json())
        #expect(try real.json()["entities"]?["User"]?["unchanged"] == 1)
    }
}
