import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Transactions with relaxed durability, which do not wait for the disk.
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

    @Test func `a failed transaction leaves no trace, and the next one is durable`() throws {
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

    @Test func `committed changes are visible when the store is opened again`() async throws {
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

    @Test func `rethrows the error of a statement that rolled back the transaction`() throws {
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
