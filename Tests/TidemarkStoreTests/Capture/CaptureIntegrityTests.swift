import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Stores whose record of local edits another program has damaged.
struct CaptureIntegrityTests {
    private static let noon = Date(timeIntervalSince1970: 1_500_000_000)

    private func repair(_ store: Store) throws -> UnrecordedEdits? {
        try store.writer.write { db in try Capture.repair(db, store.layout, at: Self.noon) }
    }

    private func unrecorded(_ store: Store) throws -> UnrecordedEdits? {
        try store.read { reader in try reader.unrecordedEdits }
    }

    /// What another program does, and what is found.
    private static let damages: [(sql: String, causes: [UnrecordedEdits.Cause])] = [
        ("DROP TRIGGER \"_tidemark_capture_update_Note\"", [.triggers]),
        (
            """
            DROP TRIGGER "_tidemark_capture_update_Tag";
            CREATE TRIGGER "_tidemark_capture_update_Tag" AFTER UPDATE ON Tag BEGIN SELECT 1; END
            """, [.triggers]
        ),
        (
            "CREATE TRIGGER _tidemark_capture_own AFTER UPDATE ON Tag BEGIN SELECT 1; END",
            [.triggers]
        ),
        (
            """
            PRAGMA writable_schema = ON;
            DELETE FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'User';
            PRAGMA writable_schema = RESET
            """, [.triggers]
        ),
        ("UPDATE _tidemark_capture SET isEnabled = 0", [.recording]),
        ("UPDATE _tidemark_capture SET isEnabled = 0 WHERE tree = 'Tag'", [.recording]),
        ("DELETE FROM _tidemark_capture WHERE tree = 'Tag'", [.recording]),
        ("DELETE FROM _tidemark_capture", [.recording]),
        ("DELETE FROM sqlite_sequence", [.rowNumbers]),
        ("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'Note'", [.rowNumbers]),
        (
            "DROP TRIGGER \"_tidemark_capture_delete_Tag\"; DELETE FROM sqlite_sequence",
            [.rowNumbers, .triggers]
        ),
    ]

    @Test(arguments: damages)
    func `what keeps edits from being recorded is found and repaired`(
        _ sql: String,
        _ causes: [UnrecordedEdits.Cause]
    ) throws {
        let store = try Notebook.store()
        let intact = try store.triggers()
        #expect(try unrecorded(store) == nil)
        #expect(try repair(store) == nil)
        try store.writer.writeWithoutTransaction { db in try db.execute(sql: sql) }
        #expect(try unrecorded(store) == UnrecordedEdits(causes: causes))
        let marked = UnrecordedEdits(causes: causes, noticed: Self.noon)
        #expect(try repair(store) == marked)
        #expect(try unrecorded(store) == marked)
        #expect(try store.triggers() == intact)
        #expect(try repair(store) == nil, "It is repaired.")
        try store.run("UPDATE Note SET text = 'x' WHERE id = 1; UPDATE Tag SET name = 'y'")
        try store.run("INSERT INTO Note (_entity, text) VALUES ('Note', 'new')")
        try store.collect()
        try expect(
            store.outbox(),
            is: """
                Note#1 update: text="one"
                Tag#1 update: name="a"
                Tag#2 update: name="b"
                Tag#3 update: name="c"
                Note#4 create
                """
        )
    }

    @Test func `each single trigger is missed`() throws {
        let names = try Notebook.store().triggers().keys.sorted()
        #expect(names.count > 10)
        for name in names {
            let store = try Notebook.store()
            try store.run("DROP TRIGGER \(name.quotedDatabaseIdentifier)")
            #expect(try unrecorded(store)?.causes == [.triggers], "\(name)")
        }
    }

    @Test(arguments: [[], ["Tag.notes"], ["User.notes"], ["Note.tags", "User.notes"]])
    func `links of new rows are recorded whether there were triggers or not`(
        _ sides: Set<String>
    ) throws {
        func outbox(isDamaged: Bool) throws -> String {
            let store = try Notebook.store()
            try store.writer.write { [layout = store.layout] db in
                try Capture.of(db, layout)?.change(to: LinkSides(sides))
            }
            for name in try store.triggers().keys where isDamaged {
                try store.run("DROP TRIGGER \(name.quotedDatabaseIdentifier)")
            }
            try store.run(
                """
                INSERT INTO User (name) VALUES ('new');
                INSERT INTO Tag (name) VALUES ('new');
                INSERT INTO Note (_entity, text, user, _notes_position) VALUES
                    ('Note', 'new, of Ada', 1, 9), ('Memo', 'new, of a new user', 3, 0);
                INSERT INTO _tidemark_Note_tags (owner, member, position) VALUES
                    (1, 4, 2), (4, 1, 0), (4, 4, 1), (5, 3, 0);
                """
            )
            #expect(try repair(store)?.causes == (isDamaged ? [.triggers] : nil))
            try store.collect()
            return try store.outbox().split(separator: "\n").sorted().joined(separator: "\n")
        }
        let recorded = try outbox(isDamaged: false)
        #expect(recorded.contains("create"))
        try expect(outbox(isDamaged: true), is: recorded)
    }

    @Test func `a table that another program has rebuilt has no triggers`() throws {
        let store = try Notebook.store()
        try store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA foreign_keys = OFF;
                    BEGIN;
                    CREATE TABLE _new AS SELECT * FROM Tag;
                    DROP TABLE _new;
                    ALTER TABLE Tag ADD COLUMN colour TEXT;
                    COMMIT
                    """
            )
        }
        // A column that is added keeps the triggers.
        #expect(try unrecorded(store) == nil)
        let sql = try store.writer.read { db in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'Tag'") ?? ""
        }
        try store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA foreign_keys = OFF;
                    PRAGMA legacy_alter_table = ON;
                    BEGIN;
                    \(sql.replacing("\"Tag\"", with: "\"_other\""));
                    INSERT INTO _other SELECT * FROM Tag;
                    DROP TABLE Tag;
                    ALTER TABLE _other RENAME TO Tag;
                    COMMIT;
                    PRAGMA legacy_alter_table = OFF;
                    PRAGMA foreign_keys = ON
                    """
            )
        }
        #expect(try unrecorded(store)?.causes.contains(.triggers) == true)
        _ = try repair(store)
        try store.run("UPDATE Tag SET name = 'x' WHERE id = 1")
        try expect(store.outbox(), is: "Tag#1 update: name=\"a\"")
    }

    @Test func `triggers and tables of an app do not matter`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            CREATE TABLE log (text TEXT);
            CREATE TRIGGER log_notes AFTER UPDATE ON Note BEGIN \
            INSERT INTO log VALUES (NEW.text); END
            """
        )
        #expect(try unrecorded(store) == nil)
    }

    @Test func `a migration and another plan are not damage`() throws {
        let store = try Notebook.store()
        var model = Notebook.model
        model.entities[0].attributes.append(Attribute("colour", .string))
        let migrated = try store.migrate(to: model, environment: nil)
        #expect(try unrecorded(migrated) == nil)
        // As a store has it whose triggers an earlier version has created.
        try migrated.run("UPDATE _tidemark_store SET value = 'other' WHERE name = 'capture'")
        try migrated.writer.write { db in try Capture.install(db, migrated.layout) }
        #expect(try unrecorded(migrated) == nil)
    }

    @Test func `damage before an upgrade is noticed nevertheless`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            DROP TRIGGER "_tidemark_capture_update_Note";
            UPDATE _tidemark_store SET value = 'other' WHERE name = 'capture'
            """
        )
        #expect(try repair(store)?.causes == [.triggers])
    }

    @Test func `the second damage is added to the first`() throws {
        let store = try Notebook.store()
        try store.run("DELETE FROM sqlite_sequence")
        _ = try repair(store)
        try store.run("UPDATE _tidemark_capture SET isEnabled = 0")
        let later = try store.writer.write { db in
            try Capture.repair(db, store.layout, at: Self.noon.addingTimeInterval(60))
        }
        #expect(later == UnrecordedEdits(causes: [.recording, .rowNumbers], noticed: Self.noon))
        let settled = try store.writer.write { db in
            try Capture.of(db, store.layout)?.settleUnrecorded()
        }
        #expect(settled == later)
        #expect(try unrecorded(store) == nil)
    }

    @Test func `a store that records no edits has none that are missing`() throws {
        let store = try Store.validated(model: Notebook.model)
        #expect(try unrecorded(store) == nil)
        #expect(try repair(store) == nil)
    }

    @Test(arguments: [
        "UPDATE _tidemark_store SET value = 'x' WHERE name = 'unrecorded'",
        "UPDATE _tidemark_store SET value = 7 WHERE name = 'unrecorded'",
        "UPDATE _tidemark_store SET value = 'a b c d' WHERE name = 'unrecorded'",
    ])
    func `a mark that another program has damaged is read as far as possible`(sql: String) throws {
        let store = try Notebook.store()
        try store.run("DELETE FROM sqlite_sequence")
        _ = try repair(store)
        try store.run(sql)
        #expect(try unrecorded(store)?.causes ?? [] == [])
    }

    // MARK: Drafts

    @Test func `rows without a key under a former number are drafts`() throws {
        let store = try Notebook.store()
        try store.run("DELETE FROM Tag WHERE id = 3")
        try store.run("DELETE FROM _tidemark_change; DELETE FROM _tidemark_base")
        try store.run("DELETE FROM sqlite_sequence WHERE name = 'Tag'")
        try store.run("INSERT INTO Tag (name) VALUES ('new')")
        _ = try repair(store)
        #expect(
            try store.read { reader in try reader.localDrafts() } == [RowReference("Tag", 3)]
        )
        try store.run("INSERT INTO Tag (name) VALUES ('newer')")
        try store.collect()
        try expect(store.outbox(), is: "Tag#4 create")
    }
}

extension Store {
    /// The text of the triggers that record edits, by name.
    fileprivate func triggers() throws -> [String: String] {
        try writer.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT name, sql FROM sqlite_master \
                    WHERE type = 'trigger' AND name GLOB '_tidemark_capture_*'
                    """
            )
            return Dictionary(
                rows.map { ($0[0] as String, $0[1] as String) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }
}
