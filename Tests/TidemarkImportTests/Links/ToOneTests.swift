import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// To-one relationships: nested objects and references, resolved or not.
struct ToOneTests {
    private func store() throws -> Store {
        try .of(
            .named(
                "User",
                [],
                .one("company", "Company", inverse: "users"),
                .one("profile", "Profile", inverse: "user"),
                .one("note", "Note")
            ),
            .named("Company", [], .many("users", "User", inverse: "company")),
            .named("Profile", [], .one("user", "User", inverse: "profile")),
            EntityDescription("Note", attributes: [.init("text", .string)])
        )
    }

    @Test func `an invalid reference or object leaves the link unchanged and is reported`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "company": {"id": 5}, "note": {"text": "a"}}]"#)
        let before = try table(of: store)
        try expect(
            store.load(
                "User",
                """
                [{"id": 1, "company_id": "x", "company": [], "note": 5,
                  "profile": {"id": "x", "name": "lost"}}]
                """
            ),
            is: """
                Profile !1, User =1
                User:1, company: One object was expected here.
                Profile:x, id: The value is not a number.
                Profile:x, id: The object has no usable primary key.
                User:1, note: The entity it leads to has no primary key, so nothing can refer to it.
                """
        )
        try expect(table(of: store), is: before)
        try store.load("User", #"[{"id": 1}]"#)
        try expect(table(of: store), is: before)
    }

    @Test(arguments: [
        #""company_id": 5"#, #""companyId": 5"#, #""companyID": "5""#, #""company": 5"#,
        #""company": "https://host/companies/5/""#, #""company": {"id": 5}"#,
        #""company": {"id": 5, "name": "a"}, "company_id": 6"#,
        #""company": null, "company_id": 5"#,
    ])
    func `links by a reference under any name or by an object, which takes precedence`(
        _ link: String
    ) throws {
        let store = try store()
        try store.load("Company", #"[{"id": 5, "name": "a"}, {"id": 6}]"#)
        try store.load("User", "[{\"id\": 1, \(link)}]")
        try expect(
            table(of: store, "User", "Company"),
            is: """
                User
                #  id  name  company  profile  note
                1  1   -     5        -        -

                Company
                #  id  name  users
                1  5   a     [1]
                2  6   -     []
                """
        )
        try expect(store.load("User", #"[{"id": 1, "company": null}]"#), is: "User ~1")
        try expect(store.load("User", #"[{"id": 1, "company_id": null}]"#), is: "User =1")
    }

    @Test func `an object without a key updates the linked row, or inserts one`() throws {
        let store = try store()
        try store.load(
            "User",
            """
            [{"id": 1, "note": {"text": "a"}, "company": {"name": "none"}},
             {"id": 2, "note": {"text": "b"}}, {"id": 3, "note": null}]
            """
        )
        try expect(
            store.load(
                "User",
                """
                [{"id": 1, "note": {"text": "c"}, "company": {"name": "some"}}, {"id": 2},
                 {"id": 3, "note": {"text": "d"}}]
                """
            ),
            is: "Company ~1, Note +1 ~1, User ~1 =2"
        )
        try expect(
            table(of: store, "User", "Company", "Note"),
            is: """
                User
                #  id  name  company  profile  note
                1  1   -     #1       -        #1
                2  2   -     -        -        #2
                3  3   -     -        -        #3

                Company
                #  id  name  users
                1  -   some  [1]

                Note
                #  text
                1  c
                2  b
                3  d
                """
        )
    }

    @Test func `a one-to-one link moves to the row in the document, from either side`() throws {
        let store = try store()
        try store.load(
            "User",
            #"[{"id": 1, "profile": {"id": 7}}, {"id": 2, "profile": {"id": 8}}]"#
        )
        try expect(
            store.load("User", #"[{"id": 2, "profile_id": 7}, {"id": 1}]"#),
            is: "Profile ~2, User =2"
        )
        try store.load("Profile", #"[{"id": 7, "user": {"id": 1}}, {"id": 8, "user_id": 2}]"#)
        try expect(
            table(of: store, "User", "Profile"),
            is: """
                User
                #  id  name  company  profile  note
                1  1   -     -        7        -
                2  2   -     -        8        -

                Profile
                #  id  name  user
                1  7   -     1
                2  8   -     2
                """
        )
        try store.load("Profile", #"[{"id": 7, "user": null}, {"id": 8}]"#)
        try store.load("User", #"[{"id": 1}, {"id": 2, "profile": null}]"#)
        try expect(
            table(of: store, "Profile"),
            is: """
                Profile
                #  id  name  user
                1  7   -     -
                2  8   -     -
                """
        )
    }

    /// The reference is read before the row that it names is inserted, by an object further inside.
    @Test(arguments: [
        (
            "User",
            #"[{"id": 1, "profile_id": 8, "twin": {"id": 1, "profile": {"id": 8, "user_id": 1}}}]"#
        ),
        (
            "Profile",
            #"[{"id": 8, "user_id": 1, "twin": {"id": 8, "user": {"id": 1, "profile_id": 8}}}]"#
        ),
    ])
    func `an object that is nested in itself keeps the links of the inner one`(
        _ entity: String,
        _ document: String
    ) throws {
        let store = try Store.of(
            .named("User", [], .one("profile", "Profile", inverse: "user"), .one("twin", "User")),
            .named("Profile", [], .one("user", "User", inverse: "profile"), .one("twin", "Profile"))
        )
        for _ in 1...2 {
            try store.load(entity, document)
            try expect(
                table(of: store, "User", "Profile"),
                is: """
                    User
                    #  id  name  profile  twin
                    1  1   -     8        \(entity == "User" ? "1" : "-")

                    Profile
                    #  id  name  user  twin
                    1  8   -     1     \(entity == "Profile" ? "8" : "-")
                    """
            )
        }
    }

    @Test func `the outermost occurrence of an object decides about a link without a key`()
        throws
    {
        let store = try Store.of(.named("Person", [], .one("boss", "Person")))
        for _ in 1...2 {
            try store.load(
                "Person",
                #"[{"id": 3, "boss": {"id": 3, "name": "a", "boss": {"name": "b"}}}]"#
            )
            try expect(
                table(of: store, "Person"),
                is: """
                    Person
                    #  id  name  boss
                    1  3   a     3
                    """
            )
        }
    }

    @Test func `an object without a key stays with the row that contains it, whatever it names`()
        throws
    {
        let store = try Store.of(
            .named(
                "Person",
                [],
                .one("boss", "Person"),
                .one("badge", "Badge", inverse: "owner")
            ),
            .named("Badge", [], .one("owner", "Person", inverse: "badge"))
        )
        let document = """
            [{"id": 1, "boss": {"name": "b", "badge": {"name": "x", "owner": {"id": 1}}}}]
            """
        try store.load("Person", document)
        let first = try table(of: store, "Person", "Badge")
        try store.load("Person", document)
        try expect(table(of: store, "Person", "Badge"), is: first)
    }

    @Test func `an object without a key stays linked if a list in it lacks its container`()
        throws
    {
        let store = try Store.of(
            .named(
                "Person",
                [],
                .one("boss", "Person", inverse: "team"),
                .many("team", "Person", inverse: "boss"),
                .one("badge", "Badge", inverse: "owner")
            ),
            .named("Badge", [], .one("owner", "Person", inverse: "badge"))
        )
        let document = """
            [{"id": 1}, {"id": 2, "boss": {"name": "b", "badge": {"owner": {"team": [1]}}}}]
            """
        try store.load("Person", document)
        let first = try table(of: store, "Person", "Badge")
        try store.load("Person", document)
        try expect(table(of: store, "Person", "Badge"), is: first)
    }

    @Test func `another value replaces an unresolved reference, as does an object without a key`()
        throws
    {
        let store = try store()
        try store.load(
            "User",
            """
            [{"id": 1, "company_id": 5}, {"id": 2, "company_id": 5}, {"id": 3, "company_id": 5},
             {"id": 4, "company_id": 5}, {"id": 5, "company_id": 5}, {"id": 6, "company_id": 5}]
            """
        )
        try expect(
            store.load(
                "User",
                """
                [{"id": 1, "company": null}, {"id": 2, "company_id": 6}, {"id": 3},
                 {"id": 4, "company": {"id": 7}}, {"id": 5, "company": {"name": "a"}}]
                """
            ),
            is: "Company +2, User ~2 =3 -1, ?1"
        )
        try store.load("Company", #"[{"id": 5}]"#, .upsert)
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  company  profile  note
                1  1   -     -        -        -
                2  2   -     -        -        -
                3  3   -     5        -        -
                4  4   -     7        -        -
                5  5   -     #2       -        -

                Unresolved
                relationship  owner  key  position
                User.company  2      6    -
                """
        )
    }

    @Test func `values of a row's own object take precedence over unresolved references to it`()
        throws
    {
        let store = try store()
        try store.load(
            "User",
            #"[{"id": 1, "profile_id": 7}, {"id": 2, "profile_id": 8}, {"id": 3, "profile_id": 9}]"#
        )
        try store.load("Company", #"[{"id": 5, "user_ids": [4]}]"#)
        try store.load("Profile", #"[{"id": 7, "user": null}, {"id": 8, "user_id": 6}, {"id": 9}]"#)
        try store.load("User", #"[{"id": 4, "company": null}]"#, .upsert)
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  company  profile  note
                1  1   -     -        -        -
                2  2   -     -        -        -
                3  3   -     -        9        -
                4  4   -     -        -        -

                Company
                #  id  name  users
                1  5   -     []

                Profile
                #  id  name  user
                1  7   -     -
                2  8   -     -
                3  9   -     3

                Note: no rows

                Unresolved
                relationship  owner  key  position
                Profile.user  8      6    -
                """
        )
    }

    @Test func `ignored unresolved references change no links and are not stored`() throws {
        let store = try store()
        try store.load("User", #"[{"id": 1, "company": {"id": 5}}, {"id": 2, "company_id": 9}]"#)
        try expect(
            store.load(
                "User",
                """
                [{"id": 2, "company": null}, {"id": 1, "company_id": 6, "profile_id": 1},
                 {"id": 3, "company_id": 7}, {"id": 4, "company": {"id": 7}}]
                """,
                unresolved: .ignore
            ),
            is: "Company +1, User +2 =2, ?2"
        )
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  company  profile  note
                1  1   -     5        -        -
                2  2   -     -        -        -
                3  3   -     7        -        -
                4  4   -     7        -        -
                """
        )
    }
}
