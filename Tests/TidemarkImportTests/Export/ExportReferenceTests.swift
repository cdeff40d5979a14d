import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Exported references, in a form that an import reads.
struct ExportReferenceTests {
    private static let ids = ExportOptions(relationships: .ids)

    private func order(
        _ attributes: [Attribute] = [],
        _ relationships: Relationship...
    ) -> EntityDescription {
        EntityDescription(
            "Order",
            primaryKey: ["storeID", "number"],
            attributes: [.init("storeID", .integer64), .init("number", .string)] + attributes,
            relationships: relationships
        )
    }

    // MARK: Composite keys

    @Test func `a list of rows with composite keys contains objects of the key parts`() throws {
        let entities = [
            EntityDescription.named("Buyer", [], .many("orders", "Order", isOrdered: true)),
            order(),
        ]
        let store = try Store.validated(model: Model(entities: entities))
        try store.load(
            "Buyer",
            """
            [{"id":1,"orders":[{"storeID":2,"number":"A-7"},{"storeID":1,"number":"A-7"}]},\
            {"id":2,"orders":[]}]
            """
        )
        let text = try store.export("Buyer", Self.ids)
        expect(
            text,
            is: """
                [{"id":1,"name":null,\
                "orders":[{"store_id":2,"number":"A-7"},{"store_id":1,"number":"A-7"}]},\
                {"id":2,"name":null,"orders":[]}]
                """
        )
        try expect(
            store.export("Buyer:1", ExportOptions(keys: .camel, relationships: .ids)),
            is: """
                {"id":1,"name":null,\
                "orders":[{"storeID":2,"number":"A-7"},{"storeID":1,"number":"A-7"}]}
                """
        )
        let copy = try Store.validated(model: Model(entities: entities))
        try copy.load("Order", store.export("Order", Self.ids))
        try copy.load("Buyer", text)
        try expect(copy.anonymousTables(), is: store.anonymousTables())
        try expect(store.load("Buyer", text), is: "Buyer =2, Order =2")
    }

    @Test func `an exported composite key contains the discriminator`() throws {
        var item = order()
        item.name = "Item"
        item.isAbstract = true
        item.json.discriminator = "kind"
        let entities = [
            EntityDescription.named("Buyer", [], .many("items", "Item")), item,
            EntityDescription("Toy", parent: "Item", attributes: [.init("age", .integer16)]),
        ]
        let store = try Store.validated(model: Model(entities: entities))
        let document = #"{"id":1,"name":null,"items":[{"store_id":1,"number":"a","kind":"Toy"}]}"#
        try store.load("Buyer", document)
        try expect(store.export("Buyer:1", Self.ids), is: document)
        let copy = try Store.validated(model: Model(entities: entities))
        try expect(copy.load("Buyer", document), is: "Buyer +1, Toy +1")
    }

    // MARK: Rows without a key

    @Test func `a link to a row without a key is omitted, so that an import keeps it`() throws {
        let store = try Store.of(
            .named("A", [], .one("b", "B"), .one("order", "Order")),
            .named("B"),
            order()
        )
        try store.insert("B", ["name": .string("draft")])
        try store.insert("Order", ["storeID": .integer(1)])
        try store.insert(
            "A",
            ["id": .integer(1)],
            links: ["b": ["B#1"], "order": ["Order#1"]]
        )
        let text = try store.export("A:1", Self.ids)
        expect(text, is: #"{"id":1,"name":null}"#)
        try expect(store.export("A:1", Self.ids, only: ["b", "order"]), is: "{}")
        try expect(store.load("A", text), is: "A =1")
        let whole = try store.export("A:1")
        expect(
            whole,
            is: """
                {"id":1,"name":null,"b":{"id":null,"name":"draft"},\
                "order":{"store_id":1,"number":null}}
                """
        )
        try store.load("A", whole)
        try expect(store.export("A:1"), is: whole)
    }

    @Test func `a list with a row without a key is omitted, so that an import keeps it`() throws {
        let store = try Store.of(
            .named("A", [], .many("bs", "B"), .many("orders", "Order")),
            .named("B"),
            order()
        )
        try store.load("B", #"[{"id":1}]"#)
        try store.insert("B", ["name": .string("draft")])
        try store.insert("Order", ["storeID": .integer(1)])
        try store.insert(
            "A",
            ["id": .integer(1)],
            links: ["bs": ["B#1", "B#2"], "orders": ["Order#1"]]
        )
        try store.insert("A", ["id": .integer(2)], links: ["bs": ["B#1"]])
        let text = try store.export("A", Self.ids)
        expect(
            text,
            is: """
                [{"id":1,"name":null},{"id":2,"name":null,"b_ids":[1],"orders":[]}]
                """
        )
        try expect(store.load("A", text), is: "A =2")
    }

    @Test func `a row without a key, exported as an object, stays in its list on import`() throws {
        let store = try Store.of(
            .named("A", [], .many("notes", "Note", inverse: "a")),
            .named("Note", [], .one("a", "A", inverse: "notes"))
        )
        try store.load("A", #"[{"id":1,"notes":[{"id":5}]}]"#)
        try store.insert("Note", ["name": .string("draft")], links: ["a": ["A#1"]])
        let text = try store.export("A")
        expect(
            text,
            is: """
                [{"id":1,"name":null,"notes":[{"id":5,"name":null},{"id":null,"name":"draft"}]}]
                """
        )
        try store.load("A", text)
        try expect(store.export("A"), is: text)
    }

    // MARK: Names

    @Test func `an export uses only names that an import maps to the same property`() throws {
        let store = try Store.of(
            EntityDescription(
                "User",
                attributes: [
                    .init("id", .integer64), .init("label", .string, remoteKey: "first_name"),
                    .init("firstName", .string), .init("nick", .string, remoteKey: "alias"),
                    .init("other", .string, remoteKey: "alias"),
                ],
                relationships: [
                    Relationship("boss", to: "User", remoteKey: "chief"),
                    Relationship("chief", to: "User"),
                ]
            )
        )
        try store.insert("User", ["id": .integer(2)])
        try store.insert("User", ["id": .integer(3)])
        try store.insert(
            "User",
            [
                "id": .integer(1), "label": .string("a"), "firstName": .string("b"),
                "nick": .string("c"), "other": .string("d"),
            ],
            links: ["boss": ["User#1"], "chief": ["User#2"]]
        )
        let text = try store.export("User:1", Self.ids)
        expect(
            text,
            is: """
                {"id":1,"first_name":"a","firstName":"b","alias":"c","other":"d",\
                "chief":2,"chief_id":3}
                """
        )
        let copy = try Store.validated(model: store.model)
        try copy.load("User", "[\(text),{\"id\":2},{\"id\":3}]")
        try expect(copy.export("User:1", Self.ids), is: text)
    }

    @Test func `a value is exported whole if the key path of another attribute leads into it`()
        throws
    {
        let store = try Store.of(
            EntityDescription(
                "User",
                attributes: [
                    .init("id", .integer64), .init("city", .string, remoteKey: "place.city"),
                    .init("place", .json), .init("zip", .string, remoteKey: "place.zip"),
                    .init("firm", .string, remoteKey: "company.name"),
                ],
                relationships: [.one("company", "Company")]
            ),
            .named("Company")
        )
        let document = """
            {"id":1,"place":{"city":"Paris","zip":"1","more":[2]},"company":{"name":"five","id":5}}
            """
        try store.load("User", document)
        try expect(store.export("User:1"), is: document)
        try expect(store.load("User", document), is: "Company =1, User =1")
    }

    // MARK: Unresolved references

    @Test func `unresolved references are exported as their keys, never as null`() throws {
        let entities = [
            EntityDescription.named(
                "Buyer",
                [],
                .one("order", "Order"),
                .one("shop", "Shop"),
                .many("visits", "Shop", isOrdered: true)
            ),
            order(), EntityDescription.named("Shop"),
        ]
        let store = try Store.validated(model: Model(entities: entities))
        try store.load("Shop", #"[{"id": 2}]"#)
        try store.load(
            "Buyer",
            #"[{"id":1,"order_storeID":3,"order_number":"it's, X","shop_id":7,"visit_ids":[9,2,8]}]"#
        )
        let text =
            #"{"id":1,"name":null,"order_store_id":3,"order_number":"it's, X","shop_id":7,"visit_ids":[9,2,8]}"#
        try expect(store.export("Buyer:1", Self.ids), is: text)
        try expect(store.load("Buyer", text), is: "Buyer =1, ?4")
        try expect(
            store.export("Buyer:1", ExportOptions(relationships: .objects)),
            is: #"{"id":1,"name":null,"visits":[9,{"id":2,"name":null},8]}"#
        )
    }
}
