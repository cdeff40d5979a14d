import Testing

/// Invalid documents, rows, values and options: each error has its own message and exit status, and
/// changes nothing.
struct BadInputTests {
    private static let documents = [
        InvalidCommand(
            "import",
            "bad.json",
            "--into",
            "User",
            status: 65,
            "bad.json is not valid JSON: line 2, column 10: expected a name in quotation marks."
        ),
        InvalidCommand(
            "import",
            "cut.json",
            "--into",
            "User",
            status: 65,
            "cut.json is not valid JSON: line 1, column 33: unexpected end of input."
        ),
        InvalidCommand(
            "import",
            "empty.json",
            "--into",
            "User",
            status: 65,
            "empty.json is not valid JSON: line 1, column 1: unexpected end of input."
        ),
        InvalidCommand(
            "import",
            "--into",
            "User",
            stdin: "[1",
            status: 65,
            "Standard input is not valid JSON: line 1, column 3: unexpected end of input."
        ),
        InvalidCommand(
            "import",
            "users.json",
            "--into",
            "User",
            "--root",
            "data.people",
            status: 65,
            """
            users.json cannot be imported: there is no list at `data.people`: \
            `data.people` is missing.
            """
        ),
        InvalidCommand(
            "import",
            "nameless.json",
            "--into",
            "User",
            "--invalid",
            "abort",
            status: 65,
            """
            User:3, name: A row must have a value. \
            Correct the document, or use another policy for invalid values.
            """
        ),
        InvalidCommand(
            "import",
            "missing.json",
            "--into",
            "User",
            status: 66,
            "There is no file missing.json."
        ),
        InvalidCommand(
            "import",
            ".",
            "--into",
            "User",
            status: 65,
            ". is a folder. Name a file, or - for standard input."
        ),
        InvalidCommand(
            "import",
            "users.json",
            "--into",
            "Cat",
            status: 66,
            "The model has no entity Cat. It has Note, User."
        ),
        InvalidCommand(
            "import",
            "users.json",
            "--into",
            "Note",
            "--parent",
            "User:9",
            status: 66,
            "The store has no row User:9."
        ),
        InvalidCommand(
            "import",
            "users.json",
            "--into",
            "Note",
            "--parent",
            "User:1",
            "--relationship",
            "x",
            status: 64,
            "No relationship x leads from User:1 to Note. Name another parent."
        ),
        InvalidCommand(
            "update",
            "User:1",
            "--json",
            "bad.json",
            status: 65,
            "bad.json is not valid JSON: line 2, column 10: expected a name in quotation marks."
        ),
        InvalidCommand(
            "update",
            "User:1",
            "--json",
            "missing.json",
            status: 66,
            "There is no file missing.json."
        ),
    ]

    private static let rows = [
        InvalidCommand("get", "User:77", status: 66, "The store has no row User:77."),
        InvalidCommand("get", "User#77", status: 66, "The store has no row User#77."),
        InvalidCommand(
            "get",
            "Cat:1",
            status: 66,
            "The model has no entity Cat. It has Note, User."
        ),
        InvalidCommand("delete", "User:77", status: 66, "The store has no row User:77."),
        InvalidCommand(
            "update",
            "User:77",
            "--values",
            "{}",
            status: 66,
            "The store has no row User:77."
        ),
        InvalidCommand("export", "User:77", status: 66, "The store has no row User:77."),
        InvalidCommand(
            "export",
            "Cat",
            status: 66,
            "The model has no entity Cat. It has Note, User."
        ),
        InvalidCommand(
            "query",
            "Cat",
            status: 66,
            "The model has no entity Cat. It has Note, User."
        ),
        InvalidCommand(
            "count",
            "Cat",
            status: 66,
            "The model has no entity Cat. It has Note, User."
        ),
        InvalidCommand(
            "dump",
            "--entity",
            "Cat",
            status: 66,
            "The model has no entity Cat. It has Note, User."
        ),
        InvalidCommand(
            "query",
            "User",
            "--sort",
            "size",
            status: 64,
            "User cannot be sorted by size: it has no such attribute. It has age, extra, id, joined, name, photo, rate."
        ),
    ]

    private static let values = [
        InvalidCommand(
            "insert",
            "Note",
            "--values",
            #"{"size": 1}"#,
            status: 65,
            "Note has no attribute size. It has id, text."
        ),
        InvalidCommand(
            "insert",
            "Note",
            "--values",
            "{",
            status: 64,
            "--values is not valid JSON: line 1, column 2: unexpected end of input."
        ),
        InvalidCommand(
            "insert",
            "Note",
            "--values",
            "[]",
            status: 64,
            "--values must be a JSON object."
        ),
        InvalidCommand(
            "insert",
            "Note",
            "--links",
            #"{"owner": "User:1"}"#,
            status: 65,
            "Note has no relationship owner. It has user."
        ),
        InvalidCommand(
            "insert",
            "Note",
            "--links",
            #"{"user": "User:77"}"#,
            status: 66,
            "The store has no row User:77."
        ),
        InvalidCommand(
            "insert",
            "Note",
            "--links",
            #"{"user": "User77"}"#,
            status: 64,
            """
            User77 names no row. \
            Write Entity:KEY, such as User:6, or Entity#NUMBER, such as User#12.
            """
        ),
        InvalidCommand(
            "insert",
            "Note",
            "--links",
            #"{"user": 1}"#,
            status: 64,
            #"--links: user must be a row such as "User:6", a list, or null."#
        ),
        InvalidCommand(
            "insert",
            "User",
            "--values",
            #"{"name": "C", "joined": {"$date": "soon"}}"#,
            status: 65,
            "User.joined: The value is not a date in a known form."
        ),
        InvalidCommand(
            "update",
            "User:1",
            "--values",
            #"{"age": "old"}"#,
            status: 65,
            "User.age: The value is not a number."
        ),
    ]

    private static let options = [
        InvalidCommand("count", "User", "--frob", status: 64, "Error: Unknown option '--frob'"),
        InvalidCommand("count", status: 64, "Error: Missing expected argument '<entity>'"),
        InvalidCommand(
            "import",
            "users.json",
            status: 64,
            "Error: Missing expected argument '--into <into>'"
        ),
        InvalidCommand("get", "User", status: 64, "Error: The value 'User' is invalid for '<row>'"),
        InvalidCommand(
            "get",
            "User#x",
            status: 64,
            "Error: The value 'User#x' is invalid for '<row>'"
        ),
        InvalidCommand(
            "get",
            "User#0",
            status: 64,
            "Error: The value 'User#0' is invalid for '<row>'"
        ),
        InvalidCommand("get", ":1", status: 64, "Error: The value ':1' is invalid for '<row>'"),
        InvalidCommand(
            "import",
            "users.json",
            "--into",
            "User",
            "--operations",
            "insert,frob",
            status: 64,
            "Error: The value 'insert,frob' is invalid for '--operations <operations>'. Please provide one "
                + "of the following:"
        ),
        InvalidCommand(
            "import",
            "users.json",
            "--into",
            "User",
            "--relationship",
            "notes",
            status: 64,
            "Error: --relationship goes with --parent."
        ),
        InvalidCommand(
            "query",
            "User",
            "--limit=-1",
            status: 64,
            "Error: --limit and --offset cannot be negative."
        ),
        InvalidCommand(
            "query",
            "User",
            "--limit",
            "many",
            status: 64,
            "Error: The value 'many' is invalid for '--limit <limit>'"
        ),
        InvalidCommand(
            "export",
            "User",
            "--time-zone",
            "Mars/Olympus",
            status: 64,
            "There is no time zone Mars/Olympus. Try Europe/Madrid or UTC."
        ),
        InvalidCommand(
            "erase",
            status: 77,
            "Nothing was erased. Use --yes to erase without being asked."
        ),
    ]

    @Test(arguments: documents + rows + values + options)
    func `invalid input has its own message and status and changes nothing`(
        _ command: InvalidCommand
    ) async throws {
        let folder = try await Sample.filled()
        try folder.write("[{\"id\":1},\n {\"id\":2,]", to: "bad.json")
        try folder.write(#"[{"id":1,"name":"x"},{"id":2,"na"#, to: "cut.json")
        try folder.write("", to: "empty.json")
        try folder.write(#"[{"id":1,"name":"x"},{"id":3}]"#, to: "nameless.json")
        try await command.check(in: folder, store: "s.db")
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `a missing required value is rejected with its entity and attribute`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run("insert", "User", "--store", "s.db", "--values", "{}")
        #expect(outcome.status == 65)
        #expect(outcome.stderr.hasPrefix("tidemark: "))
        #expect(outcome.stderr.contains("User") && outcome.stderr.contains("name"))
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `an unknown verb is a usage error`() async throws {
        try await InvalidCommand("frob", status: 64, "Error: Unexpected argument 'frob'")
            .check(in: Folder())
    }

    @Test func `a verb without a store is a usage error`() async throws {
        let folder = try Sample.folder()
        let commands = [
            ["import", "users.json", "--into", "User", "--model", "model.yml"], ["dump"],
            ["query", "User"], ["get", "User:1"], ["count", "User"], ["export", "User"],
            ["insert", "User"], ["update", "User:1"], ["delete", "User:1"], ["erase", "--yes"],
            ["model", "show"],
        ]
        for command in commands {
            let outcome = try await folder.run(command)
            #expect(outcome.status == 64, "\(command)")
            #expect(
                outcome.stderr
                    == "tidemark: No store is named. Use --store PATH, or set TIDEMARK_STORE.\n"
            )
        }
        #expect(try folder.names() == ["model.yml", "users.json"])
    }

    @Test func `a missing document creates no store`() async throws {
        let folder = try Sample.folder()
        let outcome = try await folder.run(
            "import",
            "missing.json",
            "--into",
            "User",
            "--model",
            "model.yml",
            "--store",
            "s.db"
        )
        #expect(outcome.status == 66)
        #expect(try folder.names() == ["model.yml", "users.json"])
    }
}
