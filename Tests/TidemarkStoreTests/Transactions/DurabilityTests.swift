import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Transactions with full and with relaxed durability.
struct DurabilityTests {
    private struct Rejection: Error {}

    private static let model = Model(entities: [.named("Tag", [])])

    private static func synchronous(_ store: Store) throws -> Int? {
        try store.writer.writeWithoutTransaction(synchronous)
    }

    private static func synchronous(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "PRAGMA synchronous")
    }

    private static func count(_ store: Store) throws -> Int {
        try store.read { db in try db.count("Tag") }
    }

    @Test func `a failed transaction leaves no trace, and the next one is durable`() throws {
        let folder = try Folder()
        let store = try Store.validated(at: folder.filePath("s.sqlite"), model: Self.model)
        var seen: Int?
        #expect(throws: Rejection.self) {
            try store.write(durability: .relaxed) { db in
                seen = try Self.synchronous(db.db)
                try db.db.execute(sql: "INSERT INTO Tag (id) VALUES (1)")
                throw Rejection()
            }
        }
        #expect(seen == 1)
        #expect(try Self.synchronous(store) == 2)
        #expect(try Self.count(store) == 0)
    }

    @Test func `committed changes are visible when the store is opened again`() async throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        let store = try Store.validated(at: path, model: Self.model)
        let changed = try await store.write(durability: .relaxed) { db in
            try db.db.execute(sql: "INSERT INTO Tag (id) VALUES (1), (2)")
            return db.db.changesCount
        }
        #expect(changed == 2)
        #expect(try Self.synchronous(store) == 2)
        #expect(try Self.count(Store.validated(at: path)) == 2)
    }

    @Test func `rethrows the error of a statement that rolled back the transaction`() throws {
        let folder = try Folder()
        let store = try Store.validated(at: folder.filePath("s.sqlite"), model: Self.model)
        let error = #expect(throws: DatabaseError.self) {
            try store.write(durability: .relaxed) { db in
                try db.db.execute(sql: "INSERT INTO Tag (id) VALUES (1)")
                try db.db.execute(sql: "INSERT OR ROLLBACK INTO Tag (id) VALUES (1)")
            }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(try Self.synchronous(store) == 2)
        #expect(try Self.count(store) == 0)
    }

    @Test(arguments: [(1, 2), (2, 2), (3, 3)])
    func `a write is durable on an app's connection, whose setting returns afterwards`(
        own: Int,
        during: Int
    ) throws {
        let queue = try DatabaseQueue()
        let store = try Store.validated(in: queue, model: Self.model)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(own)")
        }
        let seen = try store.write { db in try Self.synchronous(db.db) }
        #expect(seen == during)
        #expect(try Self.synchronous(store) == own)
    }
}
