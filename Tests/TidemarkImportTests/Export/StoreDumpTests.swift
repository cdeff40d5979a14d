import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Dumps of all rows of a store as JSON.
struct StoreDumpTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named(
                "Vehicle",
                [Attribute("price", .decimal), Attribute("made", .date)],
                .one("owner", "Owner", inverse: "vehicles")
            ),
            .named("Car", parent: "Vehicle", [Attribute("plate", .uuid)]),
            .named("Owner", [], .many("vehicles", "Vehicle", inverse: "owner"))
        )
        try store.load("Owner", #"[{"id": 1, "name": "a"}]"#)
        try store.load(
            "Vehicle",
            #"[{"id": 1, "price": "1.50", "made": "2014-02-14", "owner_id": 1}]"#
        )
        try store.load("Car", #"[{"id": 2, "owner_id": 1}]"#)
        return store
    }

    private func dump(_ store: Store, _ entity: String? = nil) throws -> String {
        var text = ""
        var writer = JSONWriter()
        try store.writer.read { db in
            try StoreDump(store).write(db, entity: entity, into: &writer) { writer in
                writer.drain { text += String(decoding: $0, as: UTF8.self) }
            }
        }
        #expect(writer.bytes.isEmpty)
        return text
    }

    @Test func `dumping an unknown entity throws`() throws {
        try expect(
            errorMessage(dump(store(), "Nemo")),
            is: "The model has no entity Nemo. It has Car, Owner, Vehicle."
        )
    }

    @Test func `every row is listed under its entity, with tagged values and row locators`() throws
    {
        try expect(
            dump(store()),
            is: """
                {"Vehicle":[{"$ref":"Vehicle#1","id":1,"name":null,"price":{"$decimal":"1.5"},\
                "made":{"$date":"2014-02-14T00:00:00.000Z"},"owner":"Owner#1"}],\
                "Car":[{"$ref":"Car#2","id":2,"name":null,"price":null,"made":null,"plate":null,\
                "owner":"Owner#1"}],\
                "Owner":[{"$ref":"Owner#1","id":1,"name":"a","vehicles":["Vehicle#1","Car#2"]}]}
                """
        )
        try expect(
            dump(store(), "Owner"),
            is:
                #"{"Owner":[{"$ref":"Owner#1","id":1,"name":"a","vehicles":["Vehicle#1","Car#2"]}]}"#
        )
    }

    @Test func `an invalid JSON value fails a dump, whose output is still valid JSON`() throws {
        let store = try Store.of(.named("Note", [Attribute("extra", .json)]))
        try store.load("Note", #"[{"id": 1, "extra": {}}, {"id": 2, "extra": [1]}]"#)
        try store.writer.write { db in
            try db.execute(sql: "UPDATE Note SET extra = '{bad' WHERE id = 1")
        }
        var writer = JSONWriter()
        let error = #expect(throws: StoreError.self) {
            try store.reader.read { db in try StoreDump(store).write(db, into: &writer) }
        }
        #expect(
            error?.message
                == "The value of extra in Note#1 is not valid JSON: it was printed as null."
        )
        expect(
            String(decoding: writer.bytes, as: UTF8.self),
            is: """
                {"Note":[{"$ref":"Note#1","id":1,"name":null,"extra":null},\
                {"$ref":"Note#2","id":2,"name":null,"extra":[1]}]}
                """
        )
    }

    @Test func `the dump of an empty store contains empty lists`() throws {
        let store = try Store.of(
            .named("User"),
            EntityDescription("Top", isAbstract: true, identity: .shared)
        )
        try expect(dump(store), is: #"{"User":[]}"#)
    }
}
