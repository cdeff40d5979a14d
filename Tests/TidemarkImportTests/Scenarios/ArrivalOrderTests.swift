import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Documents whose rows refer to each other, imported in any order.
struct ArrivalOrderTests {
    private static let model = Model(entities: [
        .named(
            "User",
            [],
            .one("company", "Company", inverse: "users"),
            .one("boss", "User", inverse: "team"),
            .many("team", "User", inverse: "boss"),
            .one("profile", "Profile", inverse: "user"),
            .many("tags", "Tag", inverse: "users", isOrdered: true)
        ),
        .named("Company", [], .many("users", "User", inverse: "company")),
        .named("Profile", [], .one("user", "User", inverse: "profile")),
        .named(
            "Tag",
            [],
            .many("users", "User", inverse: "tags"),
            .many("related", "Tag", inverse: "related")
        ),
    ])

    private static let documents = [
        (
            "User",
            #"[{"id": 1, "company_id": 5, "boss_id": 2, "tag_ids": [3, 1, 2], "profile_id": 8}]"#
        ),
        ("User", #"[{"id": 2, "company": {"id": 6}, "tag_ids": [2]}, {"id": 3, "boss_id": 1}]"#),
        ("Company", #"[{"id": 5, "name": "five", "user_ids": [1]}, {"id": 6, "name": "six"}]"#),
        ("Tag", #"[{"id": 1, "related_ids": [3]}, {"id": 2}, {"id": 3, "name": "three"}]"#),
        ("Profile", #"[{"id": 8, "user_id": 1}, {"id": 9, "user": 3}]"#),
    ]

    private static let final = """
        User
        id  name  company  boss  team  profile  tags
        1   -     5        2     [3]   8        [3 1 2]
        2   -     6        -     [1]   -        [2]
        3   -     -        1     []    9        []

        Company
        id  name  users
        5   five  [1]
        6   six   [2]

        Profile
        id  name  user
        8   -     1
        9   -     3

        Tag
        id  name   users  related
        1   -      [1]    [3]
        2   -      [1 2]  []
        3   three  [1]    [1]
        """

    private static func permutations<T>(_ list: [T]) -> [[T]] {
        guard list.count > 1 else { return [list] }
        return list.indices.flatMap { index in
            var rest = list
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    @Test func `documents result in the same rows and links in any order`() throws {
        for (number, documents) in Self.permutations(Self.documents).enumerated() {
            let store = try Store.validated(model: Self.model)
            for (entity, json) in documents { try store.load(entity, json, .upsert) }
            let order = documents.map { "\($0.0) \($0.1.prefix(10))" }.joined(separator: ", ")
            let tables = try store.anonymousTables()
            #expect(tables == Self.final, "\(order)")
            for (entity, json) in documents where number.isMultiple(of: 10) {
                let again = try store.report(entity, json, ImportOptions(operations: .upsert))
                #expect(again.isUnchanged, "\(order): \(entity) \(again.text)")
            }
        }
    }

    @Test func `rows of one document may refer to later ones`() throws {
        let store = try Store.validated(model: Self.model)
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "boss_id": 2, "team": [3]}, {"id": 2, "team": [{"id": 1}]}, {"id": 3}]"#
            ),
            is: "User +3"
        )
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  company  boss  team  profile  tags
                1  1   -     -        2     [3]   -        []
                2  2   -     -        -     [1]   -        []
                3  3   -     -        1     []    -        []
                """
        )
    }

    @Test func `a row that is deleted and inserted again is linked to the rows that refer to it`()
        throws
    {
        let store = try Store.validated(model: Self.model)
        try store.load("Company", #"[{"id": 5}, {"id": 6}]"#)
        try store.load("Tag", #"[{"id": 1}, {"id": 2}]"#)
        try store.load(
            "User",
            """
            [{"id": 1, "company_id": 5, "tag_ids": [1, 2]}, {"id": 2, "company_id": 5},
             {"id": 3, "company_id": 5}]
            """
        )
        try expect(store.load("Company", #"[{"id": 6}]"#), is: "Company =1 -1, User ~3")
        try store.load("Tag", #"[{"id": 2}]"#)
        try store.load("User", #"[{"id": 2, "company_id": 6}, {"id": 1}]"#)
        try expect(store.load("Company", #"[{"id": 6}, {"id": 5}]"#), is: "Company +1 =1, User ~1")
        try store.load("Tag", #"[{"id": 2}, {"id": 1}]"#)
        try expect(
            table(of: store, "User", "Company"),
            is: """
                User
                #  id  name  company  boss  team  profile  tags
                1  1   -     5        -     []    -        [1 2]
                2  2   -     6        -     []    -        []

                Company
                #  id  name  users
                2  6   -     [2]
                3  5   -     [1]
                """
        )
    }

    @Test func `a row that is deleted and inserted again returns to its positions in lists`()
        throws
    {
        let store = try Store.validated(
            model: Model(entities: [
                .named("List", [], .many("songs", "Song", inverse: "lists", isOrdered: true)),
                .named("Song", [], .many("lists", "List", inverse: "songs", isOrdered: true)),
            ])
        )
        try store.load("List", #"[{"id": 1, "song_ids": [1, 2, 3]}, {"id": 2, "song_ids": [2]}]"#)
        try store.load("Song", #"[{"id": 1}, {"id": 3}]"#)
        try store.load("Song", #"[{"id": 1}, {"id": 3}, {"id": 2}]"#)
        try expect(
            table(of: store, "List"),
            is: """
                List
                #  id  name  songs
                1  1   -     [1 2 3]
                2  2   -     [2]
                """
        )
        try store.load("List", #"[{"id": 2}]"#)
        try store.load("List", #"[{"id": 2}, {"id": 1}]"#)
        try expect(
            table(of: store, "Song"),
            is: """
                Song
                #  id  name  lists
                1  1   -     [1]
                2  3   -     [1]
                3  2   -     [1 2]
                """
        )
    }

    @Test func `a deny rule keeps a row and is reported, and a cascade rule deletes children`()
        throws
    {
        let store = try Store.of(
            .named("Company", [], .many("users", "User", inverse: "company", .deny)),
            .named(
                "User",
                [],
                .one("company", "Company", inverse: "users"),
                .many("notes", "Note", inverse: "user", .cascade)
            ),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
        try store.load(
            "Company",
            #"[{"id": 1, "users": [{"id": 1, "notes": [{"id": 1}]}]}, {"id": 2}]"#
        )
        try expect(
            store.load("Company", "[]"),
            is: """
                Company -1
                Company:#1: The row is not deleted: Company.users has the delete rule deny.
                """
        )
        try expect(store.load("User", "[]"), is: "Note -1, User -1")
        try expect(store.load("Company", "[]"), is: "Company -1")
    }

    @Test func `a row with a deny rule removed from its parent's list is reported once`() throws {
        let store = try Store.of(
            .named("Person", [], .many("pets", "Pet", inverse: "owner")),
            .named(
                "Pet",
                [],
                .one("owner", "Person", inverse: "pets"),
                .many("toys", "Toy", inverse: "pet", .deny)
            ),
            .named("Toy", [], .one("pet", "Pet", inverse: "toys"))
        )
        try store.load(
            "Person",
            #"[{"id": 1, "pets": [{"id": 1, "toys": [{"id": 1}]}, {"id": 2}]}]"#
        )
        try expect(
            store.load("Person", #"[{"id": 1, "pets": []}]"#),
            is: """
                Person =1, Pet ~1 -1
                Pet:#1: The row is not deleted: Pet.toys has the delete rule deny.
                """
        )
        try expect(
            table(of: store, "Person", "Pet", "Toy"),
            is: """
                Person
                #  id  name  pets
                1  1   -     []

                Pet
                #  id  name  owner  toys
                1  1   -     -      [1]

                Toy
                #  id  name  pet
                1  1   -     1
                """
        )
    }

    @Test(arguments: [("Apple", "Banana"), ("Banana", "Apple")])
    func `a one-to-one link is restored when either of its rows is inserted again`(
        goes: String,
        stays: String
    ) throws {
        let store = try Store.of(
            .named("Apple", [], .one("other", "Banana", inverse: "other")),
            .named("Banana", [], .one("other", "Apple", inverse: "other"))
        )
        try store.load("Apple", #"[{"id": 1, "other": {"id": 2}}, {"id": 2}]"#)
        try store.load("Banana", #"[{"id": 2}, {"id": 1}]"#)
        let before = try store.anonymousTables()
        let id = goes == "Apple" ? 1 : 2
        try store.load(goes, "[{\"id\": \(3 - id)}]")
        try store.load(goes, "[{\"id\": \(id)}, {\"id\": \(3 - id)}]")
        try expect(store.anonymousTables(), is: before)
    }

    @Test func `a deny rule does not apply if the same document deletes both rows`() throws {
        let store = try Store.of(
            .named(
                "Project",
                [],
                .many("tasks", "Task", inverse: "project", .cascade),
                .many("features", "Task", inverse: "featured", .deny)
            ),
            .named(
                "Task",
                [],
                .one("project", "Project", inverse: "tasks"),
                .one("featured", "Project", inverse: "features")
            )
        )
        try store.load(
            "Project",
            #"[{"id": 1, "tasks": [{"id": 1}]}, {"id": 2, "feature_ids": [1]}]"#
        )
        try expect(
            store.load("Project", #"[{"id": 1, "tasks": []}]"#),
            is: "Project =1 -1, Task -1"
        )
    }
}
