import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// A transaction observer that records the changed tables of each commit.
private final class Listener: TransactionObserver {
    private(set) var commits: [Set<String>] = []
    private(set) var rollbacks = 0
    private var tables: Set<String> = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        if case .insert(let table) = eventKind { return !table.hasPrefix("_tidemark") }
        if case .delete(let table) = eventKind { return !table.hasPrefix("_tidemark") }
        if case .update(let table, _) = eventKind { return !table.hasPrefix("_tidemark") }
        return false
    }

    func databaseDidChange() { tables.insert("notified") }

    func databaseDidChange(with event: DatabaseEvent) { tables.insert(event.tableName) }

    func databaseDidCommit(_ db: Database) {
        commits.append(tables)
        tables = []
    }

    func databaseDidRollback(_ db: Database) {
        rollbacks += 1
        tables = []
    }
}

struct StoreChangesTests {
    @Test func `a table that was only accessed has no changes`() {
        let changes = StoreChanges()
        #expect(changes.isEmpty)
        let table = changes.table("User")
        #expect(changes.isEmpty)
        #expect(changes.tableNames == [])
        #expect(changes.table(ifChanged: "User") == nil)
        table.update(7, columns: ColumnMask())
        changes.table("Company").deleted.insert(1)
        #expect(!changes.isEmpty)
        #expect(changes.tableNames == ["Company", "User"])
        #expect(changes.table(ifChanged: "User") === table)
    }

    @Test func `collects the changed rows and their changed columns`() throws {
        let store = try Store.of(
            .named("User", [], .many("friends", "User", inverse: "friends"), .one("boss", "User"))
        )
        try store.insert("User", ["id": .integer(1)])
        try store.insert("User", ["id": .integer(2)])
        try store.write { writer in
            try writer.insert("User", values: [:])
            try writer.update(RecordLocator("User#1"), values: ["name": .string("a")])
            try writer.update(
                RecordLocator("User#2"),
                values: ["name": .null],
                links: ["boss": [RecordLocator("User:1")], "friends": [RecordLocator("User:1")]]
            )
            _ = try writer.delete([0: [3]], isRemembered: false)
            let changes = try #require(writer.changes.table(ifChanged: "User"))
            #expect(Array(changes.inserted.rows) == [3])
            #expect(Array(changes.updated.rows) == [1, 2])
            #expect((0..<9).filter(changes.updatedColumns.contains) == [1, 2])
            #expect(Array(changes.deleted.rows) == [3])
            #expect(writer.changes.tableNames == ["User", "_tidemark_User_friends"])
        }
    }

    @Test func `a pair with another position is an updated row of the join table`() throws {
        let store = try Store.of(
            .named("User", [], .many("tags", "Tag", inverse: "users", isOrdered: true)),
            .named("Tag", [], .many("users", "User", inverse: "tags", isOrdered: true))
        )
        for id in 1...2 { try store.insert("Tag", ["id": .integer(Int64(id))]) }
        try store.insert("User", ["id": .integer(1)], links: ["tags": ["Tag:1", "Tag:2"]])
        func moving(at position: Int64, _ name: String, _ entity: String) throws -> [Int64]? {
            try store.write { writer in
                let relationship = try #require(
                    store.layout.entity(entity).relationship(name)
                )
                let isMoved = try writer.put(1, at: position, in: relationship, of: 1)
                let changed = writer.changes.table(ifChanged: store.layout.joins[0].name)
                #expect(isMoved == (changed != nil))
                return changed.map { Array($0.updated.rows) }
            }
        }
        #expect(try moving(at: 7, "tags", "User") == [1])
        #expect(try moving(at: 7, "tags", "User") == nil)
        #expect(try moving(at: 4, "users", "Tag") == [1])
        #expect(try moving(at: 4, "users", "Tag") == nil)
    }

    @Test func `a change of entity is an update with the old entity and lost values`() throws {
        let store = try Store.of(
            .named("Animal"),
            .named(
                "Dog",
                parent: "Animal",
                [Attribute("breed", .string), Attribute("age", .integer64)]
            ),
            .named("Cat", parent: "Animal")
        )
        try store.insert("Dog", ["id": .integer(1), "breed": .string("Beagle")])
        try store.write { writer in
            let (dog, cat) = try (store.layout.entity("Dog"), store.layout.entity("Cat"))
            let animal = try store.layout.entity("Animal")
            try writer.retype(1, from: dog, to: cat)
            try writer.retype(1, from: cat, to: animal)
            let changes = try #require(writer.changes.table(ifChanged: "Animal"))
            #expect(Array(changes.updated.rows) == [1])
            #expect(changes.retyped == [1: "Dog"])
            let columns = store.layout.tables[dog.table].columns
            let cleared = columns.indices.filter(changes.updatedColumns.contains)
            #expect(cleared.map { columns[$0].name } == ["breed"])
        }
    }

    @Test func `observers are notified of direct writes only once these are committed`() throws {
        let store = try Store.of(.named("User", [], .one("boss", "User")), .named("Company"))
        try store.insert("User", ["id": .integer(1)])
        try store.insert("User", ["id": .integer(2)])
        let listener = Listener()
        store.writer.add(transactionObserver: listener)
        let boss = try #require(store.layout.entity("User").relationship("boss"))
        func linking(to other: Int64, _ completion: Database.TransactionCompletion) throws {
            try store.writer.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try store.write(in: db) { writer in
                        _ = writer.changes.table("Company")
                        try writer.link(boss, of: 1, to: other)
                    }
                    return completion
                }
            }
        }
        try linking(to: 2, .commit)
        #expect(listener.commits == [["notified"]])
        try linking(to: 1, .rollback)
        #expect(listener.commits == [["notified"]])
        #expect(listener.rollbacks == 1)
        try linking(to: 2, .commit)
        #expect(listener.commits.dropFirst().joined().isEmpty)
    }
}
