import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// `Store.read` and `Store.write`: blocking, asynchronous, and within a transaction of GRDB.
struct TransactionTests {
    private struct Rejection: Error {}

    private func users() throws -> Store {
        try Store.of(
            .named("User", [Attribute("age", .integer64)], .many("notes", "Note", inverse: "user")),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
    }

    @Test func `reads and writes of one transaction see each other`() throws {
        let store = try users()
        let count = try store.write { db in
            let ada = try db.insert("User", values: ["name": .string("Ada")])
            try db.insert("Note", values: [:], links: ["user": [RecordLocator(ada)]])
            try db.db.execute(sql: "UPDATE User SET age = 36")
            #expect(try db.record(RecordLocator(ada))["age"] == .integer(36))
            return try db.count("Note")
        }
        #expect(count == 1)
        let ages = try store.read { db in try db.fetch(RecordRequest("User")).map { $0["age"] } }
        #expect(ages == [.integer(36)])
    }

    @Test func `asynchronous transactions return the values of their closures`() async throws {
        let store = try users()
        let reference = try await store.write { db in
            try db.insert("User", values: ["id": .integer(6)])
        }
        let record = try await store.read { db in try db.record(RecordLocator(reference)) }
        #expect(record["id"] == .integer(6))
        try await store.write { db in try db.update(RecordLocator("User:6"), values: ["age": 7]) }
        let deleted = try await store.write { db in try db.delete(RecordLocator("User:6")) }
        #expect(deleted == ["User": 1])
    }

    @Test func `unresolved references become links before the commit`() throws {
        let store = try users()
        try store.insert("Note", ["id": .integer(1)])
        try store.write { writer in
            let user = try #require(store.layout.entity("Note").relationship("user"))
            try writer.setUnresolved(user, of: 1, keys: [[.integer(6)]])
        }
        #expect(try store.read { db in try db.unresolvedReferenceCount() } == 1)
        try store.write { db in try db.insert("User", values: ["id": .integer(6)]) }
        let note = try store.read { db in try db.record(RecordLocator("Note:1")) }
        #expect(note.links["user"] == [RowReference("User", 1)])
    }

    @Test func `a write that throws is rolled back`() throws {
        let store = try users()
        #expect(throws: Rejection.self) {
            try store.write { db in
                try db.insert("User", values: [:])
                throw Rejection()
            }
        }
        #expect(try store.read { db in try db.count("User") } == 0)
    }

    @Test func `a write in a transaction of GRDB is undone alone if it throws`() throws {
        let store = try users()
        try store.writer.write { db in
            try store.write(in: db) { writer in
                try writer.insert("User", values: ["id": .integer(1)])
            }
            #expect(throws: Rejection.self) {
                try store.write(in: db) { writer in
                    try writer.insert("User", values: ["id": .integer(2)])
                    throw Rejection()
                }
            }
            let count = try store.read(in: db) { reader in try reader.count("User") }
            #expect(count == 1)
        }
        #expect(
            try store.read { db in try db.fetch(RecordRequest("User")) }.map { $0["id"] } == [1]
        )
    }

    @Test func `a write in a transaction of GRDB is rolled back with it`() throws {
        let store = try users()
        #expect(throws: Rejection.self) {
            try store.writer.write { db in
                try store.write(in: db) { writer in try writer.insert("User", values: [:]) }
                throw Rejection()
            }
        }
        #expect(try store.read { db in try db.count("User") } == 0)
    }

    @Test func `the error of a statement that rolled back the transaction is rethrown`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1)])
        let error = #expect(throws: DatabaseError.self) {
            try store.writer.write { db in
                try store.write(in: db) { writer in
                    let sql = "INSERT OR ROLLBACK INTO User (id) VALUES (1)"
                    try writer.db.execute(sql: sql)
                }
            }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    }

    @Test func `an update reads no links`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1)])
        for _ in 1...3 { try store.insert("Note", links: ["user": ["User:1"]]) }
        var statements: [String] = []
        try store.write { db in
            db.db.trace { statements.append("\($0)") }
            defer { db.db.trace(options: []) }
            try db.update(RecordLocator("User:1"), values: ["age": .integer(7)])
        }
        #expect(statements.contains { $0.hasPrefix("UPDATE \"User\"") })
        #expect(!statements.contains { $0.contains("\"Note\"") }, "\(statements)")
    }

    @Test func `a request reads the links that it asks for`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1)])
        try store.insert("Note", links: ["user": ["User:1"]])
        func links(_ links: RecordRequest.Links) throws -> [String: [RowReference]]? {
            try store.read { db in try db.fetch(RecordRequest("User", links: links)).first?.links }
        }
        let notes = ["notes": [RowReference("Note", 1)]]
        #expect(try links(.none) == [:])
        #expect(try links(.only(["notes"])) == notes)
        #expect(try links(.only([])) == [:])
        #expect(try links(.all) == notes)
    }

    @Test func `a store that was opened for reading rejects writes`() throws {
        let folder = try Folder()
        let path = folder.filePath("s.sqlite")
        _ = try Store.validated(at: path, model: Model(entities: [.named("Tag")]))
        let store = try Store.openReadOnly(at: path)
        for durability in [Durability.full, .relaxed] {
            let error = #expect(throws: DatabaseError.self) {
                try store.write(durability: durability) { db in try db.insert("Tag", values: [:]) }
            }
            #expect(error?.resultCode == .SQLITE_READONLY)
        }
    }
}
