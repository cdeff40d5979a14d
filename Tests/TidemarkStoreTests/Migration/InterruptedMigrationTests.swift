import Dispatch
import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Interrupted and concurrent migrations.
struct InterruptedMigrationTests {
    private static let before = """
        User: {attributes: {id: string, name: string, age: integer64}, relationships: { \
        notes: {to: Note, toMany: true, inverse: user}, \
        tags: {to: Tag, toMany: true, inverse: users}, boss: {to: User}}}, \
        Note: {attributes: {id: integer64, text: string}, \
        relationships: {user: {to: User, inverse: notes}}}, \
        Tag: {attributes: {id: integer64}, \
        relationships: {users: {to: User, toMany: true, inverse: tags}}}, \
        Old: {attributes: {id: integer64}}
        """

    /// A model whose migration executes every kind of statement.
    private static let after = """
        Person: {renamedFrom: User, attributes: {id: integer64, fullName: {type: string, \
        renamedFrom: name}, isNew: {type: boolean, default: true}}, relationships: { \
        notes: {to: Note, toMany: true, inverse: user, ordered: true, deleteRule: cascade}, \
        tag: {to: Tag, inverse: users, renamedFrom: tags}, boss: {to: Person}}}, \
        Note: {attributes: {id: integer64, body: {type: string, renamedFrom: text}, \
        size: {type: integer16, default: 1}}, indexes: [body], \
        relationships: {user: {to: Person, inverse: notes}}}, \
        Tag: {attributes: {id: integer64}, \
        relationships: {users: {to: Person, toMany: true, inverse: tag}}}, \
        New: {attributes: {id: integer64}}
        """

    private func fill(_ store: Store) throws {
        for id in 1...3 {
            try store.insert("User", ["id": .string("\(id)"), "name": .string("U\(id)")])
            try store.insert("Note", ["id": .integer(Int64(id))], links: ["user": ["User:1"]])
            try store.insert("Old", ["id": .integer(Int64(id))])
        }
        try store.insert("Tag", ["id": .integer(1)], links: ["users": ["User:3"]])
        try store.update("User:2", links: ["boss": ["User:3"]])
        try store.addUnresolvedReference("Note.user", of: 2, to: "User", key: .string("7"))
        try store.writer.write { db in
            try db.execute(sql: "INSERT INTO _tidemark_walk VALUES ('n', 'Note', '', 3)")
        }
    }

    private struct Interrupted: Error {}

    @Test func `a migration that fails before any statement leaves the store unchanged`() throws {
        let layout = try StoreLayout(model(Self.after))
        var failures = 0
        var isDone = false
        while !isDone {
            let store = try store(Self.before, fill)
            let before = try store.writer.read(SchemaShape.state)
            var left = failures
            do {
                try store.migrate(
                    to: layout,
                    date: nil,
                    checkpoint: {
                        guard left > 0 else { throw Interrupted() }
                        left -= 1
                    }
                )
                isDone = true
                try Store(writer: store.writer, layout: layout, generation: 1).expectIntegrity()
            } catch is Interrupted {
                try expect(store.writer.read(SchemaShape.state), is: before)
                failures += 1
            }
        }
        #expect(failures > 30)
    }

    @Test func `a migration that the app rejects changes nothing`() throws {
        let store = try store(Self.before, fill)
        let before = try store.writer.read(SchemaShape.state)
        let model = try model(Self.after)
        #expect(throws: Interrupted.self) {
            try store.migrate(to: model) { migration in
                if migration.losesData { throw Interrupted() }
            }
        }
        try expect(store.writer.read(SchemaShape.state), is: before)
    }

    @Test func `a process killed during a migration leaves the old store`() throws {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        let store = try Store.open(at: path, model: model(Self.before))
        try fill(store)
        try store.writer.write { db in
            let text = String(repeating: "x", count: 1_000)
            for _ in 0..<500 {
                try db.execute(sql: "INSERT INTO Note (text) VALUES (?)", arguments: [text])
            }
        }
        let before = try store.writer.read(SchemaShape.state)
        // With a small cache, SQLite writes pages to the write-ahead log long before the commit.
        try store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = 8") }
        var images: [String] = []
        var spilled = 0
        try store.migrate(
            to: StoreLayout(model(Self.after)),
            date: nil,
            checkpoint: {
                let image = folder.filePath("image-\(images.count).sqlite")
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: path + suffix, toPath: image + suffix)
                }
                let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
                spilled = max(spilled, (log[.size] as? Int) ?? 0)
                images.append(image)
            }
        )
        #expect(images.count > 30)
        #expect(spilled > 500_000)
        for image in images {
            let found = try Store.open(at: image)
            try expect(found.writer.read(SchemaShape.state), is: before)
            try found.expectIntegrity()
        }
        try Store.open(at: path).expectIntegrity()
    }

    @Test func `one of several concurrent migrations runs, and all open the new store`() throws {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        try fill(Store.open(at: path, model: model(Self.before)))
        let model = try model(Self.after)
        let outcomes = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            var steps = 0
            let outcome = Result {
                try Store.open(at: path, model: model) { steps = $0.steps.count }
            }
            .map { "\($0.model == model) \(steps > 0)" }
            outcomes.withLock { $0.append((try? outcome.get()) ?? "\(outcome)") }
        }
        let found = outcomes.withLock { $0.sorted() }
        #expect(found == ["true false", "true false", "true false", "true true"])
        try Store.open(at: path).expectIntegrity()
    }

    @Test func `converts a hundred thousand rows and keeps their numbers`() throws {
        let store = try store("User: {attributes: {id: integer64, x: string}}")
        try store.writer.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                    WHERE i < 100000) INSERT INTO User (id, x) SELECT i, i FROM n
                    """
            )
        }
        let (migrated, steps) = try store.migrating(
            to: "User: {attributes: {id: integer64, x: integer64}}"
        )
        expect(
            steps,
            is: "change User.x from string to integer64 (100000 values are converted)"
        )
        let sum = try migrated.writer.read { db in
            try Int64.fetchOne(db, sql: "SELECT sum(x) FROM User WHERE x = _id")
        }
        #expect(sum == 5_000_050_000)
    }

    @Test func `records the steps with their date and number`() throws {
        let start = try store("User: {attributes: {id: integer64}}")
        let one = try start.migrate(
            to: model("User: {attributes: {id: integer64, name: string}}"),
            environment: ManualClock(seed: 1).environment
        )
        let two = try one.migrate(to: model("User: {attributes: {id: integer64}}, Note: {}"))
        let record = try two.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT number || ' ' || migration || ' ' || name || ' ' || (date IS NOT NULL) \
                    || ' ' || length(model) FROM _tidemark_migrations ORDER BY number
                    """
            )
        }
        #expect(
            record == [
                "1 1 add User.name 1 16", "2 2 drop User.name 0 16", "3 2 add Note 0 16",
            ]
        )
    }
}
