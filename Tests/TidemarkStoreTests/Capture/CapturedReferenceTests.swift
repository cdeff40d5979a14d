import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Local changes of references to rows that are not stored.
struct CapturedReferenceTests {
    /// Returns a store in which note 1 waits for user 9, and has tags that wait for 8 and 7.
    private func store() throws -> Store {
        try Notebook.store { db in
            try db.execute(
                sql: """
                    INSERT INTO User (id) VALUES (1);
                    INSERT INTO Note (_entity, id) VALUES ('Note', 1);
                    INSERT INTO _tidemark_held (relationship, owner, destination, key) VALUES
                        ('Note.user', 1, 'User', 9), ('Note.tags', 1, 'Tag', 8),
                        ('Note.tags', 1, 'Tag', 7);
                    """
            )
        }
    }

    private func waiting(_ store: Store) throws -> String {
        try store.read { reader in
            try String.fetchAll(
                reader.db,
                sql:
                    "SELECT relationship || ' ' || owner || ' ' || key FROM _tidemark_held ORDER BY 1"
            ).joined(separator: ", ")
        }
    }

    @Test func `a reference that is replaced by a link is recorded, and restored`() throws {
        let store = try store()
        let before = try waiting(store)
        try store.write { writer in
            try writer.update(
                RecordLocator("Note:1"),
                values: [:],
                links: ["user": [RecordLocator("User:1")], "tags": []]
            )
        }
        try expect(
            store.outbox(),
            is: """
                Note#1 update: Note.tags[-2]=7, Note.tags[-3]=8, Note.user[-2]=9, \
                _notes_position=NULL, user=NULL
                """
        )
        try expect(waiting(store), is: "")
        try store.discardAll()
        try expect(waiting(store), is: before)
        try expect(store.outbox(), is: "")
    }

    @Test func `a reference that was removed locally becomes a link if its row has arrived`() throws
    {
        let store = try store()
        try store.write { writer in
            try writer.update(RecordLocator("Note:1"), values: [:], links: ["user": []])
        }
        try store.writer.write { [layout = store.layout] db in
            try Capture.of(db, layout)?.applyingRemote {
                try db.execute(sql: "INSERT INTO User (id) VALUES (9)")
            }
        }
        try store.discardAll()
        try expect(waiting(store), is: "Note.tags 1 7, Note.tags 1 8")
        let user = try store.read { try Int64.fetchOne($0.db, sql: "SELECT user FROM Note") }
        #expect(user == 2)
    }

    @Test func `links that arrive are not local changes`() throws {
        let store = try store()
        try store.write { writer in
            _ = try writer.insert("User", values: ["id": .integer(9)])
        }
        try expect(store.outbox(), is: "")
    }

    @Test func `recorded references are kept by a migration`() throws {
        let store = try store()
        try store.write { writer in
            try writer.update(RecordLocator("Note:1"), values: [:], links: ["user": []])
        }
        var entities = Notebook.model.entities
        entities[0].attributes.append(Attribute("extra", .string))
        let migrated = try store.migrate(to: Model(entities: entities))
        try expect(migrated.outbox(), is: "Note#1 update: Note.user[-2]=9")
    }

    @Test func `a deletion keeps the references of the row`() throws {
        let store = try store()
        let before = try waiting(store)
        try store.write { try $0.delete(RecordLocator("Note:1")) }
        try expect(waiting(store), is: "")
        try store.discardAll()
        try expect(waiting(store), is: before)
    }
}
