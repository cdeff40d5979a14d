import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Record types that do not match the store's model, and stored values that a type does not have.
struct EntityTypeTests {
    private func mismatch(_ model: Model) throws -> String {
        let store = try Store.validated(model: model)
        let error = try #require(throws: StoreError.self) { try store.fetch(Word.all) }
        #expect(error.code == .typeMismatch || error.code == .unknownEntity)
        return error.message
    }

    @Test func `a type is compared with the model`() throws {
        #expect(
            try mismatch(Model { EntityDescription("Name") { Attribute("id", .integer64) } })
                == "The model has no entity Word."
        )
        #expect(
            try mismatch(Model { EntityDescription("Word") { Attribute("text", .string) } })
                == "Word has no attribute size in the store, and the type has."
        )
        #expect(
            try mismatch(
                Model {
                    EntityDescription("Word") {
                        Attribute("text", .string)
                        Attribute("size", .integer64)
                    }
                }
            ) == "Word.size is of type integer64 in the store, and integer32 in the type."
        )
        #expect(
            try mismatch(
                Model {
                    EntityDescription("Word") {
                        Attribute("text", .uuid)
                        Attribute("size", .integer16)
                    }
                }
            ) == "Word has no relationship next in the store, and the type has."
        )
        #expect(
            try mismatch(
                Model {
                    EntityDescription("Word") {
                        Attribute("text", .string)
                        Attribute("size", .integer32)
                        Relationship("next", to: "Word", isToMany: true)
                    }
                }
            ) == "Word.next leads to many in the store, and to one in the type."
        )
        #expect(
            try mismatch(
                Model {
                    EntityDescription("Word") {
                        Attribute("text", .string)
                        Attribute("size", .integer32)
                        Relationship("next", to: "Other")
                    }
                    EntityDescription("Other") { Attribute("id", .integer64) }
                }
            ) == "Word.next leads to Other in the store, and to Word in the type."
        )
    }

    @Test func `a type may leave out properties, and have wider types`() throws {
        let store = try Store.validated(
            model: Model {
                EntityDescription("Word") {
                    Attribute("text", .uri)
                    Attribute("size", .integer16)
                    Attribute("note", .string)
                    Relationship("next", to: "Word")
                    Relationship("all", to: "Word", isToMany: true)
                }
            }
        )
        try store.insert("Word", ["text": "a:b", "size": 3])
        let words = try store.fetch(Word.all)
        #expect(words.map(\.text) == ["a:b"])
        #expect(words.map(\.size) == [3])
    }

    @Test func `names out of order are an error`() throws {
        let store = try Store.validated(model: Model(Word.self))
        try store.insert("Word", ["text": "a"])
        let error = try #require(throws: StoreError.self) { try store.fetch(Swapped.all) }
        #expect(error.code == .typeMismatch)
        #expect(
            error.message == "The type of Word reads or writes size at position 0, where its "
                + "entity has text."
        )
    }

    @Test func `a value that a type does not have is the default, nil or an error`() throws {
        let store = try Studio.store()
        try store.writer.write { db in
            try db.execute(sql: "UPDATE Person SET status = 'gone', address = '[1]' WHERE id = 1")
        }
        let ada = try #require(try store.first(Person.filter { $0.id == 1 }))
        #expect(ada.status == .active)
        #expect(ada.address == nil)
        #expect(try store.count(Person.filter { $0.status == .active }) == 3)
        let words = try Store.validated(model: Model(Word.self))
        try words.insert("Word", ["text": "a"])
        try words.insert("Word", ["size": 1])
        let error = try #require(throws: StoreError.self) { try words.fetch(Word.all) }
        #expect(error.code == .invalidValue)
        #expect(
            error.description == "Word#2.text is null or no String, which the type requires. Make "
                + "the property optional, or give it a default."
        )
    }

    @Test func `a model of types has what children inherit in the parent alone`() throws {
        let model = Model(Vehicle.self, Truck.self)
        #expect(
            model
                == Model {
                    EntityDescription("Vehicle") { Attribute("id", .integer64) }
                    EntityDescription("Truck", parent: "Vehicle") { Attribute("name", .string) }
                }
        )
        let store = try Store.validated(model: model)
        try store.insert("Vehicle", ["id": 1])
        try store.insert("Truck", ["id": 2, "name": "b"])
        #expect(try store.fetch(Vehicle.all).map(\.id) == [1, 2])
        #expect(try store.fetch(Truck.all).map(\.name) == ["b"])
        #expect(try store.fetch(Truck.all).map(\.id) == [2])
    }
}

private struct Word: EntityRecord {
    var rowID = RowID<Word>.unsaved
    var text: String
    var size: Int32?
    var next: One<Word>

    static let entityName = "Word"
    static let entity = EntityDescription(entityName) {
        Attribute("text", .string)
        Attribute("size", .integer32)
        Relationship("next", to: entityName)
    }

    struct Properties: EntityProperties {
        typealias Record = Word
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws {
        text = try row[0, "text"]
        size = row[1, "size"]
        next = row.one(2, "next")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("text", text)
        row.set("size", size)
        row.set("next", next)
    }
}

private struct Swapped: EntityRecord {
    var rowID = RowID<Swapped>.unsaved
    var size: Int32?

    static let entityName = "Word"
    static let entity = Word.entity

    struct Properties: EntityProperties {
        typealias Record = Swapped
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws { size = row[0, "size"] }

    func encode(to row: inout EncodedRow) throws { row.set("size", size) }
}

private struct Vehicle: EntityRecord {
    var rowID = RowID<Vehicle>.unsaved
    var id: Int?

    static let entityName = "Vehicle"
    static let entity = EntityDescription(entityName) { Attribute("id", .integer64) }

    struct Properties: EntityProperties {
        typealias Record = Vehicle
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws { id = row[0, "id"] }

    func encode(to row: inout EncodedRow) throws { row.set("id", id) }
}

private struct Truck: EntityRecord {
    var rowID = RowID<Truck>.unsaved
    var id: Int?
    var name: String?

    static let entityName = "Truck"
    static let entity = EntityDescription(entityName, parent: "Vehicle") {
        Attribute("id", .integer64)
        Attribute("name", .string)
    }

    struct Properties: EntityProperties {
        typealias Record = Truck
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        name = row[1, "name"]
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("name", name)
    }
}
