import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// References whose value is one of the null values of the relationship.
struct NullReferenceTests {
    @Test func `a reference with one of the null values counts as null and unlinks`() throws {
        let store = try Store.of(
            .named(
                "Task",
                [],
                Relationship("parent", to: "Task", inverse: "parts", nullValues: ["0", "none"]),
                .many("parts", "Task", inverse: "parent"),
                Relationship("tags", to: "Task", isToMany: true, nullValues: ["0"])
            )
        )
        try store.load("Task", #"[{"id": 1}, {"id": 2, "parent": 1}, {"id": 3, "parent_id": 1}]"#)
        try expect(
            store.load(
                "Task",
                """
                [{"id": 1, "parent": "none"}, {"id": 2, "parent": 0, "tags": [0, 1]},
                 {"id": 3, "parent_id": "0"}, {"id": 4, "parent": {"id": 1}, "tag_ids": ["0"]},
                 {"id": 5, "parent": 0.0}]
                """
            ),
            is: "Task +2 ~2 =1, ?1"
        )
        try expect(
            table(of: store),
            is: """
                Task
                #  id  name  parent  parts  tags
                1  1   -     -       [4]    []
                2  2   -     -       []     [1]
                3  3   -     -       []     []
                4  4   -     1       []     []
                5  5   -     -       []     []

                Unresolved
                relationship  owner  key  position
                Task.parent   5      0    -
                """
        )
    }

    @Test func `a composite reference with a null value in one part counts as null`() throws {
        let store = try Store.of(
            .named("Line", [], Relationship("order", to: "Order", nullValues: ["0"])),
            EntityDescription(
                "Order",
                primaryKey: ["store", "number"],
                attributes: [Attribute("store", .integer64), Attribute("number", .integer64)]
            )
        )
        try expect(
            store.load("Line", #"[{"id": 1, "order_store": 3, "order_number": 0}]"#),
            is: "Line +1"
        )
    }
}
