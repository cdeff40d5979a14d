import GRDB
import Synchronization
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// What a typed request loads with its rows.
struct EntityInclusionTests {
    @Test func `nothing is loaded that was not requested`() throws {
        let store = try Studio.store()
        let ada = try #require(try store.first(Person.filter { $0.name == "Ada" }))
        #expect(ada.company.rowID == RowID(1))
        #expect(ada.company.value == nil)
        #expect(ada.notes.values == nil)
        #expect(ada.notes.count == nil)
        #expect(ada.boss.rowID == nil)
        #expect(try ada.boss.get() == nil)
        let link = try #require(throws: StoreError.self) { try ada.company.get() }
        #expect(link.code == .notLoaded)
        let list = try #require(throws: StoreError.self) { try ada.notes.get() }
        #expect(
            list.description == "The linked rows of Note were not loaded. Request them with "
                + "including(_:)."
        )
    }

    @Test func `the records of to-one relationships are loaded`() throws {
        let store = try Studio.store()
        let people = try store.fetch(
            Person.including(\.company) { $0.including(\.parent) }.including(\.badge)
                .including(\.boss)
        )
        #expect(people.map { $0.company.value?.code } == ["A", "B", nil, "A"])
        #expect(people.map { $0.company.value?.parent.value?.code } == [nil, "A", nil, nil])
        #expect(people.map { $0.badge.value?.number } == [nil, 7, nil, nil])
        #expect(people.map { $0.boss.value?.name } == [nil, "Ada", "Ada", nil])
    }

    @Test func `the records of to-many relationships are loaded in their order`() throws {
        let store = try Studio.store()
        let people = try store.fetch(
            Person.including(\.notes).including(\.teams) { $0.sorted(by: \.name) }
                .including(\.team)
        )
        #expect(
            try people.map { try $0.notes.get().map(\.text) } == [
                ["tea", "TEA", "ink"], ["milk"], ["Émile"], [],
            ]
        )
        #expect(
            try people.map { try $0.teams.get().map(\.name) } == [
                ["blue", "red"], ["blue"], [], [],
            ]
        )
        #expect(
            try people.map { try $0.team.get().map(\.name) } == [["ben", "Émile"], [], [], []]
        )
        let teams = try store.fetch(Team.including(\.members) { $0.including(\.notes) })
        #expect(
            try teams.map { try $0.members.get().map { $0.notes.count } } == [[3], [3, 1]]
        )
    }

    @Test func `a filter, an order and a limit are those of each list`() throws {
        let store = try Studio.store()
        let people = try store.fetch(
            Person.including(\.notes) { notes in
                notes.filter { $0.text != "milk" }
                    .sorted(by: \.text, .descending, folding: .caseInsensitive).limit(2)
            }
        )
        #expect(
            try people.map { try $0.notes.get().map(\.text) } == [
                ["tea", "TEA"], [], ["Émile"], [],
            ]
        )
        let second = try store.fetch(Person.including(\.notes) { $0.limit(1, offset: 1) })
        #expect(try second.map { try $0.notes.get().map(\.text) } == [["TEA"], [], [], []])
    }

    @Test func `a limit does not keep the record of a link back`() throws {
        let store = try Studio.store()
        let people = try store.fetch(Person.including(\.company) { $0.limit(1, offset: 1) })
        #expect(people.map { $0.company.value?.code } == ["A", "B", nil, "A"])
        let some = try store.fetch(Person.including(\.company) { $0.filter { $0.code == "B" } })
        #expect(some.map { $0.company.value?.code } == [nil, "B", nil, nil])
    }

    @Test func `a row that is in many lists has its own lists once`() throws {
        let store = try Studio.store()
        // More pairs than one statement selects, so that those of a person are in two of them.
        try store.writer.write { db in
            try db.execute(
                sql: """
                    INSERT INTO Team (name) VALUES ('green');
                    WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 4009)
                    INSERT INTO Person (_id, name, isActive) SELECT i, 'p', 1 FROM n;
                    INSERT INTO Note (text, person) SELECT 'note', _id FROM Person WHERE _id >= 10;
                    INSERT INTO _tidemark_Person_teams (owner, member)
                    SELECT p._id, t._id FROM Person p, Team t WHERE p._id >= 10
                    """
            )
        }
        let teams = try store.fetch(
            Team.including(\.members) { $0.filter { $0.name == "p" }.including(\.notes) }
        )
        let counts = try teams.flatMap { try $0.members.get().map(\.notes.count) }
        #expect(counts == Array(repeating: 1, count: 12_000))
    }

    @Test func `rows are counted without being loaded`() throws {
        let store = try Studio.store()
        let people = try store.fetch(Person.counting(\.notes).counting(\.teams))
        #expect(people.map(\.notes.count) == [3, 1, 1, 0])
        #expect(people.map(\.teams.count) == [2, 1, 0, 0])
        #expect(people.allSatisfy { $0.notes.values == nil })
        let some = try store.fetch(
            Person.including(\.notes) { $0.limit(1) }.counting(\.notes)
        )
        #expect(some.map(\.notes.count) == [3, 1, 1, 0])
        #expect(some.map(\.notes.values?.count) == [1, 1, 1, 0])
    }

    @Test func `the number of statements does not depend on the number of rows`() throws {
        let store = try Studio.store()
        let request = Person.including(\.notes).including(\.company) { $0.including(\.people) }
            .counting(\.teams)
        func statements() throws -> Int {
            try store.read { reader in
                let count = Mutex(0)
                reader.db.trace { event in
                    // SQLite reports the statements of foreign keys and triggers as comments.
                    if !"\(event)".hasPrefix("--") { count.withLock { $0 += 1 } }
                }
                _ = try reader.fetch(request)
                reader.db.trace(options: [])
                return count.withLock { $0 }
            }
        }
        let few = try statements()
        try store.write { writer in
            for number in 10..<60 {
                let person = try writer.insert("Person", values: ["name": .string("\(number)")])
                _ = try writer.insert(
                    "Note",
                    values: ["text": "x"],
                    links: ["person": [RecordLocator(person)]]
                )
            }
        }
        #expect(try statements() == few)
    }

    @Test func `a relationship of another row cannot be included`() throws {
        let store = try Studio.store()
        let error = try #require(throws: StoreError.self) {
            try store.fetch(Person.including(\.boss.boss))
        }
        #expect(error.code == .typeMismatch)
        #expect(error.message == "Person has no relationship boss.boss of its own to include.")
    }
}
