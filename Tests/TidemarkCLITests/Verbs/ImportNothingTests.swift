import Testing

/// Imports of documents whose objects cannot be stored.
struct ImportNothingTests {
    private static let model = """
        entities:
          Thing: {attributes: {id: integer64, name: {type: string, optional: false}}}
        """

    private func folder() async throws -> Folder {
        let folder = try Folder()
        try folder.write(Self.model, to: "model.yml")
        try folder.write(#"[{"id": 1, "name": "a"}]"#, to: "first.json")
        _ = try await folder.done(
            "import",
            "first.json",
            "--into",
            "Thing",
            "--store",
            "s.db",
            "--model",
            "model.yml"
        )
        return folder
    }

    @Test(arguments: [
        #"[{"id": "x", "name": "a"}, {"name": "b"}]"#, #"[{"id": 2}, {"id": 3, "name": null}]"#,
        #"["text"]"#, #"[{"id": 1, "name": null}]"#,
    ])
    func `a document of which nothing can be stored is reported with 65, and deletes nothing`(
        document: String
    ) async throws {
        let folder = try await folder()
        let before = try await folder.dump()
        for options in [[], ["--quiet"]] {
            let outcome = try await folder.run(
                ["import", "-", "--into", "Thing", "--store", "s.db"] + options,
                stdin: document
            )
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.stderr.contains("no object could be stored as Thing"), "\(outcome)")
            #expect(try await folder.dump() == before)
        }
    }

    @Test func `a dry run reports it`() async throws {
        let outcome = try await folder().run(
            ["import", "-", "--into", "Thing", "--store", "s.db", "--dry-run"],
            stdin: #"[{"id": "x"}]"#
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stderr.contains("id: The value is not a number."), "\(outcome)")
    }

    @Test(arguments: [
        #"[{"id": 1, "name": "a"}, {"id": "x"}]"#, #"[{"id": "x"}, {"id": 2, "name": "b"}]"#,
    ])
    func `one object that is stored is enough`(document: String) async throws {
        let outcome = try await folder().run(
            ["import", "-", "--into", "Thing", "--store", "s.db"],
            stdin: document
        )
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test func `a document without objects deletes the rows`() async throws {
        let folder = try await folder()
        let outcome = try await folder.run(
            ["import", "-", "--into", "Thing", "--store", "s.db"],
            stdin: "[]"
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await folder.dump()["Thing"]?.elements.isEmpty != false)
    }
}
