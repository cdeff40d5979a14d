import Foundation
import Testing

/// `tidemark model generate`.
struct GenerateVerbTests {
    private func folder() throws -> Folder {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              User:
                attributes: {id: integer64, name: {type: string, optional: false}}
                relationships:
                  notes: {to: Note, toMany: true, inverse: user}
              Note:
                attributes: {id: {type: uuid, optional: false}}
                relationships:
                  user: {to: User, inverse: notes}
            """,
            to: "model.yml"
        )
        return folder
    }

    private static let user = """
        // Written by “tidemark model generate”: change the model instead.
        import Tidemark
        import TidemarkMacros

        @Entity struct User: Hashable {
            @PrimaryKey var id: Int?
            var name: String
            @Relationship(inverse: "user") var notes: Many<Note>
        }

        """

    private static let note = """
        // Written by “tidemark model generate”: change the model instead.
        import Foundation
        import Tidemark
        import TidemarkMacros

        @Entity struct Note: Hashable {
            var id: UUID
            @Relationship(inverse: "notes") var user: One<User>
        }

        """

    @Test func `prints a struct for each entity`() async throws {
        let folder = try folder()
        let run = try await folder.done("model", "generate", "model.yml")
        #expect(run.stdout == "\(Self.user)\n\(Self.note)")
    }

    @Test func `writes a file for each entity, and replaces those that it has written`()
        async throws
    {
        let folder = try folder()
        for access in ["internal", "public"] {
            let run = try await folder.done(
                "model",
                "generate",
                "model.yml",
                "--plain",
                "--access",
                access,
                "--into",
                "Types"
            )
            #expect(run.stdout.contains("Types/Note.swift\n"))
            let text = try folder.text(of: "Types/Note.swift")
            let modifier = access == "public" ? "public " : ""
            #expect(text.contains("\n\(modifier)nonisolated struct Note: EntityRecord"))
        }
    }

    @Test func `writes nothing if a file of a person is in the way`() async throws {
        let folder = try folder()
        try folder.write("// mine", to: "Types/Note.swift")
        let run = try await folder.run("model", "generate", "model.yml", "--into", "Types")
        #expect(run.status == 77)
        #expect(
            run.stderr.contains(
                "Types/Note.swift was not written by this command, so nothing was written. Move it, "
                    + "or choose another folder."
            )
        )
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appending(path: "Types").path
        )
        #expect(files == ["Note.swift"])
    }

    @Test func `a model that no store can have is rejected`() async throws {
        let folder = try folder()
        try folder.write("entities: {User: {attributes: {_id: integer64}}}", to: "bad.yml")
        let run = try await folder.run("model", "generate", "bad.yml")
        #expect(run.status == 65)
        #expect(run.stdout == "")
    }
}
