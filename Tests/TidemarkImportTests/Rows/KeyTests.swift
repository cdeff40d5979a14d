import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Primary keys: their types and spellings, composite keys, and objects without a key.
struct KeyTests {
    @Test func `objects without a usable key are reported and skipped, and others are imported`()
        throws
    {
        let store = try Store.of(.named("User"))
        try expect(
            store.load(
                "User",
                """
                [{"name": "none"}, {"id": null, "name": "null"}, {"id": 1, "name": "one"},
                 {"id": "x", "name": "text"}, {"id": 1.5, "name": "part"}, 7, null, [],
                 {"id": 2, "name": "two"}]
                """
            ),
            is: """
                User +2 !7
                User, id: The object has no usable primary key. ×4
                User:x, id: The value is not a number.
                User:1.5, id: The value is not a whole number.
                User: An object was expected here. ×3
                """
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name
                1  1   one
                2  2   two
                """
        )
    }

    @Test func `a key is converted to the type of its attribute`() throws {
        let store = try Store.of(
            EntityDescription(
                "Country",
                primaryKey: ["code"],
                attributes: [.init("code", .string)]
            ),
            .named("User", [], .one("country", "Country"))
        )
        try expect(
            store.load("Country", #"[{"code": 30}, {"code": "30"}]"#),
            is: """
                Country +1
                Country:30, code: The document has several objects with this key.
                """
        )
        try expect(
            store.load("User", #"[{"id": "1", "country_code": "x", "country_id": 30}]"#),
            is: """
                User +1
                User:1, country_code: The model has no attribute or relationship for this key.
                """
        )
        try expect(store.load("User", #"[{"id": 1, "country": "30"}]"#), is: "User =1")
        try expect(
            table(of: store),
            is: """
                Country
                #  code
                1  30

                User
                #  id  name  country
                1  1   -     30
                """
        )
    }

    @Test func `a URL is accepted as a key, and references by URL resolve to it`() throws {
        let store = try Store.of(
            EntityDescription(
                "Person",
                attributes: [.init("id", .integer64, remoteKey: "url")],
                relationships: [
                    .one("homeworld", "Planet"), .many("friends", "Person", inverse: "friends"),
                ]
            ),
            EntityDescription("Planet", attributes: [.init("id", .integer64, remoteKey: "url")])
        )
        try expect(
            store.load(
                "Person",
                """
                [{"url": "https://one.example/api/people/1/", "homeworld": "/api/planets/3",
                  "friends": ["https://two.example/people/2"]},
                 {"url": "http://one.example/api/people/2", "homeworld": null},
                 {"url": "https://one.example/api/people/x/"}]
                """
            ),
            is: """
                Person +2 !1, ?1
                Person:https://one.example/api/people/x/, url: The value is not a number.
                Person:https://one.example/api/people/x/, url: The object has no usable primary key.
                """
        )
        try expect(store.load("Planet", #"[{"url": 3}]"#), is: "Person ~1, Planet +1")
        try expect(
            table(of: store, "Person"),
            is: """
                Person
                #  id  homeworld  friends
                1  1   3          [2]
                2  2   -          [1]
                """
        )
    }

    @Test func `objects with the same key are applied in order and reported once`() throws {
        let store = try Store.of(.named("User"))
        try expect(
            store.load(
                "User",
                """
                [{"id": 1, "name": "a"}, {"id": 1, "name": "b"}, {"id": "1", "name": "c"}]
                """
            ),
            is: """
                User +1
                User:1, id: The document has several objects with this key. ×2
                """
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name
                1  1   c
                """
        )
    }

    @Test func `a composite key needs all parts, and is referenced by its parts or by an object`()
        throws
    {
        let store = try Store.of(
            EntityDescription(
                "Order",
                primaryKey: ["storeID", "number"],
                attributes: [
                    .init("storeID", .integer64), .init("number", .string), .init("note", .string),
                ]
            ),
            .named("Item", [], .one("order", "Order"))
        )
        try expect(
            store.load(
                "Order",
                """
                [{"store_id": 1, "number": "A-7"}, {"store_id": 2, "number": "A-7"},
                 {"store_id": 1, "number": null}, {"number": "A-8"},
                 {"store_id": "1", "number": "A-7", "note": "again"}]
                """
            ),
            is: """
                Order +2 !2
                Order, store_id, number: The object has no usable primary key. ×2
                Order:[1,"A-7"], store_id, number: The document has several objects with this key.
                """
        )
        try expect(
            store.load(
                "Item",
                """
                [{"id": 1, "order_store_id": 2, "order_number": "A-7"},
                 {"id": 2, "order": {"store_id": 1, "number": "A-7"}},
                 {"id": 3, "order": {"store_id": 3, "number": "B-1", "note": "new"}},
                 {"id": 4, "order_store_id": 4, "order_number": "C-1"},
                 {"id": 5, "order_store_id": 1},
                 {"id": 6, "order": 1},
                 {"id": 7, "order_store_id": null, "order_number": "A-7"}]
                """
            ),
            is: """
                Item +7, Order +1 =1, ?1
                Item:5, order_store_id: The reference has 1 of the 2 parts of the key of Order.
                Item:6, order: The value is not a key.
                """
        )
        try store.load("Order", #"[{"store_id": 4, "number": "C-1"}]"#, .upsert)
        try expect(
            table(of: store),
            is: """
                Order
                #  storeID  number  note
                1  1        A-7     again
                2  2        A-7     -
                3  3        B-1     new
                4  4        C-1     -

                Item
                #  id  name  order
                1  1   -     [2,A-7]
                2  2   -     [1,A-7]
                3  3   -     [3,B-1]
                4  4   -     [4,C-1]
                5  5   -     -
                6  6   -     -
                7  7   -     -
                """
        )
    }

    @Test func `an embedded object is matched by a key at a key path or in another spelling`()
        throws
    {
        let store = try Store.of(
            .named("User", [], .one("company", "Company"), .one("team", "Team")),
            EntityDescription(
                "Company",
                attributes: [
                    .init("id", .integer64, remoteKey: "meta.id"), .init("name", .string),
                ]
            ),
            EntityDescription(
                "Team",
                primaryKey: ["teamCode"],
                attributes: [.init("teamCode", .string), .init("name", .string)]
            )
        )
        let document = """
            [{"id": 1, "company": {"meta": {"id": 5}, "name": "a"},
              "team": {"Team_Code": "x", "name": "a"}},
             {"id": 2, "company": {"meta": {"id": 5}, "name": "b"},
              "team": {"Team_Code": "x", "name": "b"}},
             {"id": 1, "company": {"meta": {"id": 6}, "name": "c"},
              "team": {"Team_Code": "y", "name": "c"}}]
            """
        try store.load("User", document)
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  company  team
                1  1   -     6        y
                2  2   -     5        x

                Company
                #  id  name
                1  5   b
                2  6   c

                Team
                #  teamCode  name
                1  x         b
                2  y         c
                """
        )
    }

    @Test func `a full import does not delete rows without a key`() throws {
        let store = try Store.of(.named("User"))
        try store.insert("User", ["name": .string("local")])
        try store.load("User", #"[{"id": 1}]"#)
        try expect(store.load("User", "[]"), is: "User -1")
        try expect(
            table(of: store),
            is: """
                User
                #  id  name
                1  -   local
                """
        )
    }

    @Test func `an object with a partial key, or with a null value as its key, changes no row`()
        throws
    {
        let store = try Store.of(
            .named("Line", [], .one("order", "Order"), .one("boss", "Boss")),
            EntityDescription(
                "Order",
                primaryKey: ["storeID", "number"],
                attributes: [
                    .init("storeID", .integer64), .init("number", .string),
                    .init("total", .integer64),
                ]
            ),
            EntityDescription(
                "Boss",
                attributes: [
                    .init("id", .string, nullValues: ["n/a"]), .init("age", .integer64),
                ]
            )
        )
        try store.load(
            "Line",
            """
            [{"id": 1, "order": {"store_id": 1, "number": "A-7", "total": 4},
              "boss": {"id": "b", "age": 4}}]
            """
        )
        try expect(
            store.load(
                "Line",
                #"[{"id": 1, "order": {"store_id": 2, "total": 5}, "boss": {"id": "n/a", "age": 5}}]"#
            ),
            is: """
                Boss !1, Line =1, Order !1
                Order, store_id, number: The object has no usable primary key.
                Boss:n/a, id: The object has no usable primary key.
                """
        )
        try expect(
            table(of: store, "Order", "Boss"),
            is: """
                Order
                #  storeID  number  total
                1  1        A-7     4

                Boss
                #  id  age
                1  b   4
                """
        )
    }

    @Test func `the last of several members with the same name replaces the others entirely`()
        throws
    {
        let store = try Store.of(
            .named(
                "User",
                [.init("b", .string, remoteKey: "a.b"), .init("c", .string, remoteKey: "a.c")],
                .one("company", "Company")
            ),
            .named("Company")
        )
        try store.load("User", #"[{"id": 1, "company": {"id": 7, "name": "x"}}]"#)
        try store.load(
            "User",
            """
            [{"id": 1, "a": {"b": "1", "c": "2"}, "a": {"c": "3"},
              "company": {"id": 9, "id": null, "name": "y"}}]
            """
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  b  c  company
                1  1   -     -  3  7

                Company
                #  id  name
                1  7   x
                """
        )
    }

    @Test func `canonically equivalent names and strings are distinguished`() throws {
        let store = try Store.of(
            EntityDescription(
                "User",
                attributes: [
                    .init("id", .integer64), .init("one", .string, remoteKey: "\u{e9}"),
                    .init("two", .string, remoteKey: "e\u{301}"),
                ]
            )
        )
        try expect(
            store.load("User", "[{\"id\": 1, \"\u{e9}\": \"a\", \"e\u{301}\": \"\u{e9}\"}]"),
            is: "User +1"
        )
        try store.write { db in
            let values = ["two": Value.string("e\u{301}")]
            _ = try db.update(RecordLocator("User:1"), values: values)
        }
        #expect(
            try table(of: store).utf8.elementsEqual(
                "User\n#  id  one  two\n1  1   a    e\u{301}".utf8
            )
        )
    }
}
