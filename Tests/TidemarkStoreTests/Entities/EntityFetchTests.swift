import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// What is read with typed requests.
struct EntityFetchTests {
    @Test func `a record has the values of its row`() throws {
        let store = try Studio.store()
        let ada = try #require(try store.first(Person.filter { $0.id == 1 }))
        #expect(ada.rowID == RowID(1))
        #expect("\(ada.rowID)" == "Person#1")
        #expect(ada.name == "Ada")
        #expect(ada.age == 36)
        #expect(ada.pay == Decimal(string: "1000.5"))
        #expect(ada.height == 1.5)
        #expect(ada.isActive)
        #expect(ada.bornAt == Date(timeIntervalSince1970: 0))
        #expect(ada.status == .away)
        #expect(ada.address == Person.Address(city: "London"))
        let zoe = try #require(try store.first(Person.filter { $0.id == 4 }))
        #expect(zoe.age == nil)
        #expect(zoe.pay == nil)
        #expect(zoe.bornAt == nil)
        #expect(zoe.address == nil)
        #expect(zoe.status == .active)
        #expect(zoe.boss == .none)
    }

    @Test func `rows are sorted and limited`() throws {
        let store = try Studio.store()
        func names(_ request: EntityRequest<Person>) throws -> String {
            try store.fetch(request).map(\.name).joined(separator: " ")
        }
        #expect(
            try names(Person.sorted(by: \.age, .descending).sorted(by: \.name))
                == "Ada Émile ben Zoe"
        )
        #expect(try names(Person.sorted(by: \.name)) == "Ada Zoe ben Émile")
        #expect(
            try names(
                Person.sorted(by: \.name, folding: [.caseInsensitive, .diacriticInsensitive])
            ) == "Ada ben Émile Zoe"
        )
        #expect(try names(Person.sorted(by: \.company.name)) == "Émile Ada Zoe ben")
        #expect(try names(Person.sorted(by: \.notes.count, .descending)) == "Ada ben Émile Zoe")
        #expect(try names(Person.sorted(by: \.pay, .descending)) == "Ada ben Émile Zoe")
        #expect(try names(Person.sorted(by: \.name).limit(2, offset: 1)) == "Zoe ben")
        #expect(try store.first(Person.sorted(by: \.name).limit(9, offset: 2))?.name == "ben")
        #expect(try store.first(Person.limit(0)) == nil)
        #expect(try store.count(Person.filter { $0.age > 30 }) == 2)
        #expect(try store.count(Person.limit(3)) == 3)
        try store.read { reader in
            let found = try [20, 21].map { age in
                try reader.contains(Person.filter { $0.age == age })
            }
            #expect(found == [true, false])
            let rows = try reader.rowIDs(Person.sorted(by: \.name)).map(\.number)
            #expect(rows == [1, 4, 2, 3])
        }
    }

    @Test func `a record is found by its identity or its key`() throws {
        let store = try Studio.store()
        try store.read { reader in
            #expect(try reader.fetch(RowID<Person>(3))?.name == "Émile")
            #expect(try reader.fetch(RowID<Person>(9)) == nil)
            #expect(try reader.fetch(Person.self, key: 2)?.name == "ben")
            #expect(try reader.fetch(Person.self, key: 9) == nil)
            #expect(try reader.fetch(Company.self, key: "B")?.name == "Bäckerei")
            let other = try #require(throws: StoreError.self) {
                try reader.fetch(Person.self, key: 1, 2)
            }
            #expect(other.code == .invalidLocator)
            let none = try #require(throws: StoreError.self) {
                try reader.fetch(Team.self, key: 1)
            }
            #expect(none.code == .invalidLocator)
        }
    }

    @Test func `values are aggregated`() throws {
        let store = try Studio.store()
        try store.read { reader in
            #expect(try reader.minimum(Person.all, of: \.age) == 20)
            #expect(try reader.maximum(Person.all, of: \.pay) == Decimal(string: "1000.5"))
            #expect(try reader.minimum(Person.all, of: \.company.name) == "Acme")
            #expect(try reader.maximum(Person.filter { $0.age == 21 }, of: \.age) == nil)
            #expect(try reader.sum(Person.all, of: \.age) == 92)
            #expect(try reader.sum(Person.all, of: \.height) == 1.5)
            #expect(try reader.sum(Person.all, of: \.pay) == Decimal(string: "1009.75"))
            #expect(try reader.sum(Person.filter { $0.age == 21 }, of: \.age) == 0)
            #expect(try reader.average(Person.filter { $0.id <= 2 }, of: \.age) == 28)
            #expect(try reader.average(Person.filter { $0.age == nil }, of: \.age) == nil)
            let statuses = try reader.counts(Person.all, by: \.status)
            #expect(statuses.map(\.value) == [.active, .away])
            #expect(statuses.map(\.count) == [3, 1])
            let ages = try reader.counts(Person.all, by: \.age)
            #expect(ages.map(\.value) == [nil, 20, 36])
            #expect(ages.map(\.count) == [1, 1, 2])
        }
    }

    @Test func `many records are read a thousand at a time, while others are written`() throws {
        let store = try Studio.store()
        try store.write { writer in
            for number in 0..<2_500 {
                _ = try writer.insert(
                    "Note",
                    values: ["text": .string("\(number)")],
                    links: ["person": [RecordLocator("Person:\(number % 4 + 1)")]]
                )
            }
        }
        var texts: [String] = []
        try store.write { writer in
            let request = Note.filter { $0.person != nil }.including(\.person)
            try writer.forEach(request) { note in
                texts.append("\(note.text) \(note.person.value?.name ?? "")")
                try writer.delete(RecordLocator("\(note.rowID)"))
                if texts.count == 1 { try writer.delete(RecordLocator("Note#2505")) }
            }
            #expect(try writer.count(Note.all) == 0)
        }
        #expect(texts.count == 2_504)
        #expect(texts.first == "tea Ada")
        #expect(texts.last == "2498 Émile")
    }

    @Test func `an observation of GRDB tracks all tables of a request`() async throws {
        let store = try Studio.store()
        let observation = ValueObservation.tracking { db in
            try store.read(in: db) { reader in
                try reader.fetch(Person.filter { $0.company.code == "A" }.including(\.notes))
                    .map { "\($0.name) \($0.notes.count ?? 0)" }
            }
        }
        var values = observation.values(in: store.reader).makeAsyncIterator()
        #expect(try await values.next() == ["Ada 3", "Zoe 0"])
        try await store.writer.write { db in
            try db.execute(sql: "INSERT INTO Note (text, person) VALUES ('new', 4)")
        }
        #expect(try await values.next() == ["Ada 3", "Zoe 1"])
        try await store.writer.write { db in
            try db.execute(sql: "UPDATE Company SET code = 'C' WHERE code = 'A'")
        }
        #expect(try await values.next() == [])
    }

    @Test func `a request is a request of GRDB`() throws {
        let store = try Studio.store()
        let adults = try store.sql(for: Person.filter { $0.age > 30 }.sorted(by: \.name))
        let (people, oldest) = try store.read { reader in
            (
                try adults.fetchAll(reader.db),
                try SQLRequest<Int>("SELECT max(age) FROM (\(adults))").fetchOne(reader.db)
            )
        }
        let same = try store.fetch(Person.filter { $0.age > 30 }.sorted(by: \.name))
        #expect(people == same)
        #expect(people.map(\.rowID.number) == [1, 3])
        #expect(oldest == 36)
    }

    @Test func `SQL of an app selects records by the names of its columns`() throws {
        let store = try Studio.store()
        try store.read { reader in
            let notes = try Note.fetchAll(
                reader.db,
                sql: "SELECT person, isDone, _id, text FROM Note"
            )
            let same = try reader.fetch(Note.all)
            #expect(notes == same)
            let error = try #require(throws: StoreError.self) {
                try Note.fetchAll(reader.db, sql: "SELECT _id, isDone, person FROM Note")
            }
            #expect(error.code == .typeMismatch)
            #expect(error.message == "The row has no column text, which the type of Note reads.")
            for number in ["", ", NULL AS _id"] {
                let error = try #require(throws: StoreError.self) {
                    try Note.fetchAll(
                        reader.db,
                        sql: "SELECT text, isDone, person\(number) FROM Note"
                    )
                }
                #expect(error.message == "The row has no column _id, which the type of Note reads.")
            }
        }
    }
}
