import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// The validation rules of attributes.
struct ValidationTests {
    private func store() throws -> Store {
        try .of(
            EntityDescription(
                "Item",
                attributes: [
                    .init("id", .integer64), .init("name", .string),
                    .init("age", .integer16, validation: .init(minimum: 0, maximum: 150)),
                    .init("price", .decimal, validation: .init(minimum: 0.5)),
                    .init("born", .date, validation: .init(maximum: 86_400)),
                    .init(
                        "code",
                        .string,
                        validation: .init(minimum: 2, maximum: 4, pattern: "[A-Z]+[0-9]*")
                    ),
                ]
            )
        )
    }

    @Test(arguments: [
        (#""age": -1"#, "age: The value must be at least 0."),
        (#""age": 151"#, "age: The value must be at most 150."),
        (#""price": "0.49""#, "price: The value must be at least 0.5."),
        (#""born": "1970-01-03""#, "born: The date must not be after 1970-01-02T00:00:00Z."),
        (#""code": "A""#, "code: A text must have at least 2 characters."),
        (#""code": "ABCDE""#, "code: A text must have at most 4 characters."),
        (#""code": "A1B""#, "code: The text does not match the regular expression “[A-Z]+[0-9]*”."),
    ])
    func `inserts and updates that violate a rule are rejected`(
        member: String,
        finding: String
    ) throws {
        let store = try store()
        try expect(
            store.load("Item", "[{\"id\": 1, \(member)}]"),
            is: "Item !1\nItem:1, \(finding)"
        )
        try store.load("Item", #"[{"id": 1, "age": 150, "code": "AB"}]"#)
        let before = try store.anonymousTables()
        try expect(
            store.load("Item", "[{\"id\": 1, \(member), \"name\": \"x\"}]"),
            is: "Item !1\nItem:1, \(finding)"
        )
        try expect(store.anonymousTables(), is: before)
    }

    @Test func `values at the bounds and nulls are stored`() throws {
        let store = try store()
        try expect(
            store.load(
                "Item",
                #"""
                [{"id": 1, "age": 0, "price": 0.5, "born": "1970-01-02", "code": "AB12"},
                 {"id": 2, "age": null, "price": null, "born": null, "code": null}]
                """#
            ),
            is: "Item +2"
        )
    }

    @Test func `bounds are exact, and apply to default values`() throws {
        let store = try Store.of(
            EntityDescription(
                "Item",
                attributes: [
                    .init("id", .integer64),
                    .init("price", .decimal, validation: .init(maximum: 0.1)),
                    .init(
                        "count",
                        .integer64,
                        validation: .init(maximum: 9_007_199_254_740_992)
                    ),
                    .init(
                        "age",
                        .integer16,
                        defaultValue: .integer(-1),
                        validation: .init(minimum: 0)
                    ),
                ]
            )
        )
        try expect(
            store.load(
                "Item",
                """
                [{"id": 1, "age": 1, "price": 0.1, "count": 9007199254740992},
                 {"id": 2, "age": 1, "price": 0.1000000000000000000000001},
                 {"id": 3, "age": 1, "count": 9007199254740993}, {"id": 4}]
                """
            ),
            is: """
                Item +1 !3
                Item:2, price: The value must be at most 0.1.
                Item:3, count: The value must be at most 9007199254740992.
                Item:4, age: The value must be at least 0.
                """
        )
    }

    @Test func `local writes are validated by the same rules`() throws {
        let store = try store()
        try expect(
            errorMessage(store.insert("Item", ["age": .integer(-1)])),
            is: "Item.age: The value must be at least 0."
        )
        try expect(errorMessage(store.insert("Item", ["age": .integer(1)])), is: "done")
    }

    @Test func `an unsupported regular expression is an error of the model`() throws {
        let findings = Model(entities: [
            .named("A", [.init("b", .string, validation: .init(pattern: "(?=x)"))])
        ])
        .findings()
        #expect(
            findings.map(\.message) == [
                "The regular expression of attribute b cannot be used: "
                    + "(?…) is not supported, but for (?:…), at its character 3."
            ]
        )
    }
}
