import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

struct DuplicateTests {
    private func store() throws -> Store {
        try .of(
            EntityDescription(
                "User",
                attributes: [
                    .init("id", .integer64), .init("email", .string),
                    .init("first", .string), .init("last", .string),
                ],
                uniquenessConstraints: [["email"], ["first", "last"]]
            ),
            EntityDescription(
                "Order",
                primaryKey: ["shop", "number"],
                attributes: [.init("shop", .integer64), .init("number", .string)]
            )
        )
    }

    @Test(
        arguments: [
            (
                "User", ["id": .integer(1)],
                "User:1 already exists: it is User#1. Update that row, or choose another key."
            ),
            (
                "User", ["email": .string("a@b")],
                "User.email: User#1 already has this value, which must be unique."
            ),
            (
                "User", ["id": .integer(9), "first": .string("A"), "last": .string("B")],
                "User.first, last: User#1 already has this value, which must be unique."
            ),
            (
                "Order", ["shop": .integer(1), "number": .string("A-7")],
                """
                Order:[1,"A-7"] already exists: it is Order#1. Update that row, or choose another key.
                """
            ),
            ("User", ["id": .integer(2)], "done"), ("User", ["first": .string("A")], "done"),
        ] as [(String, [String: Value], String)]
    )
    func `rejects a value of another row, and names that row`(
        _ entity: String,
        _ values: [String: Value],
        _ message: String
    ) throws {
        let store = try store()
        try store.insert(
            "User",
            [
                "id": .integer(1), "email": .string("a@b"), "first": .string("A"),
                "last": .string("B"),
            ]
        )
        try store.insert("Order", ["shop": .integer(1), "number": .string("A-7")])
        let before = try table(of: store)
        try expect(errorMessage(store.insert(entity, values)), is: message)
        if message != "done" { try expect(table(of: store), is: before) }
    }

    @Test func `an update may repeat the row's own value, but not that of another row`() throws {
        let store = try store()
        try store.insert("User", ["id": .integer(1), "first": .string("A"), "last": .string("B")])
        try store.insert("User", ["id": .integer(2), "first": .string("A"), "last": .string("C")])
        func update(_ values: [String: Value]) throws {
            try store.write { db in
                _ = try db.update(RecordLocator("User:2"), values: values)
            }
        }
        try expect(
            errorMessage(update(["id": .integer(1)])),
            is: "User:1 already exists: it is User#1. Update that row, or choose another key."
        )
        try expect(
            errorMessage(update(["last": .string("B")])),
            is: "User.first, last: User#1 already has this value, which must be unique."
        )
        try expect(errorMessage(update(["id": .integer(2), "last": .string("D")])), is: "done")
    }
}
