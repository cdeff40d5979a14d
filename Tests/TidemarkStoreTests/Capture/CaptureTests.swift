import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

struct CaptureTests {
    // MARK: Edits

    @Test func `the first value of an edited property is kept`() throws {
        let store = try Notebook.store()
        try store.run(
            "UPDATE Note SET text = 'x' WHERE id = 1; UPDATE Note SET text = 'y', user = 2 WHERE id = 1"
        )
        try expect(
            store.outbox(),
            is: "Note#1 update: _notes_position=0, text=\"one\", user=1"
        )
    }

    @Test func `an edit of a property that is not exported is not recorded`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Note SET rank = 11, text = text WHERE id = 1")
        try expect(store.outbox(), is: "")
    }

    @Test func `values keep their storage class`() throws {
        let store = try Notebook.store(
            Model(entities: [
                EntityDescription(
                    "Thing",
                    attributes: [
                        Attribute("id", .integer64), Attribute("real", .double),
                        Attribute("any", .transformable, valueTransformer: "T"),
                        Attribute("data", .binary),
                    ]
                )
            ])
        ) { db in
            try db.execute(sql: "INSERT INTO Thing VALUES (1, 1, 2.0, '7', x'')")
        }
        try store.run("UPDATE Thing SET real = 3, \"any\" = 7, data = NULL")
        let classes = try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT property || ' ' || typeof(value) FROM _tidemark_base"
            )
        }
        #expect(classes.sorted() == ["any text", "data blob", "real real"])
    }

    @Test func `a conflict clause of the statement does not replace base values`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            UPDATE Note SET text = 'x' WHERE id = 1;
            UPDATE OR REPLACE Note SET text = 'y' WHERE id = 1;
            UPDATE OR ABORT Note SET text = 'z' WHERE id = 1;
            """
        )
        try expect(store.outbox(), is: "Note#1 update: text=\"one\"")
    }

    @Test func `an edit retries a rejected change, and does not decide a conflict`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            UPDATE Note SET text = 'x'; UPDATE _tidemark_change SET state = 'rejected' WHERE row = 1;
            UPDATE _tidemark_change SET state = 'conflicted' WHERE row = 2;
            UPDATE Note SET text = 'y' WHERE id < 3;
            """
        )
        try expect(
            store.outbox(),
            is: """
                Note#1 update: text="one"
                Note#2 update conflicted: text="two"
                Memo#3 update: text="three"
                """
        )
    }

    @Test func `an edit while a change is sent is another change`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            UPDATE Note SET text = 'x' WHERE id = 1;
            UPDATE _tidemark_change SET frozen = 1, state = 'inFlight';
            UPDATE Note SET text = 'y' WHERE id = 1;
            """
        )
        try expect(
            store.outbox(),
            is: """
                Note#1 update inFlight: text="one"
                Note#1 update: text="x"
                """
        )
    }

    @Test func `a retyped row keeps the entity that the service knows`() throws {
        let store = try Notebook.store()
        try store.run(
            "UPDATE Note SET _entity = 'Memo', price = '1' WHERE id = 1; DELETE FROM Note WHERE id = 1"
        )
        try expect(
            store.outbox(),
            is: """
                Note#1 delete: Note.tags:position[1]=1, Note.tags:position[2]=0, Note.tags[1]=1, \
                Note.tags[2]=1, _entity="Note", _notes_position=0, id=1, price=NULL, rank=10, \
                text="one", user=1
                """
        )
    }

    // MARK: Creations and deletions

    @Test func `new rows are creations, whatever is done to them`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            INSERT INTO Note (_entity, text, user) VALUES ('Memo', 'new', 1);
            UPDATE Note SET text = 'newer' WHERE _id = 4;
            INSERT INTO _tidemark_Note_tags (owner, member) VALUES (4, 1);
            """
        )
        try expect(store.outbox(), is: "")
        try store.collect()
        try store.run("UPDATE Note SET text = 'newest' WHERE _id = 4")
        try expect(store.outbox(), is: "Memo#4 create")
    }

    @Test func `a creation that is deleted leaves nothing`() throws {
        let store = try Notebook.store()
        try store.run("INSERT INTO Tag (name) VALUES ('d'), ('e')")
        try store.collect()
        try store.run("DELETE FROM Tag WHERE id IS NULL")
        try expect(store.outbox(), is: "")
    }

    @Test func `a creation that is deleted while it is sent becomes a deletion`() throws {
        let store = try Notebook.store()
        try store.run("INSERT INTO Tag (name) VALUES ('d')")
        try store.collect()
        try store.run("UPDATE _tidemark_change SET frozen = 1, state = 'inFlight'")
        try store.run("DELETE FROM Tag WHERE id IS NULL")
        try expect(
            store.outbox(),
            is: """
                Tag#4 create inFlight
                Tag#4 delete: id=NULL, name="d"
                """
        )
    }

    @Test func `a deletion contains the pairs, and those of cascades come first`() throws {
        let store = try Notebook.store()
        try store.delete("User:1")
        let deletions = try store.outbox().split(separator: "\n")
        #expect(
            deletions.map { $0.prefix { $0 != ":" } }
                == ["Note#1 delete", "Memo#3 delete", "User#1 delete"]
        )
        #expect(
            deletions[1] == """
                Memo#3 delete: Note.tags:position[3]=0, Note.tags[3]=1, _entity="Memo", \
                _notes_position=1, id=3, price="3.50", rank=NULL, text="three", user=1
                """
        )
    }

    @Test func `the key of a deletion is recorded`() throws {
        let store = try Notebook.store()
        try store.run("DELETE FROM Tag WHERE id = 3")
        let keys = try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT tree || ' ' || key FROM _tidemark_change WHERE kind = 'delete'"
            )
        }
        #expect(keys == ["Tag 3"])
    }

    @Test func `an object that is deleted and inserted again is updated`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            DELETE FROM Tag WHERE id = 3; INSERT INTO Tag (id, name) VALUES (3, 'C');
            INSERT INTO _tidemark_Note_tags (owner, member, position) VALUES (3, 4, 0);
            """
        )
        try store.collect()
        try expect(
            store.outbox(),
            is: """
                Memo#3 update: Note.tags:position[4]=0, Note.tags[4]=1
                Tag#4 update: id=3, name="c"
                """
        )
    }

    @Test func `a replaced row is created with its key if no delete trigger fires`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Tag SET name = 'x' WHERE id = 3")
        try store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql:
                    "PRAGMA recursive_triggers = OFF; INSERT OR REPLACE INTO Tag (id, name) VALUES (3, 'c2')"
            )
        }
        try store.collect()
        try expect(
            store.outbox(),
            is: """
                Memo#3 update: Note.tags:position[3]=0, Note.tags[3]=1
                Tag#4 create
                """
        )
    }

    // MARK: Discarding

    @Test func `a change that refers to a deleted row is not discarded alone`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Note SET user = 2 WHERE id = 1; DELETE FROM User WHERE id = 1")
        let (rows, outbox) = (try StoreRows(store).text, try store.outbox())
        let error = #expect(throws: StoreError.self) {
            try store.write { writer in
                let changes = try writer.capturedChanges()
                try writer.discard(changes.filter { $0.row == RowReference("Note", 1) })
            }
        }
        #expect(error?.code == .dependentChange)
        #expect(
            error?.description == """
                Note#1 referred to User#1, which was deleted locally. \
                Discard the change of User#1 first.
                """
        )
        try expect(StoreRows(store).text, is: rows)
        try expect(store.outbox(), is: outbox)
    }

    @Test func `discarding a creation keeps the rows that were linked to it`() throws {
        let store = try Notebook.store()
        let before = try StoreRows(store).text
        try store.run("INSERT INTO User (name) VALUES ('Cyd'); UPDATE Note SET user = 3")
        try store.collect()
        try store.write { writer in
            let changes = try writer.capturedChanges()
            let deleted = try writer.discard(changes.filter { $0.kind == .create })
            #expect(deleted == ["User": 1])
        }
        try expect(StoreRows(store).text, is: before)
    }

    // MARK: Suppression

    @Test func `what the service has sent is not recorded`() throws {
        let store = try Notebook.store()
        try store.write { writer in
            let capture = try #require(try Capture.of(writer.db, writer.layout))
            try writer.db.execute(sql: "INSERT INTO Tag (name) VALUES ('local')")
            try capture.applyingRemote {
                try writer.db.execute(
                    sql:
                        "UPDATE Note SET text = 'remote'; INSERT INTO Tag (id) VALUES (9); DELETE FROM Tag WHERE id = 1"
                )
            }
            try writer.db.execute(sql: "UPDATE Tag SET name = 'x' WHERE id = 9")
        }
        try expect(
            store.outbox(),
            is: """
                Tag#4 create
                Tag#5 update: name=NULL
                """
        )
    }

    @Test func `an import that fails in the caller's transaction does not stop the capture`() throws
    {
        struct Failure: Error {}
        let store = try Notebook.store()
        try store.write { writer in
            let capture = try #require(try Capture.of(writer.db, writer.layout))
            #expect(throws: Failure.self) {
                try capture.applyingRemote {
                    try capture.suppressed { throw Failure() }
                }
            }
            try writer.db.execute(sql: "UPDATE Tag SET name = 'x' WHERE id = 1")
        }
        try expect(store.outbox(), is: "Tag#1 update: name=\"a\"")
    }

    @Test func `links to a row that has got the awaited key are not recorded`() throws {
        let store = try Notebook.store()
        try store.run(
            "INSERT INTO _tidemark_held (relationship, owner, destination, key) VALUES ('Note.user', 2, 'User', 7)"
        )
        try store.run("UPDATE Note SET user = NULL WHERE id = 2")
        try store.discardAll()
        try store.run(
            "DELETE FROM _tidemark_change; DELETE FROM _tidemark_base; UPDATE _tidemark_capture SET isEnabled = 0; UPDATE Note SET user = NULL WHERE id = 2; UPDATE _tidemark_capture SET isEnabled = 1"
        )
        try store.insert("User", ["id": .integer(7)])
        try store.collect()
        try expect(store.outbox(), is: "User#3 create")
        #expect(
            try store.writer.read {
                try Int.fetchOne($0, sql: "SELECT user FROM Note WHERE id = 2")
            } == 3
        )
    }

    @Test func `a store that does not push has no triggers`() throws {
        let store = try Store.validated(model: Notebook.model)
        let objects = try store.writer.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'trigger' OR name GLOB '_tidemark_c*'"
            )
        }
        #expect(objects.isEmpty)
    }

    @Test func `installing again changes nothing`() throws {
        let store = try Notebook.store()
        let before = try store.schema()
        try store.writer.write { db in
            let changes = db.totalChangesCount
            try Capture.install(db, store.layout)
            #expect(db.totalChangesCount == changes)
        }
        #expect(try store.schema() == before)
    }
}
