import GRDB
import Testing
import TidemarkModel
import TidemarkStore

@Suite struct AdoptTests {
    private let model = Model(entities: [
        Entity("Film", attributes: [Attribute("id", .integer64), Attribute("title", .string)])
    ])

    @Test func `a table of the app's own with an entity's name is left alone`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE film (x); INSERT INTO film VALUES (1)")
        }
        let error = #expect(throws: StoreError.self) { try Store.adopt(queue, model: model) }
        #expect(error?.code == .notAStore)
        #expect(error?.message.contains("Film") == true)
        let tables = try queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
        }
        #expect(tables == ["film"])
    }

    @Test func `without a store and a model there is nothing to adopt`() throws {
        let error = #expect(throws: StoreError.self) { try Store.adopt(DatabaseQueue()) }
        #expect(error?.code == .notFound)
    }

    @Test func `a store is made beside the app's tables, and found again`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE note (text); PRAGMA application_id = 7")
        }
        let store = try Store.adopt(queue, model: model)
        try queue.write { db in
            _ = try store.insert(db, "Film", values: ["title": .string("Solaris")])
        }
        let again = try Store.adopt(queue)
        #expect(again.model == model)
        let state = try queue.read { db in
            (
                try again.count(db, "Film"), try Int.fetchOne(db, sql: "PRAGMA application_id"),
                try db.tableExists("note")
            )
        }
        #expect(state == (1, 7, true))
    }

    @Test func `a store with another model is refused`() throws {
        let queue = try DatabaseQueue()
        _ = try Store.adopt(queue, model: model)
        let other = Model(entities: [Entity("Person", attributes: [Attribute("id", .integer64)])])
        let error = #expect(throws: StoreError.self) { try Store.adopt(queue, model: other) }
        #expect(error?.code == .modelChanged)
    }
}
