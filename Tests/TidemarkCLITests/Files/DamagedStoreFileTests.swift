import GRDB
import Testing

/// Stores whose internal tables were changed by another program.
struct DamagedStoreFileTests {
    private static let advice = "Restore a backup, or pull into a new store."

    private static let damages = [
        (
            "UPDATE _tidemark_store SET value = 'abc' WHERE name = 'format'",
            "The store s.db is damaged: its format is not a number. \(advice)"
        ),
        (
            "UPDATE _tidemark_store SET value = x'000102' WHERE name = 'model'",
            "The model in the store s.db cannot be read."
        ),
        (
            "ALTER TABLE _tidemark_store RENAME COLUMN value TO text",
            "The store s.db is damaged: the table _tidemark_store has no column value. \(advice)"
        ),
        (
            """
            ALTER TABLE _tidemark_store RENAME TO facts; \
            CREATE TABLE _tidemark_store (name TEXT PRIMARY KEY, value ANY); \
            INSERT INTO _tidemark_store SELECT * FROM facts
            """,
            """
            The store s.db is damaged: _tidemark_store is not the table that Tidemark created. \
            \(advice)
            """
        ),
        (
            """
            ALTER TABLE _tidemark_store RENAME TO facts; \
            CREATE VIEW _tidemark_store AS SELECT * FROM facts
            """,
            "s.db is a SQLite database, but not a Tidemark store. Choose another path for the store."
        ),
    ]

    @Test(arguments: damages)
    func `a damaged store is an error that names the damage`(
        _ sql: String,
        _ message: String
    ) async throws {
        let folder = try await Sample.filled()
        let store = try DatabaseQueue(path: folder.path("s.db"))
        try await store.write { db in try db.execute(sql: sql) }
        try store.close()
        for verb in [["dump"], ["status"], ["import", "users.json", "--into", "User"]] {
            let outcome = try await folder.run(verb + ["--store", "s.db"])
            #expect(outcome.status == 65, "\(verb)")
            #expect(outcome.stdout == "")
            #expect(outcome.stderr == "tidemark: \(message)\n", "\(verb)")
        }
    }
}
