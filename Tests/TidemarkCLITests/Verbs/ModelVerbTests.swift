import Testing

/// `tidemark model show` and `tidemark model check`.
struct ModelVerbTests {
    private static let description: JSON = [
        "entities": [
            "Note": [
                "parent": nil, "abstract": false,
                "primaryKey": ["local": "id", "remote": "id", "type": "integer64"],
                "attributes": [
                    "id": [
                        "type": "integer64", "optional": true, "remoteKeys": ["id", "_id"],
                        "exportKeys": ["snake": "id", "camel": "id"],
                    ],
                    "bodyText": [
                        "type": "string", "optional": false,
                        "remoteKeys": ["bodyText", "body_text", "body-text"],
                        "exportKeys": ["snake": "body_text", "camel": "bodyText"],
                    ],
                ],
                "relationships": [
                    "user": [
                        "destination": "User", "toMany": false, "ordered": false,
                        "inverse": "notes", "deleteRule": "nullify", "remoteKeys": ["user"],
                        "referenceKeys": [],
                        "exportKeys": ["snake": "user", "camel": "user"],
                    ]
                ],
            ],
            "User": [
                "parent": nil, "abstract": false, "primaryKey": nil,
                "attributes": [
                    "name": [
                        "type": "string", "optional": true, "remoteKeys": ["name"],
                        "exportKeys": ["snake": "name", "camel": "name"],
                    ]
                ],
                "relationships": [
                    "notes": [
                        "destination": "Note", "toMany": true, "ordered": false,
                        "inverse": "user", "deleteRule": "cascade", "remoteKeys": ["notes"],
                        "referenceKeys": [
                            "notes_ids", "note_ids", "notesIds", "noteIds", "notesIDs",
                            "noteIDs", "notes-ids", "note-ids",
                        ],
                        "exportKeys": ["snake": "notes", "camel": "notes"],
                    ]
                ],
            ],
        ]
    ]

    private func folder() throws -> Folder {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              User:
                attributes: {name: string}
                relationships:
                  notes: {to: Note, toMany: true, inverse: user, deleteRule: cascade}
              Note:
                attributes: {id: integer64, bodyText: {type: string, optional: false}}
                relationships:
                  user: {to: User, inverse: notes}
            """,
            to: "model.yml"
        )
        return folder
    }

    @Test func `show describes the model of a file or of a store as JSON`() async throws {
        let folder = try folder()
        let file = try await folder.done("model", "show", "model.yml", "--format", "json")
        #expect(try file.json() == Self.description)
        _ = try await folder.done("insert", "User", "--store", "s.db", "--model", "model.yml")
        let store = try await folder.done("model", "show", "--store", "s.db", "--format", "json")
        #expect(store.stdout == file.stdout)
    }

    @Test func `show prints the model of a store as YAML that --model accepts`() async throws {
        let folder = try await Sample.filled()
        let shown = try await folder.done("model", "show", "--store", "s.db", "--format", "yaml")
        try folder.write(shown.stdout, to: "shown.yml")
        let migrate = ["migrate", "--store", "s.db", "--model", "shown.yml", "--dry-run"]
        #expect(try await folder.run(migrate).stdout == "Nothing to do.\n")
        let again = try await folder.done("model", "show", "shown.yml", "--format", "yaml")
        #expect(again.stdout == shown.stdout)
        try folder.write(shown.stdout.replacing("joined", with: "entered"), to: "shown.yml")
        let changed = try await folder.run(migrate)
        #expect(changed.stdout.contains("User.entered"))
    }

    @Test func `a model that exceeds the number of columns of a table is an error`() async throws {
        let folder = try Folder()
        let attributes = (0..<2_001).map { "      a\($0): string\n" }.joined()
        try folder.write("entities:\n  Wide:\n    attributes:\n\(attributes)", to: "m.yml")
        let check = try await folder.run("model", "check", "m.yml")
        #expect(check.status == 65)
        #expect(check.stdout.contains("Wide: Its table would have 2001 columns"))
        let insert = try await folder.run(
            "insert",
            "Wide",
            "--store",
            "s.db",
            "--model",
            "m.yml"
        )
        #expect(insert.status == 65)
        #expect(!folder.has("s.db"))
    }

    @Test func `show marks an ordered relationship`() async throws {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              User:
                attributes: {id: integer64}
                relationships: {friends: {to: User, toMany: true, ordered: true}}
            """,
            to: "model.yml"
        )
        let outcome = try await folder.done("model", "show", "model.yml")
        #expect(
            outcome.lines.last == "  friends → many User, ordered, nullify ← friends"
        )
    }

    @Test func `show describes a model as text`() async throws {
        let outcome = try await folder().done("model", "show", "model.yml")
        #expect(
            outcome.stdout == """
                Note, key id
                  bodyText: string, required ← bodyText, body_text, body-text
                  id: integer64 ← id, _id
                  user → User, back by notes, nullify ← user

                User, no primary key
                  name: string ← name
                  notes → many Note, back by user, cascade ← notes

                """
        )
    }

    @Test func `a model with warnings can be used`() async throws {
        let folder = try Folder()
        try folder.write(
            """
            entities:
              User:
                attributes: {id: integer64}
                relationships: {boss: {to: User}}
            """,
            to: "m.yml"
        )
        let outcome = try await folder.done("model", "check", "m.yml")
        #expect(outcome.stdout.contains("User.boss"), "\(outcome)")
        _ = try await folder.done("insert", "User", "--store", "s.db", "--model", "m.yml")
    }
}
