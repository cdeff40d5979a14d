import Foundation
import GRDB
import Testing

/// Stores that another version of Tidemark has written, as the command refuses them.
struct StoreFormatTests {
    private static let verbs = [
        ["dump"], ["status"], ["query", "User"], ["outbox", "list"], ["conflicts", "list"],
        ["deletions", "list"], ["model", "show"], ["migrate", "--model", "model.yml"],
        ["migrate", "--model", "model.yml", "--dry-run"],
        ["import", "users.json", "--into", "User"],
        ["insert", "User", "--values", #"{"id": 3, "name": "Cy"}"#],
        ["verify"], ["pull", "--dry-run"], ["pull"], ["push"], ["sync"],
    ]

    @Test(arguments: [
        (
            1,
            """
            The store s.db has format 1 of an earlier Tidemark: push its changes with that \
            version, then pull into a new file.
            """
        ),
        (
            2,
            """
            The store s.db has format 2 of an earlier Tidemark: push its changes with that \
            version, then pull into a new file.
            """
        ),
        (
            4,
            """
            The store s.db has format 4, this Tidemark reads 3. Update Tidemark, or pull into a \
            new store.
            """
        ),
    ])
    func `a store of another format is refused with status 65, and stays unchanged`(
        _ format: Int,
        _ message: String
    ) async throws {
        let folder = try await Sample.filled()
        try folder.write(
            """
            store: s.db
            model: model.yml
            service: {url: "http://127.0.0.1:1/", preset: rest, push: preset}
            resources: {User: {path: users/}}
            """,
            to: "tidemark.yml"
        )
        let store = try DatabaseQueue(path: folder.path("s.db"))
        try await store.write { db in
            try db.execute(
                sql: "UPDATE _tidemark_store SET value = ? WHERE name = 'format'",
                arguments: [format]
            )
        }
        try store.close()
        let before = try Data(contentsOf: URL(filePath: folder.path("s.db")))
        let names = try folder.names()
        for verb in Self.verbs {
            let outcome = try await folder.run(verb)
            #expect(outcome.status == 65, "\(verb)")
            #expect(outcome.stdout == "")
            let shown = outcome.stderr.replacing(folder.path("s.db"), with: "s.db")
            #expect(shown == "tidemark: \(message)\n", "\(verb)")
        }
        #expect(try Data(contentsOf: URL(filePath: folder.path("s.db"))) == before)
        #expect(try folder.names() == names)
    }
}
