import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

struct ChangeBatchesTests {
    private func users() throws -> Store {
        try .of(
            .named("User", [Attribute("age", .integer64)], .many("notes", "Note", inverse: "user")),
            .named("Note", [], .one("user", "User", inverse: "notes", .nullify))
        )
    }

    @Test func `commits are reported in order, with the changed properties of each row`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(6), "name": .string("old")])
        let changes = try store.changes()
        try store.insert("Note", ["id": .integer(7)], links: ["user": ["User:6"]])
        try store.update("User:6", ["name": .string("new"), "age": .integer(9)])
        try store.delete("Note:7")
        let lines = try changes.lines()
        #expect(
            lines == [
                "insert Note#1 7 id, user", "--",
                "update User#1 6 name, age", "--",
                "delete Note#1 7", "--",
            ]
        )
        #expect(try changes.poll() == nil)
    }

    @Test func `a row changed several times in one commit has one change`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1), "name": .string("a"), "age": .integer(1)])
        try store.insert("User", ["id": .integer(2), "name": .string("b")])
        let changes = try store.changes()
        try store.write { db in
            _ = try db.update(RecordLocator("User:1"), values: ["name": .string("c")])
            _ = try db.update(RecordLocator("User:1"), values: ["age": .integer(2)])
            _ = try db.update(RecordLocator("User:2"), values: ["name": .string("x")])
            _ = try db.update(RecordLocator("User:2"), values: ["name": .string("b")])
            _ = try db.insert("User", values: ["id": .integer(3)])
            _ = try db.update(RecordLocator("User:3"), values: ["name": .string("new")])
            _ = try db.insert("User", values: ["id": .integer(4)])
            _ = try db.delete(RecordLocator("User:4"))
        }
        let lines = try changes.lines()
        #expect(
            lines == ["update User#1 1 name, age", "insert User#3 3 id, name", "--"]
        )
    }

    @Test func `rolled-back changes are not reported, changes after a savepoint are`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1)])
        let changes = try store.changes()
        try store.writer.writeWithoutTransaction { db in
            try db.inTransaction {
                try store.write(in: db) { writer in
                    try writer.update(RecordLocator("User:1"), values: ["age": .integer(1)])
                }
                return .rollback
            }
            try db.inTransaction {
                try db.inSavepoint {
                    try store.write(in: db) { writer in
                        try writer.insert("User", values: ["id": .integer(2)])
                    }
                    return .rollback
                }
                try store.write(in: db) { writer in
                    try writer.update(RecordLocator("User:1"), values: ["name": .string("a")])
                }
                return .commit
            }
        }
        let lines = try changes.lines()
        #expect(lines == ["update User#1 1 name", "--"])
    }

    @Test func `changes are recorded again after an earlier recording failed to end`() throws {
        let store = try users()
        func setReadOnly(_ isReadOnly: Bool) throws {
            try store.writer.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA query_only = \(isReadOnly)")
            }
        }
        let first = try store.changes()
        try withExtendedLifetime(first) { try setReadOnly(true) }
        // The write that ends the recording is queued before this one.
        try setReadOnly(false)
        let changes = try store.changes()
        try store.insert("User", ["id": .integer(1)])
        let lines = try changes.lines()
        #expect(lines == ["insert User#1 1 id", "--"])
    }

    @Test func `rows deleted by a cascade have changes of their own`() throws {
        let store = try Store.of(
            .named("User", [], .many("notes", "Note", inverse: "user", .cascade)),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
        try store.insert("User", ["id": .integer(1)])
        try store.insert("Note", ["id": .integer(2)], links: ["user": ["User:1"]])
        try store.insert("Note", ["id": .integer(3)], links: ["user": ["User:1"]])
        let changes = try store.changes()
        try store.delete("User:1")
        let lines = try changes.lines()
        #expect(
            Set(lines) == [
                "delete User#1 1", "delete Note#1 2", "delete Note#2 3", "--",
            ]
        )
    }

    @Test func `changes by raw SQL are reported`() throws {
        let store = try users()
        let changes = try store.changes()
        try store.writer.write { db in
            try db.execute(sql: "INSERT INTO User (_id, id, name) VALUES (1, 6, 'a'), (2, 7, 'b')")
        }
        try store.writer.write { db in
            try db.execute(sql: "REPLACE INTO User (_id, id, name) VALUES (9, 6, 'c')")
        }
        try store.writer.write { db in try db.execute(sql: "DELETE FROM User") }
        let lines = try changes.lines()
        #expect(
            lines == [
                "insert User#1 6 id, name", "insert User#2 7 id, name", "--",
                "delete User#1 6", "insert User#9 6 id, name", "--",
                "delete User#2 7", "delete User#9 6", "--",
            ]
        )
    }

    @Test func `a change of a one-to-one or many-to-many link is reported for both rows`() throws {
        let store = try Store.of(
            .named(
                "User",
                [],
                .many("tags", "Tag", inverse: "users"),
                .one("desk", "Desk", inverse: "user"),
                .many("friends", "User", inverse: "friends"),
                .many("liked", "Tag")
            ),
            .named("Tag", [], .many("users", "User", inverse: "tags")),
            .named("Desk", [], .one("user", "User", inverse: "desk"))
        )
        for number in 1...2 {
            try store.insert("User", ["id": .integer(Int64(number))])
            try store.insert("Tag", ["id": .integer(Int64(number))])
            try store.insert("Desk", ["id": .integer(Int64(number))])
        }
        let changes = try store.changes()
        try store.update("User:1", links: ["tags": ["Tag:2"], "desk": ["Desk:1"]])
        try store.update("User:2", links: ["desk": ["Desk:1"], "friends": ["User:1"]])
        try store.update("User:1", links: ["liked": ["Tag:1"]])
        try store.delete("Tag:2")
        let commits = try changes.lines().split(separator: "--").map(Set.init)
        #expect(
            commits == [
                ["update User#1 1 tags, desk", "update Desk#1 1 user", "update Tag#2 2 users"],
                [
                    "update User#1 1 desk, friends", "update User#2 2 desk, friends",
                    "update Desk#1 1 user",
                ],
                ["update User#1 1 liked"],
                ["delete Tag#2 2", "update User#1 1 tags"],
            ]
        )
    }

    @Test func `a new order of a list is reported for the row that owns the list`() throws {
        let store = try Store.of(
            .named(
                "User",
                [],
                .many("notes", "Note", inverse: "user", isOrdered: true),
                .many("tags", "Tag", isOrdered: true)
            ),
            .named("Note", [], .one("user", "User", inverse: "notes")),
            .named("Tag")
        )
        try store.insert("Note", ["id": .integer(1)])
        try store.insert("Note", ["id": .integer(2)])
        try store.insert("Tag", ["id": .integer(1)])
        try store.insert("Tag", ["id": .integer(2)])
        try store.insert(
            "User",
            ["id": .integer(5)],
            links: ["notes": ["Note:1", "Note:2"], "tags": ["Tag:1", "Tag:2"]]
        )
        let changes = try store.changes()
        try store.update("User:5", links: ["notes": ["Note:2", "Note:1"]])
        try store.update("User:5", links: ["tags": ["Tag:2", "Tag:1"]])
        let lines = try changes.lines()
        #expect(
            lines == ["update User#1 5 notes", "--", "update User#1 5 tags", "--"]
        )
    }

    @Test func `a change contains all parts of a composite key, if the row has one`() throws {
        let store = try Store.of(
            EntityDescription(
                "Seat",
                primaryKey: ["row", "place"],
                attributes: [
                    Attribute("row", .string), Attribute("place", .integer64),
                    Attribute("price", .decimal),
                ]
            ),
            EntityDescription("Line", attributes: [Attribute("text", .string)])
        )
        let changes = try store.changes()
        try store.insert("Seat", ["row": .string("B"), "place": .integer(7)])
        try store.insert("Line", ["text": .string("a")])
        try store.writer.write { db in try db.execute(sql: "DELETE FROM Seat; DELETE FROM Line") }
        let lines = try changes.lines()
        #expect(
            lines == [
                "insert Seat#1 B,7 row, place", "--", "insert Line#1 - text", "--",
                "delete Seat#1 B,7", "delete Line#1 -", "--",
            ]
        )
    }

    @Test func `a key that contains a parent's key is reported with all its values`() throws {
        let store = try Store.of(
            .named("Post", [], .many("comments", "Comment", inverse: "post", .cascade)),
            EntityDescription(
                "Comment",
                primaryKey: ["post", "number"],
                attributes: [Attribute("number", .integer64), Attribute("text", .string)],
                relationships: [.one("post", "Post", inverse: "comments")]
            )
        )
        try store.insert("Post", ["id": .integer(6)])
        let changes = try store.changes()
        try store.insert("Comment", ["number": .integer(0)], links: ["post": ["Post:6"]])
        try store.update("Comment#1", ["text": .string("a")])
        try store.delete("Post:6")
        let commits = try changes.lines().split(separator: "--").map(Set.init)
        #expect(
            commits == [
                ["insert Comment#1 6,0 number, post"], ["update Comment#1 6,0 text"],
                ["delete Comment#1 6,0", "delete Post#1 6"],
            ]
        )
    }

    @Test func `a row whose entity changes is reported under its new entity`() throws {
        let store = try Store.of(
            .named("Party"),
            .named("Person", parent: "Party", [Attribute("age", .integer64)]),
            .named("Company", parent: "Party")
        )
        try store.insert("Person", ["id": .integer(1), "age": .integer(9)])
        let changes = try store.changes()
        try store.write { writer in
            let layout = store.layout
            _ = try writer.retype(1, from: layout.entity("Person"), to: layout.entity("Company"))
        }
        #expect(try changes.lines().first == "update Company#1 1 age")
    }

    @Test func `compares tables with more columns than an expression may have levels`() throws {
        let attributes = (0..<1_200).map { Attribute("a\($0)", .integer64) }
        let store = try Store.of(.named("Wide", attributes))
        try store.insert("Wide", ["id": .integer(1)])
        let changes = try store.changes()
        try store.update("Wide:1", ["a0": .integer(1), "a1199": .integer(2)])
        let lines = try changes.lines()
        #expect(lines == ["update Wide#1 1 a0, a1199", "--"])
    }

    @Test func `a large commit is delivered in batches, and the last one is marked`() throws {
        let store = try users()
        let changes = try store.changes()
        try store.writer.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                    INSERT INTO User (id) SELECT i FROM n
                    """
            )
        }
        try store.insert("User", ["id": .integer(9_999)])
        var batches: [ChangeBatch] = []
        while let batch = try changes.poll() { batches.append(batch) }
        #expect(batches.map(\.changes.count) == [1_000, 1_000, 500, 1])
        #expect(batches.map(\.isLast) == [false, false, true, true])
        #expect(batches.flatMap(\.changes).map(\.rowNumber) == Array(1...2_501))
        #expect(batches[0].commit == batches[2].commit)
        #expect(batches[2].commit < batches[3].commit)
    }

    @Test func `subscribers read independently and leave no temporary objects`() throws {
        let store = try users()
        func temporaryObjects() throws -> [String] {
            try store.writer.writeWithoutTransaction { db in
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_master")
            }
        }
        var first: ChangeBatches? = try store.changes()
        try store.insert("User", ["id": .integer(1)])
        var second: ChangeBatches? = try store.changes()
        try store.insert("User", ["id": .integer(2)])
        #expect(try second?.lines() == ["insert User#2 2 id", "--"])
        #expect(
            try first?.lines() == ["insert User#1 1 id", "--", "insert User#2 2 id", "--"]
        )
        first = nil
        try store.insert("User", ["id": .integer(3)])
        #expect(try second?.lines() == ["insert User#3 3 id", "--"])
        #expect(try !temporaryObjects().isEmpty)
        second = nil
        #expect(try temporaryObjects().isEmpty)
        let third = try store.changes()
        try store.insert("User", ["id": .integer(4)])
        #expect(try third.lines() == ["insert User#4 4 id", "--"])
    }

    @Test func `two stores on one connection are observed independently`() throws {
        let queue = try DatabaseQueue()
        let one = try Store.validated(in: queue, model: Model(entities: [.named("User")]))
        let other = try Store.validated(in: queue)
        let (first, second) = (try one.changes(), try other.changes())
        try one.insert("User", ["id": .integer(1)])
        try other.insert("User", ["id": .integer(2)])
        let expected = ["insert User#1 1 id", "--", "insert User#2 2 id", "--"]
        #expect(try first.lines() == expected)
        #expect(try second.lines() == expected)
    }

    @Test func `erasing a store reports the deletion of each row`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1)])
        try store.insert("Note", ["id": .integer(2)], links: ["user": ["User:1"]])
        let changes = try store.changes()
        try store.write { db in try db.erase() }
        let lines = try changes.lines()
        #expect(Set(lines) == ["delete User#1 1", "delete Note#1 2", "--"])
    }

    @Test func `without subscribers there are no temporary triggers and tables`() throws {
        let store = try users()
        try store.insert("User", ["id": .integer(1)])
        let names = try store.writer.writeWithoutTransaction { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_master")
        }
        #expect(names.isEmpty)
    }
}

/// The changes as an asynchronous sequence.
struct ChangeSequenceTests {
    private func store() throws -> Store { try .of(.named("User")) }

    @Test func `the sequence waits for commits, and delivers all before it ends`() async throws {
        let store = try store()
        let changes: ChangeBatches = try await store.changes()
        try store.insert("User", ["id": .integer(1)])
        let iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next()?.changes.map(\.text) == ["insert User#1 1 id"])
        async let next = changes.makeAsyncIterator().next()
        try store.insert("User", ["id": .integer(2)])
        #expect(try await next?.changes.map(\.text) == ["insert User#2 2 id"])
        try store.insert("User", ["id": .integer(3)])
        changes.finish()
        #expect(try await iterator.next()?.changes.map(\.text) == ["insert User#3 3 id"])
        try store.insert("User", ["id": .integer(4)])
        #expect(try await iterator.next() == nil)
    }

    @Test func `a cancelled reader throws, and another reader continues`() async throws {
        let store = try store()
        let changes: ChangeBatches = try await store.changes()
        let reader = Task { try await changes.makeAsyncIterator().next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        async let next = changes.makeAsyncIterator().next()
        try store.insert("User", ["id": .integer(1)])
        #expect(try await next?.changes.map(\.text) == ["insert User#1 1 id"])
        try store.insert("User", ["id": .integer(2)])
        #expect(try changes.lines() == ["insert User#2 2 id", "--"])
    }

    @Test func `observing throws if the store was migrated since it was opened`() throws {
        let store = try store()
        _ = try store.migrate(to: Model(entities: [.named("User"), .named("Note")]))
        #expect(throws: StoreError.self) { try store.changes() }
    }
}
