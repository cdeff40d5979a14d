import Testing

/// `insert`, `update`, `delete`, `get` and `erase`.
@Suite(.timeLimit(.minutes(40)))
struct RowVerbTests {
    @Test func `a relationship among the values is rejected with the option for it`() async throws {
        let folder = try await Sample.filled()
        let result = try await folder.run(
            "insert",
            "Note",
            "--store",
            "s.db",
            "--values",
            #"{"user": 1}"#
        )
        #expect(result.status == 65)
        #expect(result.stderr.contains("Note.user is a relationship"))
        #expect(result.stderr.contains("--links"))
    }

    @Test func `insert prints the locator of the new row`() async throws {
        let folder = try await Sample.filled()
        let text = try await folder.done(
            "insert",
            "Note",
            "--store",
            "s.db",
            "--values",
            #"{"text": "hi"}"#,
            "--links",
            #"{"user": "User:2"}"#
        )
        #expect(text.stdout == "Note#3\n")
        let json = try await folder.done(
            "insert",
            "User",
            "--store",
            "s.db",
            "--format",
            "json",
            "--values",
            """
            {"name": "Cid", "age": null, "joined": {"$date": "2020-02-29T12:00:00.500Z"},
             "rate": {"$decimal": "0.1"}, "photo": {"$binary": "AQID"}, "extra": [1, {"b": "c"}]}
            """,
            "--links",
            #"{"notes": ["Note:11", "Note#3"]}"#
        )
        #expect(json.stdout == "{\"ref\":\"User#3\"}\n")
        let row = try await folder.done("get", "User#3", "--store", "s.db", "--format", "json")
        #expect(
            try row.json() == [
                "$ref": "User#3", "id": nil, "name": "Cid", "age": nil,
                "joined": ["$date": "2020-02-29T12:00:00.500Z"], "rate": ["$decimal": "0.1"],
                "photo": ["$binary": "AQID"], "extra": [1, ["b": "c"]],
                "notes": ["Note#2", "Note#3"],
            ]
        )
        let note = try await folder.done("get", "Note:11", "--store", "s.db").json()
        #expect(note["user"] == "User#3")
    }

    @Test func `update prints the names of changed properties`() async throws {
        let folder = try await Sample.filled()
        let text = try await folder.done(
            "update",
            "User:2",
            "--store",
            "s.db",
            "--values",
            #"{"name": "Robert", "age": 7}"#
        )
        #expect(text.stdout == "User#2: name\n")
        let none = try await folder.done(
            "update",
            "User#2",
            "--store",
            "s.db",
            "--values",
            #"{"name": "Robert"}"#
        )
        #expect(none.stdout == "User#2: nothing changed\n")
        let json = try await folder.done(
            "update",
            "User:1",
            "--store",
            "s.db",
            "--links",
            #"{"notes": ["Note:11"]}"#,
            "--format",
            "json"
        )
        #expect(json.stdout == #"{"changed":["notes"],"ref":"User#1"}"# + "\n")
        #expect(try await folder.dump()["Note"]?[0]?["user"] == .null)
    }

    @Test func `update stores the attributes of a remote object`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.done(
            "update",
            "User:2",
            "--store",
            "s.db",
            "--json",
            "-",
            "--format",
            "json",
            stdin: #"{"id": 2, "name": "Bob", "age": 8, "joined": "2001-02-03"}"#
        )
        #expect(try outcome.json() == ["ref": "User#2", "changed": ["age", "joined"]])
        let row = try await folder.done("get", "User:2", "--store", "s.db").json()
        #expect(row["age"] == 8)
        #expect(row["joined"] == ["$date": "2001-02-03T00:00:00.000Z"])
    }

    @Test func `a truncated remote object changes nothing`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run(
            "update",
            "User:2",
            "--store",
            "s.db",
            "--json",
            "-",
            stdin: #"{"name": "B"#
        )
        #expect(outcome.status == 65)
        #expect(
            outcome.stderr.hasPrefix("tidemark: Standard input is not valid JSON: line 1, column ")
        )
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `delete follows the delete rules of the model`() async throws {
        let folder = try await Sample.filled()
        let json = try await folder.done("delete", "User:1", "--store", "s.db", "--format", "json")
        #expect(try json.json() == ["deleted": ["User": 1, "Note": 2]])
        let text = try await folder.done("delete", "User#2", "--store", "s.db")
        #expect(text.stdout == "deleted 1 User\n")
        #expect(try await folder.dump() == ["User": [], "Note": []])
    }

    @Test func `a local change in the mirror of a service prints a warning`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            let origin = shop.url.replacing("/api/", with: "")
            let message =
                "The store mirrors \(origin): the change is not sent there, and the next pull may "
                + "undo it.\n"
            func change(_ arguments: String..., prints message: String) async throws {
                let outcome = try await shop.folder.run(arguments + ["--store", "shop.db"])
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.stderr == message, "\(arguments)")
            }
            try await change("insert", "Book", "--values", #"{"id": 98}"#, prints: message)
            try await change("update", "Book:1", "--values", #"{"title": "A"}"#, prints: message)
            try await change("delete", "Book:2", prints: message)
            // The value is unchanged, so there is nothing to warn about.
            try await change("update", "Book:1", "--values", #"{"title": "A"}"#, prints: "")
            try await change("insert", "Book", "--values", #"{"id": 99}"#, "-q", prints: "")
            try await change("update", "Book:1", "--values", #"{"title": "B"}"#, "-q", prints: "")
            try await change("delete", "Book:3", "-q", prints: "")
        }
    }

    @Test func `a local change in a store without a service prints no warning`() async throws {
        let folder = try await Sample.filled()
        for change in [
            ["insert", "User", "--values", #"{"name": "Cid"}"#],
            ["update", "User:2", "--values", #"{"age": 8}"#], ["delete", "User:1"],
        ] {
            let outcome = try await folder.run(change + ["--store", "s.db"])
            #expect(outcome.status == 0)
            #expect(outcome.stderr == "")
        }
    }

    @Test func `get prints a row as dump does, on several lines as text`() async throws {
        let folder = try await Sample.filled()
        let json = try await folder.done("get", "User:1", "--store", "s.db", "--format", "json")
        #expect(json.lines.count == 1)
        #expect(try json.json() == Sample.dump["User"]?[0])
        let text = try await folder.done("get", "User#1", "--store", "s.db")
        #expect(text.lines.count > 5)
        #expect(try text.json() == Sample.dump["User"]?[0])
    }

    @Test func `erase removes the rows and keeps the model`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.done("erase", "--store", "s.db", "--yes")
        #expect(outcome.stdout == "")
        #expect(try await folder.dump() == ["User": [], "Note": []])
        _ = try await folder.done(
            "import",
            "users.json",
            "--root",
            "data.users",
            "--into",
            "User",
            "--store",
            "s.db"
        )
        #expect(try await folder.done("count", "Note", "--store", "s.db").stdout == "2\n")
    }

    @Test func `erase does not accept yes from a pipe`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run("erase", "--store", "s.db", stdin: "yes\n")
        #expect(outcome.status == 77)
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `erase without confirmation neither migrates nor creates a store`() async throws {
        let folder = try await Sample.filled()
        try folder.write(
            Sample.model.replacing("age: integer16", with: "years: double"),
            to: "n.yml"
        )
        let names = try folder.names()
        for store in ["s.db", "new.db"] {
            try await InvalidCommand(
                "erase",
                "--model",
                "n.yml",
                status: 77,
                "Nothing was erased. Use --yes to erase without being asked."
            )
            .check(in: folder, store: store)
        }
        #expect(try folder.names() == names)
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test func `a composite key identifies a row`() async throws {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              Order:
                primaryKey: [store, number]
                attributes: {store: integer64, number: string, total: decimal}
            """,
            to: "m.yml"
        )
        _ = try await folder.done(
            "import",
            "--into",
            "Order",
            "--store",
            "s.db",
            "--model",
            "m.yml",
            stdin: #"[{"store": 1, "number": "A-7", "total": 3}, {"store": 2, "number": "A-7"}]"#
        )
        let row = try await folder.done("get", #"Order:[1,"A-7"]"#, "--store", "s.db").json()
        #expect(row["$ref"] == "Order#1")
    }
}
