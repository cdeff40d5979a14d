import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Changes of links move to the rows on the other side when links are sent with those.
struct LinkSideTests {
    private static let edits = """
        DELETE FROM _tidemark_Note_tags WHERE owner = 1 AND member = 2;
        INSERT INTO _tidemark_Note_tags (owner, member, position) VALUES (2, 3, 0);
        UPDATE Note SET text = 'x' WHERE id = 1;
        """

    private func change(_ store: Store, to sides: Set<String>) throws {
        try store.writer.write { db in
            try Capture.of(db, store.layout)?.change(to: LinkSides(sides))
        }
    }

    private func sides(_ store: Store) throws -> Set<String> {
        try store.writer.read { db in try StoreMetadata.linkSides(db).identifiers }
    }

    @Test func `links that were changed move, and other properties stay`() throws {
        let store = try Notebook.store()
        try store.run(Self.edits)
        let before = try store.outbox()
        try change(store, to: ["Tag.notes"])
        #expect(
            try store.outbox().split(separator: "\n").sorted() == [
                #"Note#1 update: text="one""#, "Tag#2 update: Tag.notes[1]=1",
                "Tag#3 update: Tag.notes[2]=0",
            ]
        )
        #expect(try sides(store) == ["Tag.notes"])
        // Back again, the positions of removed links are not known any more.
        try change(store, to: [])
        #expect(try sides(store) == [])
        let after = try store.outbox()
        for line in ["Note.tags[2]=1", #"text="one""#] {
            #expect(before.contains(line) && after.contains(line), "\(after)")
        }
        #expect(!after.contains("Tag#"), "\(after)")
    }

    @Test func `later edits are recorded with the new side`() throws {
        let store = try Notebook.store()
        try change(store, to: ["Tag.notes"])
        try store.run(Self.edits)
        try expect(
            store.outbox(),
            is: #"""
                Tag#2 update: Tag.notes:position[1]=0, Tag.notes[1]=1
                Tag#3 update: Tag.notes[2]=0
                Note#1 update: text="one"
                """#
        )
    }

    @Test(arguments: ["inFlight", "uncertain"])
    func `while links are being sent nothing moves`(state: String) throws {
        let store = try Notebook.store()
        try store.run(Self.edits)
        try store.run(
            "UPDATE _tidemark_change SET frozen = 1, state = '\(state)' WHERE tree = 'Note'"
        )
        let before = try store.outbox()
        try change(store, to: ["Tag.notes"])
        try expect(store.outbox(), is: before)
        #expect(try sides(store) == [])
        // A later edit is recorded as before.
        try store.run("DELETE FROM _tidemark_Note_tags WHERE owner = 3")
        #expect(try store.outbox().contains("Memo#3 update: Note.tags"))
        // When the response has come, they move.
        try store.run(
            """
            DELETE FROM _tidemark_base WHERE change IN (SELECT _id FROM _tidemark_change \
            WHERE frozen = 1); DELETE FROM _tidemark_change WHERE frozen = 1
            """
        )
        try change(store, to: ["Tag.notes"])
        try expect(store.outbox(), is: "Tag#3 update: Tag.notes[3]=1")
    }

    @Test func `a request without links does not prevent that`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Note SET text = 'x' WHERE id = 1")
        try store.run("UPDATE _tidemark_change SET frozen = 1, state = 'inFlight'")
        try store.run("DELETE FROM _tidemark_Note_tags WHERE owner = 3")
        try change(store, to: ["Tag.notes"])
        #expect(try sides(store) == ["Tag.notes"])
        #expect(try store.outbox().contains("Tag#3 update: Tag.notes[3]=1"))
    }

    @Test func `the same sides change nothing`() throws {
        let store = try Notebook.store()
        try store.run(Self.edits)
        let before = try store.outbox()
        try change(store, to: [])
        try expect(store.outbox(), is: before)
    }
}
