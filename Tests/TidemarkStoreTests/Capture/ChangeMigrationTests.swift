import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Migrations of stores with local changes that were not pushed.
struct ChangeMigrationTests {
    /// Returns the model of the notebook with other names: notes become entries, their text a body,
    /// their tags labels, and the floor of an address a text.
    private static let renamed = Model(entities: [
        EntityDescription(
            "Entry",
            attributes: [
                Attribute("id", .integer64),
                Attribute("body", .string, renamingIdentifier: "text"),
                Attribute("rank", .integer64, isExportable: false),
            ],
            relationships: [
                .one("user", "User", inverse: "notes"),
                renamed(.many("labels", "Label", inverse: "notes", isOrdered: true), from: "tags"),
            ],
            renamingIdentifier: "Note"
        ),
        EntityDescription("Memo", parent: "Entry", attributes: [Attribute("price", .decimal)]),
        .named(
            "User",
            [],
            .many("notes", "Entry", inverse: "user", isOrdered: true, .cascade),
            .many("addresses", "Address", inverse: "owner", isOrdered: true, .cascade),
            .one("home", "Address"),
            .many("places", "Address")
        ),
        EntityDescription(
            "Label",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [.many("notes", "Entry", inverse: "labels")],
            renamingIdentifier: "Tag"
        ),
        EntityDescription(
            "Address",
            attributes: [Attribute("city", .string), Attribute("floor", .string)],
            relationships: [.one("owner", "User", inverse: "addresses")]
        ),
    ])

    private static func renamed(_ relationship: Relationship, from name: String) -> Relationship {
        var relationship = relationship
        relationship.renamingIdentifier = name
        return relationship
    }

    /// Returns the model of the notebook with other attributes of notes.
    private static func model(withNote attributes: [Attribute]) -> Model {
        var entities = Notebook.model.entities
        entities[0].attributes = attributes
        return Model(entities: entities)
    }

    private static let edits = """
        UPDATE Note SET text = 'x', rank = 5 WHERE id = 1;
        DELETE FROM _tidemark_Note_tags WHERE owner = 1 AND member = 2;
        INSERT INTO _tidemark_Note_tags (owner, member, position) VALUES (1, 3, 5);
        UPDATE Address SET floor = 7 WHERE _id = 1;
        DELETE FROM Note WHERE id = 3;
        INSERT INTO Note (_entity, text) VALUES ('Note', 'new');
        """

    @Test func `changes follow their entities and properties to the new names`() throws {
        let store = try Notebook.store()
        try store.run(Self.edits)
        let migrated = try store.migrate(to: Self.renamed)
        try expect(
            migrated.outbox(),
            is: #"""
                Entry#1 update: Entry.labels:position[2]=0, Entry.labels[2]=1, Entry.labels[3]=0, body="one"
                User#1 update: Address:floor[1]="1"
                Memo#3 delete: Entry.labels:position[3]=0, Entry.labels[3]=1, _entity="Memo", _notes_position=1, body="three", id=3, price="3.50", rank=NULL, user=1
                Entry#4 create
                """#
        )
    }

    @Test func `the side with which links are sent follows a renamed relationship`() throws {
        let store = try Notebook.store()
        try store.writer.write { db in
            try Capture.of(db, store.layout)?.change(to: LinkSides(["Tag.notes"]))
        }
        try store.run("DELETE FROM _tidemark_Note_tags WHERE owner = 1 AND member = 2")
        try expect(store.outbox(), is: "Tag#2 update: Tag.notes:position[1]=0, Tag.notes[1]=1")
        let migrated = try store.migrate(to: Self.renamed)
        let sides = try migrated.writer.read { db in try StoreMetadata.linkSides(db).identifiers }
        #expect(sides == ["Label.notes"])
        let moved = "Label#2 update: Label.notes:position[1]=0, Label.notes[1]=1"
        try expect(migrated.outbox(), is: moved)
        try migrated.run(
            "INSERT INTO _tidemark_Entry_labels (owner, member, position) VALUES (2, 3, 0)"
        )
        try expect(migrated.outbox(), is: "\(moved)\nLabel#3 update: Label.notes[2]=0")
        try migrated.discardAll()
        try expect(migrated.outbox(), is: "")
    }

    @Test func `a side whose relationship is dropped is forgotten with its changes`() throws {
        let store = try Notebook.store()
        try store.writer.write { db in
            try Capture.of(db, store.layout)?.change(to: LinkSides(["Tag.notes"]))
        }
        try store.run("DELETE FROM _tidemark_Note_tags WHERE owner = 1 AND member = 2")
        var entities = Notebook.model.entities
        entities[0].relationships.removeAll { $0.name == "tags" }
        for index in entities.indices where entities[index].name == "Tag" {
            entities[index].relationships = []
        }
        let migrated = try store.migrate(
            to: Model(entities: entities),
            unpushedChanges: .discard
        )
        let sides = try migrated.writer.read { db in try StoreMetadata.linkSides(db).identifiers }
        #expect(sides.isEmpty)
        try expect(migrated.outbox(), is: "")
    }

    @Test func `what the service has yet to show follows its row and property`() throws {
        let store = try Notebook.store()
        try store.writer.write { db in
            let changes = AcknowledgedChanges(db, store.layout)
            let note = try store.layout.entity("Note").table
            try changes.record(AcknowledgedChange(.update), of: .init("Note", 1), in: note, at: nil)
            try changes.replaceFormers(
                [
                    .init("text"): ["one".databaseValue], .init("rank"): [1.databaseValue],
                    .init("Note.tags", member: 2): [1.databaseValue],
                ],
                of: 1,
                in: note
            )
            try changes.record(AcknowledgedChange(.update), of: .init("Memo", 3), in: note, at: nil)
            try changes.replaceFormers([.init("price"): ["3.50".databaseValue]], of: 3, in: note)
            try db.execute(sql: "UPDATE _tidemark_acknowledged SET waits = 1")
        }
        var entities = Self.renamed.entities
        entities.removeAll { $0.name == "Memo" }
        entities[0].attributes.removeAll { $0.name == "rank" }
        let migrated = try store.migrate(
            to: Model(entities: entities),
            unpushedChanges: .discard
        )
        let (unconfirmed, formers) = try migrated.writer.read { db in
            let changes = AcknowledgedChanges(db, migrated.layout)
            let entry = try migrated.layout.entity("Entry").table
            return (
                try changes.unconfirmedCounts(),
                try changes.change(of: 1, in: entry)?.formers
            )
        }
        #expect(unconfirmed == ["Entry": 1])
        #expect(
            formers == [
                .init("body"): ["one".databaseValue],
                .init("Entry.labels", member: 2): [1.databaseValue],
            ]
        )
    }

    @Test func `discarding after a migration results in the migrated rows`() throws {
        let (edited, untouched) = (try Notebook.store(), try Notebook.store())
        try edited.run(Self.edits + "UPDATE Note SET rank = 10 WHERE id = 1")
        let migrated = try edited.migrate(to: Self.renamed)
        try migrated.discardAll()
        try expect(
            StoreRows(migrated).text,
            is: StoreRows(untouched.migrate(to: Self.renamed)).text
        )
        try expect(migrated.outbox(), is: "")
    }

    @Test func `a migration records nothing itself, and later edits are recorded`() throws {
        let store = try Notebook.store()
        let migrated = try store.migrate(to: Self.renamed)
        try expect(migrated.outbox(), is: "")
        try migrated.run(
            "UPDATE Entry SET body = 'x' WHERE id = 2; INSERT INTO Label (name) VALUES ('d')"
        )
        try migrated.collect()
        try expect(
            migrated.outbox(),
            is: """
                Entry#2 update: body="two"
                Label#4 create
                """
        )
    }

    @Test func `a change that the new model cannot represent is not lost silently`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Note SET text = 'x'; UPDATE Note SET user = 2 WHERE id = 1")
        let before = try store.outbox()
        let model = Self.model(withNote: [Attribute("id", .integer64)])
        let rejection = """
            Note.text: 2 local changes of it were not pushed, the first of Note#1. \
            Push first, or discard the changes.
            """
        #expect(
            try store.dryRunMigration(to: model).rejections.map(\.description) == [
                "Memo.text: 1 local change of it was not pushed, the first of Memo#3. "
                    + "Push first, or discard the changes.",
                rejection,
            ]
        )
        let error = #expect(throws: StoreError.self) { try store.migrate(to: model) }
        #expect(error?.code == .migrationRejected)
        try expect(store.outbox(), is: before)

        var discarded = 0
        let migrated = try store.migrate(to: model, unpushedChanges: .discard) { migration in
            #expect(migration.losesData)
            discarded = migration.discardedChanges
        }
        #expect(discarded == 3)
        try expect(migrated.outbox(), is: "Note#1 update: _notes_position=0, user=1")
    }

    @Test func `the base of a change is converted as the rows are`() throws {
        let store = try Notebook.store()
        try store.run(
            "UPDATE Note SET text = '2' WHERE id = 1; UPDATE Note SET text = NULL WHERE id > 1"
        )
        try store.run("UPDATE _tidemark_base SET value = '1.0' WHERE value = 'one'")
        let number = Attribute("text", .integer64)
        let model = Self.model(withNote: [Attribute("id", .integer64), number])
        // The base values of the other changes are not numbers: they cannot be restored.
        #expect(
            try store.dryRunMigration(to: model).rejections.map(\.location) == [
                "Memo.text", "Note.text",
            ]
        )
        let migrated = try store.migrate(to: model, unpushedChanges: .discard)
        try expect(migrated.outbox(), is: "Note#1 update: text=1")
    }

    @Test func `a change whose request is being sent prevents that its entity is dropped`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            UPDATE Tag SET name = 'x' WHERE id = 1;
            UPDATE _tidemark_change SET state = 'inFlight', frozen = 1;
            """
        )
        var entities = Notebook.model.entities.filter { $0.name != "Tag" }
        entities[0].relationships.removeLast()
        let model = Model(entities: entities)
        let error = #expect(throws: StoreError.self) {
            try store.migrate(to: model, unpushedChanges: .discard)
        }
        #expect(error?.message.contains("may have been applied by the service") == true)
    }

    @Test func `records of conflicts follow the names`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            INSERT INTO _tidemark_conflict (tree, row, entity, key, kind, time) VALUES
                ('Note', 1, 'Note', 1, 'edit', 0), ('Tag', 1, 'Tag', 1, 'edit', 0);
            INSERT INTO _tidemark_conflict_value (conflict, property, base, local, remote) VALUES
                (1, 'text', 'one', 'x', 'y'), (2, 'name', 'a', 'x', 'y');
            """
        )
        let migrated = try store.migrate(to: Self.renamed)
        let records = try migrated.read { reader in
            try Row.fetchAll(
                reader.db,
                sql: """
                    SELECT tree || ' ' || entity || ' ' || property || ' ' || local \
                    FROM _tidemark_conflict JOIN _tidemark_conflict_value ON conflict = _id
                    """
            ).map { $0[0] as String }
        }
        #expect(records == ["Entry Entry body x", "Label Label name x"])
    }
}
