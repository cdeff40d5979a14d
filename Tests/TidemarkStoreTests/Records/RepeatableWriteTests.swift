import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Transactions that do not wait for the disk.
struct RepeatableWriteTests {
    private struct Refusal: Error {}

    private static let model = Model(entities: [.named("Tag", [])])

    private static func synchronous(_ store: Store) throws -> Int? {
        try store.writer.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
    }

    private static func count(_ store: Store) throws -> Int {
        try store.writer.read { db in try store.count(db, "Tag") }
    }

    @Test func `what fails leaves no trace, and the next transaction waits for the disk again`()
        throws
    {
        let folder = try Folder()
        let store = try Store.watched(at: folder.place("s.sqlite"), model: Self.model)
        var seen: Int?
        #expect(throws: Refusal.self) {
            try store.writeRepeatable { db in
                seen = try Int.fetchOne(db, sql: "PRAGMA synchronous")
                try db.execute(sql: "INSERT INTO Tag (id) VALUES (1)")
                throw Refusal()
            }
        }
        #expect(seen == 1)
        #expect(try Self.synchronous(store) == 2)
        #expect(try Self.count(store) == 0)
    }

    @Test func `what is done is there for whoever opens the store`() async throws {
        let folder = try Folder()
        let path = folder.place("s.sqlite")
        let store = try Store.watched(at: path, model: Self.model)
        let changed = try await store.writeRepeatable { db in
            try db.execute(sql: "INSERT INTO Tag (id) VALUES (1), (2)")
            return db.changesCount
        }
        #expect(changed == 2)
        #expect(try Self.synchronous(store) == 2)
        #expect(try Self.count(Store.watched(at: path)) == 2)
    }

    @Test func `what SQLite itself rolls back is told as it is`() throws {
        let folder = try Folder()
        let store = try Store.watched(at: folder.place("s.sqlite"), model: Self.model)
        let error = #expect(throws: DatabaseError.self) {
            try store.writeRepeatable { db in
                try db.execute(sql: "INSERT INTO Tag (id) VALUES (1)")
                try db.execute(sql: "INSERT OR ROLLBACK INTO Tag (id) VALUES (1)")
            }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(try Self.synchronous(store) == 2)
        #expect(try Self.count(store) == 0)
    }
}
