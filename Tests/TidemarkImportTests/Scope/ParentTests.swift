import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Imports of the children of one row.
struct ParentTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named(
                "User",
                [],
                .many("notes", "Note", inverse: "user", isOrdered: true),
                .many("drafts", "Note", inverse: "author"),
                .many("tags", "Tag", inverse: "users"),
                .many("lines", "Line", inverse: "user")
            ),
            .named(
                "Note",
                [],
                .one("user", "User", inverse: "notes"),
                .one("author", "User", inverse: "drafts")
            ),
            .named("Tag", [], .many("users", "User", inverse: "tags")),
            EntityDescription(
                "Line",
                attributes: [.init("text", .string)],
                relationships: [.one("user", "User", inverse: "lines")]
            ),
            .named("Stray")
        )
        try store.load("User", #"[{"id": 1}, {"id": 2}]"#)
        return store
    }

    @Test(
        arguments: [
            ("Tag", "User:9", nil, "The store has no row User:9."),
            (
                "Tag", "Nemo:1", nil,
                "The model has no entity Nemo. It has Line, Note, Stray, Tag, User."
            ),
            (
                "Stray", "User:1", nil,
                "No relationship leads from User:1 to Stray. Name another parent."
            ),
            (
                "Tag", "User:1", "labels",
                "No relationship labels leads from User:1 to Tag. Name another parent."
            ),
            (
                "Note", "User:1", nil,
                "Several relationships lead from User:1 to Note. Name one of drafts, notes."
            ),
            (
                "Note", "User:1", "tags",
                "No relationship tags leads from User:1 to Note. Name another parent."
            ),
        ] as [(String, String, String?, String)]
    )
    func `a missing parent, or a missing or ambiguous relationship, throws`(
        _ entity: String,
        _ parent: String,
        _ relationship: String?,
        _ message: String
    ) throws {
        let store = try store()
        try expect(
            errorMessage(
                store.load(entity, #"[{"id": 1}]"#, parent: parent, relationship: relationship)
            ),
            is: message
        )
    }

    @Test func `links the children of one row in order, moves others to it, deletes only its own`()
        throws
    {
        let store = try store()
        try store.load(
            "Note",
            #"[{"id": 4}, {"id": 1}, {"id": 2}]"#,
            parent: "User:1",
            relationship: "notes"
        )
        try store.load("Note", #"[{"id": 3}]"#, parent: "User:2", relationship: "notes")
        try store.insert("Note", ["name": .string("local")], links: ["user": ["User:1"]])
        try expect(
            store.load(
                "Note",
                #"[{"id": 3}, {"id": 5, "user_id": 2}, {"id": 1}]"#,
                parent: "User:1",
                relationship: "notes"
            ),
            is: """
                Note +1 ~2 -2
                Note:5, user: The object names another parent than the one whose list it is in: it is \
                linked to the list's.
                """
        )
        try expect(
            table(of: store, "User", "Note"),
            is: """
                User
                #  id  name  notes       drafts  tags  lines
                1  1   -     [3 5 1 #5]  []      []    []
                2  2   -     []          []      []    []

                Note
                #  id  name   user  author
                2  1   -      1     -
                4  3   -      1     -
                5  -   local  1     -
                6  5   -      1     -
                """
        )
    }

    @Test func `unlinks members of a many-to-many list that the document does not contain`() throws
    {
        let store = try store()
        try store.load("Tag", #"[{"id": 1}, {"id": 2}]"#, parent: "User:1")
        try store.load("Tag", #"[{"id": 2}, {"id": 3}]"#, parent: "User:2")
        try store.load("Tag", #"[{"id": 1, "user_ids": [2]}]"#, parent: "User:1")
        try expect(
            table(of: store, "User", "Tag"),
            is: """
                User
                #  id  name  notes  drafts  tags     lines
                1  1   -     []     []      [1]      []
                2  2   -     []     []      [1 2 3]  []

                Tag
                #  id  name  users
                1  1   -     [1 2]
                2  2   -     [2]
                3  3   -     [2]
                """
        )
    }

    @Test func `children without a key are matched by position`() throws {
        let store = try store()
        try store.load("Line", #"[{"text": "a"}, {"text": "b"}]"#, parent: "User:1")
        try store.load("Line", #"[{"text": "x"}]"#, parent: "User:2")
        try expect(store.load("Line", #"[{"text": "A"}]"#, parent: "User:1"), is: "Line ~1 -1")
        try expect(
            store.load("Line", #"[{"text": "A"}, {"text": "c"}]"#, parent: "User:1", .upsert),
            is: "Line +1 =1"
        )
        try expect(
            table(of: store, "Line"),
            is: """
                Line
                #  text  user
                1  A     1
                3  x     2
                4  c     1
                """
        )
    }

    @Test func `invalid items have no position among children without a key`() throws {
        let store = try store()
        let document = #"["a", {"text": "b"}, 1, {"text": "c"}]"#
        try store.load("Line", document, parent: "User:1")
        try expect(
            store.load("Line", document, parent: "User:1"),
            is: """
                Line =2 !2
                Line: An object was expected here. ×2
                """
        )
    }

    @Test func `a relationship to the parent entity of the imported entity is found`() throws {
        let store = try Store.of(
            .named("Owner", [], .many("vehicles", "Vehicle", inverse: "owner")),
            .named("Vehicle", [], .one("owner", "Owner", inverse: "vehicles")),
            .named("Car", parent: "Vehicle"),
            .named("Van", parent: "Vehicle")
        )
        try store.load("Owner", #"[{"id": 1}]"#)
        try store.load("Van", #"[{"id": 9}]"#, parent: "Owner:1")
        try store.load("Car", #"[{"id": 1}, {"id": 2}]"#, parent: "Owner:1", .upsert)
        try expect(
            table(of: store),
            is: """
                Owner
                #  id  name  vehicles
                1  1   -     [9 1 2]

                Vehicle
                #  entity  id  name  owner
                1  Van     9   -     1
                2  Car     1   -     1
                3  Car     2   -     1
                """
        )
        try expect(store.load("Car", #"[{"id": 1}]"#, parent: "Owner:1"), is: "Car =1 -1")
    }
}
