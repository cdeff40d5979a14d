import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Rejected rows, their nested objects, and the links to them.
struct RejectedRowTests {
    private func store() throws -> Store {
        try .of(
            .named(
                "User",
                [Attribute("email", .string, isOptional: false)],
                .many("notes", "Note", inverse: "user"),
                .one("company", "Company")
            ),
            .named("Note", [], .one("user", "User", inverse: "notes")),
            .named("Company")
        )
    }

    @Test func `nested objects are imported although the update of their row is rejected`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "email": "a", "notes": [{"id": 1}]}]"#)
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "email": null, "notes": [{"id": 2}], "company": {"id": 3}}]"#
            ),
            is: """
                Company +1, Note +1 -1, User !1
                User:1, email: An update may not clear it.
                """
        )
    }

    @Test func `the reference of a row stays as it is if the update of the row is rejected`() throws
    {
        let store = try store()
        let first = #"[{"id": 1, "email": "a", "company_id": 3}]"#
        try store.load("User", first)
        for _ in 1...2 {
            try store.load("User", #"[{"id": 1, "email": null, "company_id": 4}]"#)
            try expect(
                table(of: store, "User"),
                is: """
                    User
                    #  id  name  email  notes  company
                    1  1   -     a      []     -

                    Unresolved
                    relationship  owner  key  position
                    User.company  1      3    -
                    """
            )
        }
    }

    @Test func `a new parent is linked to a child whose update is rejected`() throws {
        let store = try Store.of(
            .named("User", [], .many("notes", "Note", inverse: "user")),
            .named(
                "Note",
                [Attribute("text", .string, isOptional: false)],
                .one("user", "User", inverse: "notes")
            )
        )
        try store.load("Note", #"[{"id": 1, "text": "a"}]"#)
        for report in ["Note ~1 !1, User +1", "Note !1, User =1"] {
            try expect(
                store.load("User", #"[{"id": 1, "notes": [{"id": 1, "text": null}]}]"#),
                is: "\(report)\nNote:1, text: An update may not clear it."
            )
            try expect(
                table(of: store, "Note"),
                is: """
                    Note
                    #  id  name  text  user
                    1  1   -     a     1
                    """
            )
        }
    }

    @Test func `children of a rejected row are stored if they have a key, and linked to it later`()
        throws
    {
        let store = try store()
        let document = #"[{"id": 1, "notes": [{"id": 1}, {"name": "b"}], "company": {"id": 3}}]"#
        try expect(
            store.load("User", document),
            is: """
                Company +1, Note +1 !1, User !1, ?1
                User:1, email: A row must have a value.
                Note, id: The object has no usable primary key.
                """
        )
        try store.load("User", #"[{"id": 1, "email": "a"}]"#)
        try expect(
            table(of: store, "Note"),
            is: """
                Note
                #  id  name  user
                1  1   -     1
                """
        )
    }

    /// The list of the other parent was read by an earlier import.
    @Test func `a child of a rejected row is not linked to a parent that has waited for it`() throws
    {
        let store = try Store.of(
            .named(
                "User",
                [Attribute("email", .string, isOptional: false)],
                .many("notes", "Note", inverse: "user")
            ),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
        try store.load("User", #"[{"id": 1, "email": "a", "note_ids": [5]}]"#)
        for _ in 1...2 {
            try store.load("User", #"[{"id": 8, "notes": [{"id": 5}]}]"#, .upsert)
            try expect(
                table(of: store, "Note"),
                is: """
                    Note
                    #  id  name  user
                    1  5   -     -

                    Unresolved
                    relationship  owner  key  position
                    Note.user     5      8    -
                    """
            )
        }
    }

    @Test func `a child of a rejected row is linked to the row of another entity with its key`()
        throws
    {
        let store = try Store.of(
            EntityDescription(
                "Person",
                attributes: [.init("id", .integer64)],
                relationships: [.many("friends", "Person", inverse: "friends")]
            ),
            EntityDescription(
                "Director",
                parent: "Person",
                attributes: [.init("budget", .integer64, isOptional: false)]
            )
        )
        for report in ["Director !1, Person +1", "Director !1"] {
            try expect(
                store.load("Director", #"[{"id": 1, "friends": [{"id": 1}]}]"#),
                is: "\(report)\nDirector:1, budget: A row must have a value."
            )
            try expect(
                table(of: store, "Person"),
                is: """
                    Person
                    #  entity  id  budget  friends
                    1  Person  1           [1]
                    """
            )
        }
    }

    @Test func `a row that contains a rejected row is linked to it when it is imported`() throws {
        let store = try Store.of(
            .named("Team", [], .many("users", "User", inverse: "teams", isOrdered: true)),
            .named(
                "User",
                [Attribute("email", .string, isOptional: false)],
                .many("teams", "Team", inverse: "users"),
                .one("boss", "User")
            )
        )
        try expect(
            store.load(
                "Team",
                #"""
                [{"id": 1, "users": [{"id": 1}, {"id": 2, "email": "b", "boss": {"id": 3}}]}]
                """#
            ),
            is: """
                Team +1, User +1 !2, ?2
                User:1, email: A row must have a value. ×2
                """
        )
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 3, "email": "c"}]"#, .upsert)
        try expect(
            table(of: store),
            is: """
                Team
                #  id  name  users
                1  1   -     [1 2]

                User
                #  id  name  email  teams  boss
                1  2   -     b      [1]    3
                2  1   -     a      [1]    -
                3  3   -     c      []     -
                """
        )
    }

    @Test func `all links to a rejected row stay unresolved until it is imported`() throws {
        let store = try Store.of(
            .named(
                "Album",
                [Attribute("title", .string, isOptional: false)],
                .many("tags", "Tag", inverse: "albums"),
                .one("cover", "Cover", inverse: "album"),
                .one("label", "Label", inverse: "albums")
            ),
            .named("Tag", [], .many("albums", "Album", inverse: "tags")),
            .named("Cover", [], .one("album", "Album", inverse: "cover")),
            .named("Label", [], .many("albums", "Album", inverse: "label"))
        )
        let links = #""tags": [{"id": 1}], "cover": {"id": 1}, "label": {"id": 1}"#
        try store.load("Album", "[{\"id\": 1, \(links)}]")
        try store.load("Album", #"[{"id": 1, "title": "a"}]"#)
        try expect(
            table(of: store),
            is: """
                Album
                #  id  name  title  tags  cover  label
                1  1   -     a      [1]   1      1

                Tag
                #  id  name  albums
                1  1   -     [1]

                Cover
                #  id  name  album
                1  1   -     1

                Label
                #  id  name  albums
                1  1   -     [1]
                """
        )
    }
}
