import Testing

/// `--where`, in each verb that accepts it.
struct PredicateTests {
    @Test func `an invalid predicate is reported with its position, and nothing changes`()
        async throws
    {
        let folder = try await Sample.filled()
        for verb in [["query", "User"], ["count", "User"], ["export", "User"]] {
            let outcome = try await folder.run(verb + ["--store", "s.db", "--where", "age >"])
            #expect(outcome.status == 64)
            #expect(outcome.stdout.isEmpty)
            #expect(outcome.stderr.contains("^"))
        }
        let outcome = try await folder.run(
            ["import", "-", "--into", "User", "--store", "s.db", "--where", "height = 3"],
            stdin: "[]"
        )
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("height"))
        #expect(try await folder.done("dump", "--store", "s.db").json() == Sample.dump)
    }

    @Test func `--where with another selection of rows is a usage error`() async throws {
        let folder = try await Sample.filled()
        let both = ["--where", "id = 1", "--store", "s.db"]
        let export = try await folder.run(["export", "User:1"] + both)
        #expect(export.status == 64)
        let arguments = ["import", "-", "--into", "Note", "--parent", "User:1"]
        let importing = try await folder.run(arguments + both, stdin: "[]")
        #expect(importing.status == 64)
        #expect(try await folder.done("dump", "--store", "s.db").json() == Sample.dump)
    }

    @Test func `count, query and export select rows by a predicate`() async throws {
        let folder = try await Sample.filled()
        let young = ["--store", "s.db", "--where", "age < 10"]
        #expect(try await folder.run(["count", "User"] + young).stdout == "1\n")
        let exported = try await folder.run(["export", "User"] + young)
        let alone = try await folder.done("export", "User:2", "--store", "s.db")
        #expect(exported.stdout == "[\(alone.stdout.dropLast())]\n")
        let notes = try await folder.run([
            "query", "Note", "--store", "s.db", "--format", "ndjson",
            "--where", "user.name BEGINSWITH[c] 'ann' AND text CONTAINS 'four'",
        ])
        #expect(notes.stdout == "{\"id\":11,\"text\":\"four\",\"user\":1}\n")
    }

    @Test func `an import deletes only rows that match the predicate`() async throws {
        let folder = try await Sample.filled()
        let outcome = try await folder.run(
            ["import", "-", "--into", "User", "--store", "s.db", "--where", "age > 10"],
            stdin: "[]"
        )
        #expect(outcome.status == 0)
        #expect(try await folder.run(["count", "User", "--store", "s.db"]).stdout == "1\n")
    }
}
