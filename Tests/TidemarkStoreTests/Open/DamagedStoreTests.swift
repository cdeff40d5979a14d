import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Stores whose tables were changed by another program.
struct DamagedStoreTests {
    private static let model = Model(entities: [
        .named("User", [], .many("friends", "User", inverse: "friends"))
    ])

    private static let damages = [
        (
            "DROP TABLE _tidemark_walk",
            "the table _tidemark_walk is missing"
        ),
        (
            "DROP TABLE User",
            "the table User is missing"
        ),
        (
            "DROP TABLE _tidemark_User_friends",
            "the table _tidemark_User_friends is missing"
        ),
        (
            "ALTER TABLE _tidemark_held RENAME COLUMN owner TO holder",
            "the table _tidemark_held has no column owner"
        ),
        (
            "ALTER TABLE _tidemark_held DROP COLUMN position",
            "the table _tidemark_held has no column position"
        ),
        (
            "DROP TABLE _tidemark_keyless",
            "the table _tidemark_keyless is missing"
        ),
        (
            "DROP TABLE _tidemark_migrations",
            "the table _tidemark_migrations is missing"
        ),
        (
            """
            DROP TABLE _tidemark_retry; CREATE TABLE _tidemark_retry (_id INTEGER PRIMARY KEY, \
            resource TEXT, place TEXT NOT NULL, row INTEGER, key TEXT, item BLOB NOT NULL) STRICT
            """,
            "the column place of the table _tidemark_retry is of another type"
        ),
        (
            "DROP TABLE _tidemark_held; CREATE VIEW _tidemark_held AS SELECT 1 AS _id",
            "_tidemark_held is not the table that Tidemark created"
        ),
        (
            "UPDATE _tidemark_store SET value = 'abc' WHERE name = 'format'",
            "its format is not a number"
        ),
        (
            "DELETE FROM _tidemark_store WHERE name = 'format'",
            "its format is not a number"
        ),
        (
            "ALTER TABLE _tidemark_store RENAME COLUMN value TO text",
            "the table _tidemark_store has no column value"
        ),
        (
            """
            ALTER TABLE _tidemark_store RENAME TO facts; \
            CREATE TABLE _tidemark_store (name TEXT PRIMARY KEY, value ANY); \
            INSERT INTO _tidemark_store SELECT * FROM facts
            """,
            "_tidemark_store is not the table that Tidemark created"
        ),
        (
            "INSERT INTO _tidemark_store VALUES ('generation', x'00')",
            "its count of migrations is not a number"
        ),
    ]

    @Test(arguments: damages)
    func `the error describes the damage`(_ sql: String, _ problem: String) throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        try Store.open(at: path, model: Self.model).writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: sql)
        }
        for open in [{ try Store.open(at: path) }, { try Store.openReadOnly(at: path) }] {
            let error = #expect(throws: StoreError.self) { try open() }
            #expect(error?.code == .damaged)
            #expect(error?.message.hasSuffix(" is damaged: \(problem).") == true)
        }
    }
}
