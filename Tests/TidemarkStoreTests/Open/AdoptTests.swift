import GRDB
import Testing
import TidemarkModel
import TidemarkStore

@Suite struct AdoptTests {
    private let model = Model(entities: [
        EntityDescription(
            "Film",
            attributes: [Attribute("id", .integer64), Attribute("title", .string)]
        )
    ])

    @Test func `rejects a database with an app's table that is named like an entity`() throws {
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

    @Test func `adopting a database without a store requires a model`() throws {
        let error = #expect(throws: StoreError.self) { try Store.adopt(DatabaseQueue()) }
        #expect(error?.code == .notFound)
    }

    @Test func `creates a store next to the app's tables, and opens it again`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE note (text); PRAGMA application_id = 7")
        }
        let store = try Store.adopt(queue, model: model)
        _ = try queue.write { db in
            try store.write(in: db) { writer in
                try writer.insert("Film", values: ["title": .string("Solaris")])
            }
        }
        let again = try Store.adopt(queue)
        #expect(again.model == model)
        let state = try queue.read { db in
            (
                try again.read(in: db) { reader in try reader.count("Film") },
                try Int.fetchOne(db, sql: "PRAGMA application_id"),
                try db.tableExists("note")
            )
        }
        #expect(state == (1, 7, true))
    }

    @Test func `migrates a store next to the app's tables`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE note (text); INSERT INTO note VALUES ('kept');
                    CREATE INDEX _note ON note (text)
                    """
            )
        }
        let store = try Store.adopt(queue, model: model)
        try store.insert("Film", ["id": .integer(1), "title": .string("Solaris")])
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE VIEW titles AS SELECT title FROM Film;
                    CREATE TABLE watched (film INTEGER REFERENCES Film(_id) ON DELETE CASCADE);
                    INSERT INTO watched VALUES (1);
                    CREATE TRIGGER film_gone AFTER DELETE ON Film BEGIN
                        INSERT INTO note VALUES ('gone: ' || old.title);
                    END;
                    CREATE INDEX by_title ON Film (title)
                    """
            )
        }
        var steps: [String] = []
        let other = Model(entities: [
            EntityDescription(
                "Film",
                attributes: [
                    Attribute("id", .string),
                    Attribute("title", .string, isOptional: false, defaultValue: .string("?")),
                ]
            )
        ])
        let migrated = try Store.adopt(queue, model: other) { steps = $0.steps.map(\.name) }
        #expect(
            steps == [
                "change Film.id from integer64 to string", "require Film.title",
                "annotate Film.title",
            ]
        )
        let found = try queue.read { db in
            try [
                "SELECT group_concat(text) FROM note", "SELECT group_concat(title) FROM titles",
                "SELECT group_concat(film) FROM watched",
                "SELECT group_concat(name) FROM (SELECT name FROM sqlite_master "
                    + "WHERE name LIKE '%film_gone%' OR name = 'by_title' ORDER BY name)",
                "PRAGMA foreign_keys",
            ]
            .map { try String.fetchOne(db, sql: $0) }
        }
        #expect(found == ["kept", "Solaris", "1", "by_title,film_gone", "1"])
        try migrated.delete("Film:1")
        let left = try queue.read { db in
            try ["SELECT max(text) FROM note", "SELECT count(*) FROM watched"]
                .map { try String.fetchOne(db, sql: $0) }
        }
        #expect(left == ["kept", "0"])
    }

    @Test func `an app's foreign key to rows of a dropped entity blocks the migration`() throws {
        let queue = try DatabaseQueue()
        let person = EntityDescription("Person", attributes: [Attribute("id", .integer64)])
        let store = try Store.adopt(queue, model: Model(entities: model.entities + [person]))
        try store.insert("Film", ["id": .integer(1)])
        try store.insert("Person", ["id": .integer(1)])
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE watched (film INTEGER REFERENCES Film(_id) ON DELETE CASCADE);
                    INSERT INTO watched VALUES (1)
                    """
            )
        }
        let error = #expect(throws: StoreError.self) {
            try Store.adopt(queue, model: Model(entities: [person]))
        }
        #expect(error?.code == .migrationRejected)
        #expect(error?.message == "Row 1 of watched refers to a row of Film that is not there.")
        #expect(try Store.adopt(queue).model.entities.count == 2)
    }
}
