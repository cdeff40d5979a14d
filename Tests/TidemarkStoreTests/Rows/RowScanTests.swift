import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

struct RowScanTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named("User", [], .many("notes", "Note", inverse: "user", .cascade)),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
        try store.writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE other (value INTEGER);
                    INSERT INTO User (id) VALUES (1), (2), (3);
                    INSERT INTO Note (id, user) VALUES (1, 1), (2, 1)
                    """
            )
        }
        return store
    }

    private let sql = "SELECT _id FROM User WHERE _id > ? ORDER BY _id"

    @Test func `reads rows from a position on, between other statements`() throws {
        try store().write { writer in
            let scan = try writer.scan(sql)
            #expect(!scan.isValid)
            scan.start(at: 1)
            #expect(scan.isValid)
            #expect(try scan.next())
            #expect(scan.statement.integer(at: 0) == 2)
            #expect(try Int.fetchOne(writer.db, sql: "SELECT count(*) FROM User") == 3)
            #expect(scan.isValid)
            #expect(try scan.next())
            #expect(scan.statement.integer(at: 0) == 3)
            #expect(try !scan.next())
            #expect(!scan.isValid)
            scan.start(at: 2)
            #expect(try scan.next())
        }
    }

    @Test(arguments: [
        "UPDATE User SET name = 'b' WHERE _id = 3", "INSERT INTO User (id) VALUES (9)",
        "DELETE FROM User WHERE _id = 3", "DELETE FROM User", "DELETE FROM Note",
        "INSERT INTO other VALUES (1)", "INSERT OR REPLACE INTO User (_id, id) VALUES (3, 3)",
    ])
    func `any change ends its validity`(change: String) throws {
        try store().write { writer in
            let scan = try writer.scan(sql)
            scan.start(at: 0)
            #expect(try scan.next())
            try writer.db.execute(sql: change)
            #expect(!scan.isValid)
        }
    }

    @Test func `a statement that changes no row does not`() throws {
        try store().write { writer in
            let scan = try writer.scan(sql)
            scan.start(at: 0)
            #expect(try scan.next())
            try writer.db.execute(sql: "UPDATE User SET name = 'b' WHERE _id = 99")
            #expect(throws: DatabaseError.self) {
                try writer.db.execute(sql: "INSERT INTO User (id) VALUES (8), (1)")
            }
            #expect(scan.isValid)
            #expect(try scan.next())
            #expect(scan.statement.integer(at: 0) == 2)
        }
    }

    @Test func `other code finds no open statement`() throws {
        try store().write { writer in
            let scan = try writer.scan(sql)
            scan.start(at: 0)
            #expect(try scan.next())
            try writer.yieldConnection()
            #expect(!scan.isValid)
            // SQLite does not drop a table while a statement is open.
            try writer.db.execute(sql: "DROP TABLE other")
        }
    }
}
