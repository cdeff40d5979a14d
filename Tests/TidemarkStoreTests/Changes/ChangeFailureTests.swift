import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Commits whose changes cannot be recorded, as on a full disk.
struct ChangeFailureTests {
    private func users() throws -> Store { try .of(.named("User")) }

    @Test func `a commit that could not be recorded is reported when recording works again`()
        throws
    {
        let store = try users()
        let first = try store.changes()
        let disk = try Disk(of: store)
        disk.isFull.withLock { $0 = true }
        try store.insertUser(1)
        #expect(throws: DatabaseError.self) { try first.poll() }
        disk.isFull.withLock { $0 = false }
        #expect(try first.lines() == ["insert User#1 1 id", "--"])
        try store.insertUser(2)
        #expect(try first.lines() == ["insert User#2 2 id", "--"])
    }

    @Test func `a new subscriber gets neither the failure nor the commits before it`() throws {
        let store = try users()
        let first = try store.changes()
        let disk = try Disk(of: store)
        disk.isFull.withLock { $0 = true }
        try store.insertUser(1)
        #expect(throws: DatabaseError.self) { try store.changes() }
        disk.isFull.withLock { $0 = false }
        let second = try store.changes()
        try store.insertUser(2)
        #expect(try first.lines() == ["insert User#1 1 id", "--", "insert User#2 2 id", "--"])
        #expect(try second.lines() == ["insert User#2 2 id", "--"])
    }

    @Test func `commits that could not be recorded are part of the next one`() throws {
        let store = try users()
        let changes = try store.changes()
        let disk = try Disk(of: store)
        disk.isFull.withLock { $0 = true }
        try store.insertUser(1)
        try store.insertUser(2)
        disk.isFull.withLock { $0 = false }
        try store.update("User:1", ["name": .string("a")])
        #expect(
            try changes.lines() == ["insert User#1 1 id, name", "insert User#2 2 id", "--"]
        )
    }

    @Test func `a failure ends an iteration, and another one continues`() async throws {
        let store = try users()
        let changes: ChangeBatches = try await store.changes()
        let disk = try Disk(of: store)
        disk.isFull.withLock { $0 = true }
        let failed = Task { try await changes.makeAsyncIterator().next() }
        try store.insertUser(1)
        await #expect(throws: DatabaseError.self) { try await failed.value }
        disk.isFull.withLock { $0 = false }
        let next = try await changes.makeAsyncIterator().next()
        #expect(next?.changes.map(\.text) == ["insert User#1 1 id"])
    }
}

/// The disk of a store's temporary tables, which a test makes full.
private struct Disk {
    let isFull = Locked(false)

    init(of store: Store) throws {
        let isFull = isFull
        try store.writer.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("disk_is_full", argumentCount: 0) { _ in
                    isFull.withLock { $0 }
                }
            )
            let lines = try #require(
                try String.fetchOne(
                    db,
                    sql: """
                        SELECT name FROM sqlite_temp_master \
                        WHERE name GLOB '_tidemark_feed_*_line'
                        """
                )
            )
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER disk_full BEFORE INSERT ON \(lines) WHEN disk_is_full() \
                    BEGIN SELECT RAISE(ABORT, 'disk full'); END
                    """
            )
        }
    }
}

extension Store {
    /// Inserts a user by SQL, whose changes are recorded after the commit.
    fileprivate func insertUser(_ id: Int64) throws {
        try writer.write { db in
            try db.execute(sql: "INSERT INTO User (_id, id) VALUES (?1, ?1)", arguments: [id])
        }
    }
}
