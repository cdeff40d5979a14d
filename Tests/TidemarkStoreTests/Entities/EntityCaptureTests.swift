import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Typed writes are recorded for the next push, as all other writes are.
struct EntityCaptureTests {
    @Test func `every typed write is recorded as a local change`() throws {
        let store = try Studio.store()
        try store.writer.write { db in try Capture.install(db, store.layout) }
        let new = try store.insert(Person("New"))
        try store.update(RowID<Person>(1)) { $0.age = 37 }
        var draft = Draft(try #require(try store.fetch(Person.self, key: 2)))
        draft.name = "Ben"
        draft.company = nil
        try store.save(draft)
        try store.update(Note.filter { $0.text == "milk" }) { $0.set(\.isDone, to: true) }
        try store.delete(Note.filter { $0.text == "ink" })
        try store.upsert(Company(code: "B"))
        try store.write { writer in
            try writer.link(\.teams, of: new.rowID, to: RowID<Team>(1))
            try writer.setLinks(\.teams, of: RowID<Person>(1), to: [RowID<Team>(2)])
        }
        let created = try store.read { try $0.uncollectedCreations().map { "\($0.row)" } }
        #expect(created == ["Person#5"])
        // Notes and teams have no key: they are parts of the people that contain them.
        try expect(
            store.outbox(),
            is: """
                Person#1 update: Note:_notes_position[5]=2, Note:isDone[5]=0, Note:person[5]=1, \
                Note:text[5]="ink", Person.notes[5]=1, Person.teams[1]=1, Team.members:1[5]=0, \
                Team:name[1]="red", age=36
                Person#2 update: Note:isDone[3]=0, company=2, name="ben"
                Company#2 update: name="Bäckerei", parent=1
                """
        )
    }
}
