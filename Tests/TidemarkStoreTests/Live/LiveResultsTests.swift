import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Live results of a store with people, notes and teams.
final class LiveResultsTests {
    private let folder: Folder
    private let store: Store
    private let clock = PollClock(.manual())

    init() throws {
        let folder = try Folder()
        store = try Store.validated(at: folder.filePath("studio.sqlite"), model: Studio.model)
        try Studio.fill(store)
        self.folder = folder
    }

    /// A snapshot and its changes, in one line.
    private func text<Record>(
        _ snapshot: LiveSnapshot<Record>?,
        _ name: (Record) -> String
    ) throws -> String {
        let snapshot = try #require(snapshot)
        let rows = snapshot.map(name).joined(separator: " ")
        guard let changes = snapshot.changes else { return rows }
        let parts: [(String, [String])] = [
            ("-", changes.deletions.map(\.description)),
            ("+", changes.insertions.map(\.description)),
            (">", changes.moves.map(\.description)), ("~", changes.updates.map(\.description)),
        ]
        let shown = parts.filter { !$0.1.isEmpty }.map { $0 + $1.joined(separator: ",") }
        return "\(rows) (\(shown.joined(separator: " ")))"
    }

    private func people(
        _ request: EntityRequest<Person>,
        window: Range<Int>? = nil
    ) -> LiveResults<Person>.AsyncIterator {
        store.live(request, window: window, environment: clock.environment).makeAsyncIterator()
    }

    @Test func `snapshots follow typed writes and SQL, with their differences`() async throws {
        var list = people(Person.filter { $0.age != nil }.sorted(by: \.name))
        #expect(try await text(list.next(), \.name) == "Ada ben Émile")
        try await store.update(RowID<Person>(4)) { $0.age = 1 }
        #expect(try await text(list.next(), \.name) == "Ada Zoe ben Émile (+0.1)")
        try await store.writer.write { db in
            try db.execute(sql: "UPDATE Person SET name = 'Aaa' WHERE id = 2")
        }
        #expect(try await text(list.next(), \.name) == "Aaa Ada Zoe Émile (>0.2→0.0 ~0.2→0.0)")
        try await store.delete(RowID<Person>(1))
        #expect(try await text(list.next(), \.name) == "Aaa Zoe Émile (-0.1 ~0.0→0.0,0.3→0.2)")
        try await store.writer.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO Person (_id, id, name, age, isActive, status) "
                    + "VALUES (9, 3, 'New', 3, 1, 'away')"
            )
        }
        #expect(try await text(list.next(), \.name) == "Aaa New Zoe (-0.2 +0.1)")
    }

    @Test func `nothing comes for what the request does not load`() async throws {
        var list = people(Person.filter { $0.name != "x" })
        _ = try await list.next()
        try await store.update(RowID<Person>(1)) { $0.name = "Ada" }
        try await store.insert(Team(name: "green"))
        try await store.update(RowID<Company>(1)) { $0.name = "Other" }
        try await store.update(RowID<Person>(4)) { $0.name = "Zoë" }
        #expect(try await text(list.next(), \.name) == "Ada ben Émile Zoë (~0.3→0.3)")
    }

    @Test func `linked rows, lists and counts are followed`() async throws {
        var list = people(
            Person.filter { $0.notes.contains { $0.text == "tea" } || $0.company.name == "Acme" }
                .including(\.notes).counting(\.teams)
        )
        func line(_ snapshot: LiveSnapshot<Person>?) throws -> String {
            try text(snapshot) { person in
                let notes = person.notes.values?.map(\.text).joined(separator: ",") ?? "?"
                return "\(person.name)[\(notes)]\(person.teams.count ?? -1)"
            }
        }
        #expect(try await line(list.next()) == "Ada[tea,TEA,ink]2 Zoe[]0")
        try await store.update(RowID<Note>(3)) { $0.text = "tea" }
        #expect(try await line(list.next()) == "Ada[tea,TEA,ink]2 ben[tea]1 Zoe[]0 (+0.1)")
        try await store.write { writer in
            try writer.link(\.notes, of: RowID<Person>(4), to: RowID<Note>(3))
        }
        #expect(try await line(list.next()) == "Ada[tea,TEA,ink]2 Zoe[tea]0 (-0.1 ~0.2→0.1)")
        try await store.writer.write { db in
            try db.execute(sql: "DELETE FROM _tidemark_Person_teams")
        }
        #expect(try await line(list.next()) == "Ada[tea,TEA,ink]0 Zoe[tea]0 (~0.0→0.0)")
        try await store.writer.write { db in
            try db.execute(sql: "DELETE FROM Note WHERE text = 'TEA'")
        }
        #expect(try await line(list.next()) == "Ada[tea,ink]0 Zoe[tea]0 (~0.0→0.0)")
        try await store.update(RowID<Company>(1)) { $0.name = "Other" }
        try await store.update(RowID<Note>(3)) { $0.text = "cocoa" }
        #expect(try await line(list.next()) == "Ada[tea,ink]0 (-0.1)")
    }

    @Test func `sections come and go`() async throws {
        var list = people(
            Person.sorted(by: \.name).sections(by: \.age) { $0.map { "\($0)" } ?? "none" }
        )
        func line(_ snapshot: LiveSnapshot<Person>?) throws -> String {
            let snapshot = try #require(snapshot)
            let sections = snapshot.sections.map { "\($0.title):\($0.map(\.name))" }
            let changes = snapshot.changes.map {
                " -\($0.deletedSections) +\($0.insertedSections) >\($0.moves) ~\($0.updates)"
            }
            return sections.joined(separator: " ") + (changes ?? "")
        }
        #expect(
            try await line(list.next())
                == #"none:["Zoe"] 20:["ben"] 36:["Ada", "Émile"]"#
        )
        try await store.update(RowID<Person>(2)) { $0.age = 36 }
        #expect(
            try await line(list.next())
                == #"none:["Zoe"] 36:["Ada", "ben", "Émile"] -[1] +[] >[1.0→1.1] ~[1.0→1.1]"#
        )
        try await store.update(RowID<Person>(4)) { $0.age = 1 }
        #expect(
            try await line(list.next())
                == #"1:["Zoe"] 36:["Ada", "ben", "Émile"] -[0] +[0] >[0.0→0.0] ~[0.0→0.0]"#
        )
    }

    @Test func `a window loads a part, and counts all`() async throws {
        var list = people(Person.sorted(by: \.name), window: 1..<3)
        var snapshot = try await list.next()
        #expect(try text(snapshot, \.name) == "Zoe ben")
        #expect(snapshot?.total == 4)
        try await store.insert(Person("Bea"))
        snapshot = try await list.next()
        #expect(try text(snapshot, \.name) == "Bea Zoe (-0.1 +0.0)")
        #expect(snapshot?.total == 5)
        try await store.update(RowID<Person>(3)) { $0.age = 1 }
        try await store.insert(Person("zzz"))
        snapshot = try await list.next()
        #expect(try text(snapshot, \.name) == "Bea Zoe ()")
        #expect(snapshot?.total == 6)
    }

    @Test func `a limited request shows what moves up`() async throws {
        var list = people(Person.sorted(by: \.name).limit(2))
        #expect(try await text(list.next(), \.name) == "Ada Zoe")
        try await store.delete(RowID<Person>(1))
        #expect(try await text(list.next(), \.name) == "Zoe ben (-0.0 +0.1)")
    }

    @Test func `one row is followed until it is deleted`() async throws {
        var list = store.live(RowID<Person>(2), environment: clock.environment).makeAsyncIterator()
        #expect(try await text(list.next(), \.name) == "ben")
        try await store.update(RowID<Person>(2)) { $0.name = "Ben" }
        #expect(try await text(list.next(), \.name) == "Ben (~0.0→0.0)")
        try await store.delete(RowID<Person>(2))
        #expect(try await text(list.next(), \.name) == " (-0.0)")
    }

    @Test func `a row that its type cannot represent is left out, and named`() async throws {
        try await store.write { writer in
            for number: Int64 in [3, 5] {
                try writer.insert("Badge", values: ["number": .integer(number)])
            }
        }
        var list = store.live(Badge.all, environment: clock.environment).makeAsyncIterator()
        func line(_ snapshot: LiveSnapshot<Badge>?) throws -> String {
            try text(snapshot) { "\($0.number)" }
        }
        #expect(try await line(list.next()) == "7 3 5")
        try await store.writer.write { db in
            try db.execute(sql: "UPDATE Badge SET number = NULL WHERE _id = 2")
        }
        let snapshot = try await list.next()
        #expect(try line(snapshot) == "7 5 (-0.1)")
        #expect(
            snapshot?.unreadable.map(\.description) == [
                "Badge#2: Badge#2.number is null or no Int, which the type requires. Make the "
                    + "property optional, or give it a default."
            ]
        )
        try await store.writer.write { db in
            try db.execute(sql: "UPDATE Badge SET number = 4 WHERE _id = 2")
        }
        let next = try await list.next()
        #expect(try line(next) == "7 4 5 (+0.1)")
        #expect(next?.unreadable == [])
    }

    @Test func `a row that comes or goes unreadable is a snapshot of its own`() async throws {
        var list = store.live(Badge.all, environment: clock.environment).makeAsyncIterator()
        _ = try await list.next()
        try await store.writer.write { db in
            try db.execute(sql: "INSERT INTO Badge (number) VALUES (NULL)")
        }
        let unreadable = try await list.next()
        #expect(unreadable?.map(\.number) == [7])
        #expect(unreadable?.unreadable.map(\.row.number) == [2])
        #expect(unreadable?.total == 2)
        try await store.writer.write { db in
            try db.execute(sql: "DELETE FROM Badge WHERE _id = 2")
        }
        #expect(try await list.next()?.unreadable == [])
    }

    @Test func `records without a type are followed, with their links`() async throws {
        let request = RecordRequest("Team", links: .all)
        var list = store.live(request, environment: clock.environment).makeAsyncIterator()
        func line(_ snapshot: LiveSnapshot<StoredRecord>?) throws -> String {
            try text(snapshot) { "\($0["name"])\($0.links["members"] ?? [])" }
        }
        #expect(try await line(list.next()).contains("red"))
        try await store.write { writer in
            try writer.setLinks(\.members, of: RowID<Team>(1), to: [])
        }
        #expect(try await line(list.next()).hasSuffix("(~0.0→0.0)"))
    }

    @Test func `a condition in SQL is checked again after any change`() async throws {
        var list = people(
            Person.filter(.sql("(SELECT count(*) FROM Note WHERE person = Person._id) > ?", 1))
        )
        #expect(try await text(list.next(), \.name) == "Ada")
        try await store.insert(Note("more", person: One(RowID(2))))
        #expect(try await text(list.next(), \.name) == "Ada ben (+0.1)")
    }

    @Test func `another connection is noticed within one poll`() async throws {
        var list = people(Person.sorted(by: \.name))
        #expect(try await text(list.next(), \.name) == "Ada Zoe ben Émile")
        let other = try DatabaseQueue(path: folder.filePath("studio.sqlite"))
        try await other.write { db in
            try db.execute(sql: "UPDATE Person SET name = 'Aaa' WHERE id = 4")
        }
        await clock.tick()
        #expect(try await text(list.next(), \.name) == "Aaa Ada ben Émile (>0.1→0.0 ~0.1→0.0)")
    }

    @Test func `a migration ends the results`() async throws {
        var list = people(Person.all)
        _ = try await list.next()
        let extra = EntityDescription("Extra") { Attribute("text", .string) }
        let model = Model(entities: Studio.model.entities + [extra])
        _ = try store.migrate(to: model)
        let error = await #expect(throws: StoreError.self) { try await list.next() }
        #expect(error?.code == .outdated)
        #expect(try await list.next() == nil)
    }

    @Test func `all rows are read where a trigger is missing`() async throws {
        var list = people(Person.filter { !$0.notes.isEmpty })
        #expect(try await text(list.next(), \.name) == "Ada ben Émile")
        // The first commit after the start is read as a whole in any case.
        try await store.update(RowID<Person>(1)) { $0.name = "Ada L." }
        #expect(try await text(list.next(), \.name) == "Ada L. ben Émile (~0.0→0.0)")
        try await store.writer.writeWithoutTransaction { [store] db in
            let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_master")
            for name in names { try db.execute(sql: "DROP TRIGGER temp.\(name)") }
            store.liveFeed.state.withLock { $0.triggers = [:] }
        }
        try await store.writer.write { db in
            try db.execute(sql: "UPDATE Note SET person = 4 WHERE person = 2")
        }
        #expect(try await text(list.next(), \.name) == "Ada L. Émile Zoe (-0.1 +0.2)")
    }

    @Test func `nothing is left after cancelling`() async throws {
        let (store, clock) = (store, clock)
        let task = Task {
            var count = 0
            for try await _ in store.live(
                Person.including(\.notes).including(\.teams),
                environment: clock.environment
            ) { count += 1 }
            return count
        }
        await clock.sleeping()
        let triggers = "SELECT name FROM sqlite_temp_master"
        let installed = try await store.writer.writeWithoutTransaction { db in
            try String.fetchAll(db, sql: triggers)
        }
        #expect(installed.count > 3)
        task.cancel()
        #expect(try await task.value == 1)
        let left = try await store.writer.writeWithoutTransaction { db in
            try String.fetchAll(db, sql: triggers)
        }
        #expect(left == [])
        #expect(store.liveFeed.state.withLock { $0.version == nil && $0.poll == nil })
    }
}
