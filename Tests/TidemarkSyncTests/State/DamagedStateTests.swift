import GRDB
import Testing
import TidemarkStore
import TidemarkSync

/// Sync tables that another program has damaged.
struct DamagedStateTests {
    private static let damages = [
        ("DROP TABLE _tidemark_resource", "the table _tidemark_resource is missing"),
        (
            """
            DROP TABLE _tidemark_lease; CREATE TABLE _tidemark_lease (_id INTEGER PRIMARY KEY, \
            token TEXT NOT NULL, host TEXT NOT NULL, process TEXT NOT NULL, \
            started INTEGER NOT NULL, expires REAL NOT NULL) STRICT
            """,
            "the column process of the table _tidemark_lease is of another type"
        ),
        (
            "DROP TABLE _tidemark_page; CREATE VIEW _tidemark_page AS SELECT 1 AS resource",
            "the table _tidemark_page is missing"
        ),
        (
            "UPDATE _tidemark_resource SET completed = 9e300",
            "the time “completed” of a pull is out of range"
        ),
        (
            "UPDATE _tidemark_resource SET ran = -9e300",
            "the time “ran” of a pull is out of range"
        ),
    ]

    @Test(arguments: damages)
    func `the status of a damaged store is an error that names the damage`(
        _ sql: String,
        _ problem: String
    ) async throws {
        let mirror = try Mirror(.rest)
        try await mirror.pull()
        try await mirror.store.writer.write { db in try db.execute(sql: sql) }
        let error = #expect(throws: StoreError.self) { try SyncStatus.of(mirror.store) }
        #expect(error?.code == .damaged)
        #expect(error?.message == "The store is damaged: \(problem).")
    }

    @Test(arguments: damages.filter { !$0.0.hasPrefix("DROP TABLE _tidemark_resource") })
    func `a pull into a damaged store throws the same error and changes nothing`(
        _ sql: String,
        _ problem: String
    ) async throws {
        let mirror = try Mirror(.rest)
        try await mirror.pull()
        try await mirror.store.writer.write { db in try db.execute(sql: sql) }
        let before = try mirror.local()
        mirror.write("n0", "second")
        let error = await #expect(throws: StoreError.self) { try await mirror.engine().pull() }
        #expect(error?.code == .damaged)
        #expect(try mirror.local() == before)
    }
}
