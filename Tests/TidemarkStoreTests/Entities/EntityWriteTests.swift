import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Inserting, updating and deleting typed records.
struct EntityWriteTests {
    private let store: Store

    init() throws {
        store = try Studio.store()
    }

    private func expectError<T>(
        _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        of body: () throws -> T
    ) throws {
        let error = try #require(throws: StoreError.self, sourceLocation: sourceLocation) {
            _ = try body()
        }
        #expect(error.description == message, sourceLocation: sourceLocation)
    }

    // MARK: Inserting

    @Test func `a record is inserted with its links, and an equal one is fetched`() throws {
        var eve = Person("Eve", id: 9)
        eve.age = 41
        eve.pay = Decimal(string: "12.50")
        eve.height = 1.25
        eve.bornAt = Date(timeIntervalSince1970: 86_400)
        eve.status = .away
        eve.address = Person.Address(city: "Köln / \"Dom\"")
        eve.company = One(RowID(2))
        eve.boss = One(RowID(1))
        eve.badge = One(RowID(1))
        let inserted = try store.insert(eve)
        #expect(inserted.rowID == RowID(5))
        let stored = try #require(try store.first(Person.filter { $0.id == 9 }))
        #expect(stored == inserted)
        // The badge belongs to one person: it has left the other one.
        try expect(
            table(of: store, "Badge"),
            is: """
                Badge
                #  number  owner
                1  7       9
                """
        )
        #expect(try store.count(Person.filter { $0.boss.name == "Ada" && $0.id == 9 }) == 1)
    }

    @Test func `many records are inserted in their order, in one transaction or not at all`()
        throws
    {
        let texts = (0..<3).map { "text \($0)" }
        let notes = try store.insert(contentsOf: texts.map { Note($0, person: One(RowID(2))) })
        #expect(notes.map(\.rowID.number) == [6, 7, 8])
        let ben = try #require(
            try store.first(Person.including(\.notes).filter { $0.id == 2 })
        )
        #expect(ben.notes.values?.map(\.text) == ["milk"] + texts)
        try expectError("The store has no row Person#99.") {
            try store.insert(contentsOf: [Note("a"), Note("b", person: One(RowID(99)))])
        }
        try expectError(
            "The linked Person has not been inserted. "
                + "Insert it first, and link the record that insert returns."
        ) {
            try store.insert(contentsOf: [Note("a"), Note("b", person: One(Person("Eve", id: 9)))])
        }
        #expect(try store.count(Note.all) == 8)
    }

    @Test func `values that the model does not allow are rejected`() throws {
        var large = Person("Large")
        large.age = 40_000
        try expectError(
            "Person.age: The value does not fit into 16 bits."
        ) { try store.insert(large) }
        try expectError(
            "Company:A already exists: it is Company#1. Update that row, or choose another key."
        ) { try store.insert(Company(code: "A")) }
        var ada = try #require(try store.fetch(Person.self, key: 1))
        try expectError(
            "Person#1 has been inserted already. Update it. To insert a copy, set its "
                + "rowID to .unsaved first."
        ) { try store.insert(ada) }
        ada.rowID = .unsaved
        ada.id = nil
        ada.badge = nil
        #expect(try store.insert(ada).rowID == RowID(5))
    }

    @Test func `a record may have no key until the service assigns one`() throws {
        let first = try store.insert(Person("New"))
        let second = try store.insert(Person("Newer"))
        #expect(first.id == nil && second.id == nil)
        try store.update(first.rowID) { $0.id = 77 }
        #expect(try store.fetch(Person.self, key: 77)?.rowID == first.rowID)
    }

    @Test func `a type that lacks properties gives them their defaults`() throws {
        try store.insert(PersonName(name: "Short"))
        let person = try #require(try store.first(Person.filter { $0.name == "Short" }))
        #expect(person.isActive)
        #expect(person.status == .active)
        #expect(person.id == nil)
        try store.update(RowID<PersonName>(1)) { $0.name = "Ada L." }
        let ada = try #require(try store.fetch(Person.self, key: 1))
        #expect(ada.age == 36 && ada.status == .away && ada.name == "Ada L.")
    }

    // MARK: Updating

    @Test func `an update writes what differs from the stored values`() throws {
        var ada = try #require(try store.fetch(Person.self, key: 1))
        ada.name = "Ada L."
        ada.company = One(RowID(2))
        ada.badge = One(RowID(1))
        #expect(try store.write { try $0.update(ada) } == ["name", "company", "badge"])
        #expect(try store.write { try $0.update(ada) } == [])
        #expect(try store.fetch(Person.self, key: 1) == ada)
        ada.company = nil
        #expect(try store.write { try $0.update(ada) } == ["company"])
        ada.rowID = RowID(99)
        try expectError(
            "The store has no row Person#99."
        ) { try store.write { try $0.update(ada) } }
    }

    @Test func `an update by row keeps what others have changed`() throws {
        let row = RowID<Person>(1)
        let changed = try store.write { writer in
            try writer.update(row) { person in
                person.age = 37
                // Not possible: the row is the one that was named.
                person.rowID = RowID(2)
            }
        }
        #expect(changed == ["age"])
        #expect(try store.update(row) { $0.age = 37 } == [])
        try expectError(
            "The store has no row Person#99."
        ) { try store.update(RowID<Person>(99)) { $0.age = 1 } }
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try store.update(row) { person in
                person.age = 38
                throw Refused()
            }
        }
        #expect(try store.fetch(Person.self, key: 1)?.age == 37)
    }

    @Test func `a stored value that the type lacks is not written back`() throws {
        try store.writer.write { db in
            try db.execute(sql: "UPDATE Person SET status = 'gone', address = '[1]' WHERE id = 1")
        }
        var ada = try #require(try store.fetch(Person.self, key: 1))
        ada.name = "A"
        #expect(try store.write { try $0.update(ada) } == ["name"])
        let stored = try store.read { try $0.record(RecordLocator("Person:1")) }
        #expect(stored["status"] == .string("gone"))
        #expect(stored["address"] == .json("[1]"))
    }

    @Test func `an edit of the normalization of a text is an edit`() throws {
        let row = RowID<Person>(3)
        #expect(try store.update(row) { $0.name = "E\u{301}mile" } == ["name"])
        let bytes = try store.fetch(Person.self, key: 3).map { Array($0.name.utf8) }
        #expect(bytes == Array("E\u{301}mile".utf8))
        let changed = try store.write { writer in
            try writer.update(RecordLocator("Person:3"), values: ["name": "\u{c9}mile"]).changed
        }
        #expect(changed == ["name"])
    }

    @Test func `an upsert inserts, or updates the row with the key`() throws {
        let acme = try store.upsert(Company(code: "A"))
        #expect(acme.rowID == RowID(1))
        var new = Company(code: "C")
        new.parent = One(acme)
        #expect(try store.upsert(new).rowID == RowID(3))
        try expect(
            table(of: store, "Company"),
            is: """
                Company
                #  code  name      parent  subsidiaries  people
                1  A     -         -       [B C]         [1 4]
                2  B     Bäckerei  A       []            [2]
                3  C     -         A       []            []
                """
        )
        // Without a key it is a new row each time.
        #expect(try store.upsert(Person("x")).rowID != store.upsert(Person("x")).rowID)
        try expectError(
            "Note has no primary key, by which a row could be found. Insert the record, "
                + "or update it by its rowID."
        ) { try store.upsert(Note("no key")) }
        try expectError(
            "The type of Person lacks id, which is a part of the primary key. Add the "
                + "property to the type."
        ) { try store.upsert(PersonName(name: "x")) }
    }

    // MARK: Deleting

    @Test func `rows are deleted by identity and by request`() throws {
        #expect(try store.delete(RowID<Person>(2)) == ["Person": 1])
        #expect(try store.delete(Note.filter { $0.person.id == 1 }.limit(2)) == ["Note": 2])
        #expect(try store.fetch(Note.all).map(\.text) == ["milk", "Émile", "ink"])
        try expectError(
            "The store has no row Person#2."
        ) { try store.delete(RowID<Person>(2)) }
        #expect(try store.delete(Note.filter { $0.text == "none" }) == [:])
    }

    // MARK: Many rows

    @Test func `values are assigned to all rows of a request`() throws {
        let count = try store.update(Person.filter { $0.age != nil }) {
            $0.set(\.status, to: .away)
            $0.add(-1, to: \.age)
            $0.set(\.pay, to: nil)
        }
        #expect(count == 3)
        let people = try store.fetch(Person.all)
        #expect(people.map(\.age) == [35, 19, 35, nil])
        #expect(people.map(\.status) == [.away, .away, .away, .active])
        #expect(people.map(\.pay) == [nil, nil, nil, nil])
        // Rows that have the values already are not written.
        #expect(try store.update(Person.all) { $0.set(\.status, to: .away) } == 1)
        #expect(try store.update(Person.all) { $0.set(\.status, to: .away) } == 0)
        #expect(try store.update(Person.all) { _ in } == 0)
        #expect(try store.update(Person.all) { $0.add(0.5, to: \.height) } == 1)
        #expect(try store.fetch(Person.self, key: 1)?.height == 2)
    }

    @Test func `a link is assigned to all rows of a request`() throws {
        let moved = try store.update(Note.filter { $0.person.id == 1 }) {
            $0.set(\.person, to: RowID(4))
        }
        #expect(moved == 3)
        let zoe = try #require(try store.first(Person.including(\.notes).filter { $0.id == 4 }))
        #expect(zoe.notes.values?.map(\.text) == ["tea", "TEA", "ink"])
        #expect(try store.update(Note.all) { $0.set(\.person, to: nil) } == 5)
        try expectError(
            "The store has no row Person#99."
        ) { try store.update(Note.all) { $0.set(\.person, to: RowID(99)) } }
    }

    @Test func `an assignment that the model does not allow changes no row`() throws {
        let before = try table(of: store)
        try expectError(
            "Person#1: Person.age: The value does not fit into 16 bits."
        ) { try store.update(Person.all) { $0.add(32_740, to: \.age) } }
        try expectError(
            "Person#1: 36 + 9223372036854775807 is not a number of 64 bits."
        ) { try store.update(Person.all) { $0.add(.max, to: \.age) } }
        try expectError(
            "Person.name: A row must have a value."
        ) { try store.update(Person.all) { $0.set(\.name, to: nil) } }
        try expectError(
            "Person.company.name cannot be assigned: it is not an attribute of the rows."
        ) { try store.update(Person.all) { $0.set(\.company.name, to: "x") } }
        try expectError(
            "Person.id must be unique, and the assignment gives it to several rows."
        ) { try store.update(Person.all) { $0.set(\.id, to: 5) } }
        try expectError(
            "Person:4 already exists: it is Person#4. Update that row, or choose another key."
        ) { try store.update(Person.filter { $0.id == 1 }) { $0.set(\.id, to: 4) } }
        #expect(try table(of: store) == before)
    }

    // MARK: Links

    @Test func `members of a list are added, moved and removed`() throws {
        let ada = RowID<Person>(1)
        func notes() throws -> [Int64] {
            try store.fetch(Person.including(\.notes).filter { $0.rowID == ada })
                .flatMap { $0.notes.values ?? [] }
                .map(\.rowID.number)
        }
        #expect(try notes() == [1, 2, 5])
        let changed = try store.write { writer in
            [
                try writer.link(\.notes, of: ada, to: RowID(3)),
                try writer.link(\.notes, of: ada, to: RowID(3)),
                try writer.link(\.notes, of: ada, to: RowID(5), at: 0),
                try writer.unlink(\.notes, of: ada, from: RowID(2)),
                try writer.unlink(\.notes, of: ada, from: RowID(2)),
            ]
        }
        #expect(changed == [true, false, true, true, false])
        #expect(try notes() == [5, 1, 3])
        let replaced = try store.write { writer in
            [
                try writer.setLinks(\.notes, of: ada, to: [RowID(3), RowID(2)]),
                try writer.setLinks(\.notes, of: ada, to: [RowID(3), RowID(2)]),
                try writer.setLinks(\.teams, of: ada, to: []),
            ]
        }
        #expect(replaced == [true, false, true])
        #expect(try notes() == [3, 2])
        #expect(try store.count(Team.filter { $0.members.contains(ada) }) == 0)
        try expectError(
            "The store has no row Team#9."
        ) { try store.write { try $0.link(\.teams, of: ada, to: RowID(9)) } }
    }

    // MARK: Asynchronously

    @Test func `the functions of the store have asynchronous forms`() async throws {
        let note = try await store.insert(Note("async"))
        try await store.insert(contentsOf: [Note("a"), Note("b")])
        #expect(try await store.update(note.rowID) { $0.isDone = true } == ["isDone"])
        #expect(try await store.update(Note.all) { $0.set(\.isDone, to: true) } == 5)
        var draft = Draft(try #require(try await store.first(Note.filter { $0.text == "a" })))
        draft.text = "c"
        #expect(try await store.save(draft).changed == ["text"])
        #expect(try await store.upsert(Company(code: "Z")).rowID.isSaved)
        #expect(try await store.delete(note.rowID) == ["Note": 1])
        #expect(try await store.delete(Note.all) == ["Note": 7])
    }
}

/// A type for a part of an entity.
private struct PersonName: EntityRecord {
    var rowID = RowID<PersonName>.unsaved
    var name: String

    static let entityName = "Person"
    static let entity = EntityDescription(entityName) {
        Attribute("name", .string, isOptional: false)
    }

    struct Properties: EntityProperties {
        typealias Record = PersonName
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
    }

    init(name: String) { self.name = name }

    init(from row: EntityRow) throws { name = try row[0, "name"] }

    func encode(to row: inout EncodedRow) throws { row.set("name", name) }
}
