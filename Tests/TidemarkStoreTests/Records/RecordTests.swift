import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

struct RecordTests {
    private static let user = EntityDescription.named(
        "User",
        [
            Attribute("age", .integer16, defaultValue: .integer(18)),
            Attribute("must", .string, isOptional: false, defaultValue: .string("x")),
        ],
        .one("company", "Company", inverse: "users")
    )
    private static let company = EntityDescription.named(
        "Company",
        [],
        .many("users", "User", inverse: "company")
    )

    private func store() throws -> Store { try .of(Self.user, Self.company) }

    @Test(arguments: [
        ("Nemo", [:], "The model has no entity Nemo. It has Company, User."),
        (
            "User", ["nick": Value.string("a")],
            "User has no attribute nick. It has age, id, must, name."
        ),
        ("User", ["age": .string("old")], "User.age: The value is not a number."),
        ("User", ["age": .integer(40_000)], "User.age: The value does not fit into 16 bits."),
        ("User", ["must": .null], "User.must: A row must have a value."),
        (
            "User", ["id": .integer(1)],
            "User:1 already exists: it is User#1. Update that row, or choose another key."
        ),
    ])
    func `rejects a row that does not fit the model, and writes nothing`(
        _ entity: String,
        _ values: [String: Value],
        _ message: String
    ) throws {
        let store = try store()
        try store.insert("User", ["id": .integer(1)])
        let before = try table(of: store)
        try expect(errorMessage(store.insert(entity, values)), is: message)
        try expect(table(of: store), is: before)
    }

    @Test(arguments: [
        (["boss": ["User:1"]], "User has no relationship boss. It has company."),
        (["company": ["Company:9"]], "The store has no row Company:9."),
        (["company": ["Company#9"]], "The store has no row Company#9."),
        (["company": ["User:1"]], "User.company leads to Company, not to User:1."),
        (["company": ["Nemo:1"]], "The model has no entity Nemo. It has Company, User."),
        (["company": ["Company:a"]], "a is not a primary key of Company. It is of type integer64."),
        (["company": ["Company:1", "Company:1"]], "User.company is to-one and was given 2 rows."),
    ])
    func `rejects a link that does not fit the model, and writes nothing`(
        _ links: [String: [String]],
        _ message: String
    ) throws {
        let store = try store()
        try store.insert("User", ["id": .integer(1)])
        try store.insert("Company", ["id": .integer(1)])
        let before = try table(of: store)
        try expect(errorMessage(store.insert("User", links: links)), is: message)
        try expect(errorMessage(store.update("User:1", links: links)), is: message)
        try expect(table(of: store), is: before)
    }

    @Test func `reports a missing row, and a locator by key for an entity without a key`() throws {
        let store = try Store.of(
            .named("User"),
            EntityDescription("Note", attributes: [.init("text", .string)])
        )
        try expect(errorMessage(store.update("User:1")), is: "The store has no row User:1.")
        try expect(errorMessage(store.delete("User#1")), is: "The store has no row User#1.")
        try expect(
            errorMessage(store.delete("Note:1")),
            is: "Note has no primary key, so Note:1 names no row. Name it by its number: Note#1."
        )
    }

    @Test func `rejects rows of an abstract entity, and requires values of a sub-entity`() throws {
        let store = try Store.of(
            EntityDescription(
                "Shape",
                isAbstract: true,
                attributes: [.init("id", .integer64)],
                identity: .shared
            ),
            EntityDescription(
                "Circle",
                parent: "Shape",
                attributes: [.init("radius", .double, isOptional: false)]
            )
        )
        try expect(
            errorMessage(store.insert("Shape")),
            is: """
                Shape is abstract: no row can be of it. \
                Insert a row of an entity that inherits from it.
                """
        )
        try expect(
            errorMessage(store.insert("Circle")),
            is: "Circle.radius: A row must have a value."
        )
        try store.insert("Circle", ["id": .integer(1), "radius": .integer(2)])
        try expect(
            errorMessage(store.update("Shape:1", ["radius": .null])),
            is: "Circle.radius: A row must have a value."
        )
        try expect(
            table(of: store),
            is: """
                Shape
                #  entity  id  radius
                1  Circle  1   2.0
                """
        )
    }

    @Test func `stores and returns a value of every type`() throws {
        let values: [(AttributeType, Value, String)] = [
            (.integer16, .integer(-32_768), "-32768"),
            (.integer32, .integer(2_147_483_647), "2147483647"),
            (.integer64, .integer(.min), "-9223372036854775808"),
            (.decimal, .decimal("12.20"), "12.2"),
            (.double, .double(0.1), "0.1"),
            (.float, .double(0.1), "0.10000000149011612"),
            (.string, .string("größe \u{1F30A}"), "größe \u{1F30A}"),
            (.boolean, .boolean(true), "true"),
            (.date, .date(-1.5), "1969-12-31T23:59:58.500Z"),
            (.binary, .binary([0, 255]), "x'00ff'"),
            (
                .uuid, .uuid("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
                "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            ),
            (.uri, .uri("https://example.org/a?b"), "https://example.org/a?b"),
            (.json, .json(#"{"a":1.10}"#), #"{"a":1.10}"#),
            (.string, .string(""), #""""#),
            (.binary, .binary([]), "x''"),
            (.string, .null, "-"),
        ]
        for (type, value, text) in values {
            let store = try Store.of(EntityDescription("Thing", attributes: [.init("v", type)]))
            try store.insert("Thing", ["v": value])
            try expect(table(of: store), is: "Thing\n#  v\n1  \(text)")
            let kept = try store.read { try $0.record(RecordLocator("Thing#1"))["v"] }
            #expect(try store.update("Thing#1", ["v": kept]) == [])
        }
    }

    @Test func `applies defaults to new rows only, and returns the changed properties`() throws {
        let store = try store()
        try store.insert("Company", ["id": .integer(1)])
        try store.insert("User", ["id": .integer(1)], links: ["company": ["Company:1"]])
        try store.insert("User", ["id": .integer(2), "age": .null])
        #expect(
            try store.update(
                "User:1",
                ["age": .null, "must": .string("x"), "name": .string("Ada"), "id": .string("7")],
                links: ["company": ["Company:1"]]
            ) == ["age", "id", "name"]
        )
        #expect(try store.update("User:2", links: ["company": []]) == [])
        #expect(try store.update("User#1", links: ["company": []]) == ["company"])
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  age  must  company
                1  7   Ada   -    x     -
                2  2   -     -    x     -
                """
        )
    }

    @Test func `finds rows by composite keys and through the parent entity`() throws {
        let store = try Store.of(
            EntityDescription(
                "Order",
                primaryKey: ["store", "number"],
                attributes: [.init("store", .integer64), .init("number", .string)]
            ),
            EntityDescription("Rush", parent: "Order"),
            EntityDescription("Slow", parent: "Order")
        )
        try store.insert("Rush", ["store": .integer(1), "number": .string("A-7")])
        try store.read { (db: StoreReader) throws in
            func found(_ name: String) throws -> String? {
                try db.rowReference(for: RecordLocator(name))?.description
            }
            #expect(try found(#"Order:[1,"A-7"]"#) == "Rush#1")
            #expect(try found(#"Rush:["1","A-7"]"#) == "Rush#1")
            #expect(try found(#"Slow:[1,"A-7"]"#) == nil)
            #expect(try found("Order#1") == "Rush#1")
            #expect(try found("Slow#1") == nil)
            #expect(throws: StoreError.self) { try found("Order:1") }
            func found(key: RecordKey) throws -> String? {
                try db.rowReference(for: RecordLocator("Order", key: key))?.description
            }
            #expect(try found(key: [.integer(1), .string("A-7")]) == "Rush#1")
            #expect(try found(key: [.string("1"), .string("A-7")]) == "Rush#1")
            #expect(try found(key: [.integer(2), .string("A-7")]) == nil)
            #expect(throws: StoreError.self) { try found(key: 1) }
            #expect(try db.count("Order") == 1)
            #expect(try db.count("Slow") == 0)
        }
    }

    @Test func `sorts rows without a value first, and applies offset and limit`() throws {
        let store = try Store.of(.named("User"))
        for (id, name) in [(1, "b"), (2, "a"), (3, "c")] {
            try store.insert("User", ["id": .integer(Int64(id)), "name": .string(name)])
        }
        try store.insert("User")
        try store.read { (db: StoreReader) throws in
            func numbers(_ request: RecordRequest) throws -> [Int64] {
                try db.fetch(request).map(\.reference.number)
            }
            #expect(try numbers(RecordRequest("User", sort: [.init("name")])) == [4, 2, 1, 3])
            #expect(
                try numbers(
                    RecordRequest(
                        "User",
                        sort: [.init("name", .descending)],
                        limit: 2,
                        offset: 1
                    )
                ) == [1, 2]
            )
            #expect(throws: StoreError.self) {
                try numbers(RecordRequest("User", sort: [.init("_id")]))
            }
        }
    }

    @Test func `erases all rows and unresolved references, and reuses no row number`() throws {
        let store = try store()
        try store.insert("Company", ["id": .integer(1)])
        try store.insert("User", ["id": .integer(1)], links: ["company": ["Company:1"]])
        try store.write { try $0.erase() }
        try expect(table(of: store), is: "User: no rows\n\nCompany: no rows")
        #expect(try store.insert("User").description == "User#2")
    }
}
