import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

struct LinkTests {
    private func insert(_ store: Store, _ entity: String, _ ids: ClosedRange<Int64>) throws {
        for id in ids { try store.insert(entity, ["id": .integer(id)]) }
    }

    @Test func `a one-to-one link set from either side replaces the existing links`() throws {
        let store = try Store.of(
            .named("User", [], .one("profile", "Profile", inverse: "user")),
            .named("Profile", [], .one("user", "User", inverse: "profile"))
        )
        try insert(store, "User", 1...2)
        try insert(store, "Profile", 1...2)
        try store.update("User:1", links: ["profile": ["Profile:1"]])
        try store.update("Profile:2", links: ["user": ["User:2"]])
        #expect(try store.update("User:2", links: ["profile": ["Profile:1"]]) == ["profile"])
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  profile
                1  1   -     -
                2  2   -     1

                Profile
                #  id  name  user
                1  1   -     2
                2  2   -     -
                """
        )
        #expect(try store.update("Profile:2", links: ["user": ["User:2"]]) == ["user"])
        #expect(try store.update("Profile:1", links: ["user": []]) == [])
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  profile
                1  1   -     -
                2  2   -     2
                """
        )
    }

    @Test func `a one-to-one link of an entity to itself is symmetric`() throws {
        let store = try Store.of(.named("User", [], .one("spouse", "User", inverse: "spouse")))
        try insert(store, "User", 1...3)
        try store.update("User:1", links: ["spouse": ["User:2"]])
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  spouse
                1  1   -     2
                2  2   -     1
                3  3   -     -
                """
        )
        try store.update("User:3", links: ["spouse": ["User:2"]])
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  spouse
                1  1   -     -
                2  2   -     3
                3  3   -     2
                """
        )
    }

    @Test func `keeps the order of a list, and appends a child that moves to it`() throws {
        let store = try Store.of(
            .named("Album", [], .many("songs", "Song", inverse: "album", isOrdered: true)),
            .named("Song", [], .one("album", "Album", inverse: "songs"))
        )
        try insert(store, "Song", 1...4)
        try store.insert(
            "Album",
            ["id": .integer(1)],
            links: ["songs": ["Song:3", "Song:1", "Song:2", "Song:3"]]
        )
        try store.insert("Album", ["id": .integer(2)], links: ["songs": ["Song:4"]])
        try expect(
            table(of: store, "Album"),
            is: """
                Album
                #  id  name  songs
                1  1   -     [3 1 2]
                2  2   -     [4]
                """
        )
        try store.update("Song:3", links: ["album": ["Album:2"]])
        try expect(
            table(of: store, "Album"),
            is: """
                Album
                #  id  name  songs
                1  1   -     [1 2]
                2  2   -     [4 3]
                """
        )
        #expect(try store.update("Album:1", links: ["songs": ["Song:1", "Song:2"]]) == [])
        #expect(try store.update("Album:1", links: ["songs": ["Song:2", "Song:1"]]) == ["songs"])
        try store.update("Album:2", links: ["songs": ["Song:2"]])
        try expect(
            table(of: store),
            is: """
                Album
                #  id  name  songs
                1  1   -     [1]
                2  2   -     [2]

                Song
                #  id  name  album
                1  1   -     1
                2  2   -     2
                3  3   -     -
                4  4   -     -
                """
        )
    }

    @Test func `keeps the order of both sides of a many-to-many relationship`() throws {
        let store = try Store.of(
            .named("Note", [], .many("tags", "Tag", inverse: "notes", isOrdered: true)),
            .named("Tag", [], .many("notes", "Note", inverse: "tags", isOrdered: true))
        )
        try insert(store, "Tag", 1...3)
        try insert(store, "Note", 1...2)
        try store.update("Note:1", links: ["tags": ["Tag:3", "Tag:1"]])
        try store.update("Note:2", links: ["tags": ["Tag:1", "Tag:3"]])
        try store.update("Tag:1", links: ["notes": ["Note:2", "Note:1"]])
        try expect(
            table(of: store),
            is: """
                Note
                #  id  name  tags
                1  1   -     [3 1]
                2  2   -     [1 3]

                Tag
                #  id  name  notes
                1  1   -     [2 1]
                2  2   -     []
                3  3   -     [1 2]
                """
        )
    }

    @Test func `a many-to-many link of an entity to itself is one pair`() throws {
        let store = try Store.of(.named("User", [], .many("friends", "User", inverse: "friends")))
        try insert(store, "User", 1...3)
        try store.update("User:3", links: ["friends": ["User:1", "User:3"]])
        #expect(try store.update("User:1", links: ["friends": ["User:3"]]) == [])
        try store.update("User:2", links: ["friends": ["User:1"]])
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  friends
                1  1   -     [2 3]
                2  2   -     [1]
                3  3   -     [1 3]
                """
        )
    }

    @Test func `a row cannot lose the parent that is part of its primary key`() throws {
        let store = try Store.of(
            .named("Post", [], .many("comments", "Comment", inverse: "post")),
            EntityDescription(
                "Comment",
                primaryKey: ["post", "number"],
                attributes: [Attribute("number", .integer64)],
                relationships: [.one("post", "Post", inverse: "comments")]
            )
        )
        try insert(store, "Post", 1...2)
        try store.insert("Comment", ["number": .integer(1)], links: ["post": ["Post:2"]])
        let before = try table(of: store)
        for (row, links) in [
            ("Comment:[2,1]", ["post": [String]()]), ("Post:2", ["comments": []]),
        ] {
            let error = #expect(throws: StoreError.self) { try store.update(row, links: links) }
            #expect(
                error?.description.contains("A row of Comment cannot lose its parent") == true
            )
            try expect(table(of: store), is: before)
        }
        try #expect(store.update("Comment:[2,1]", links: ["post": ["Post:1"]]) == ["post"])
        try #expect(store.update("Post:2", links: ["comments": ["Comment:[1,1]"]]) == ["comments"])
        try #expect(store.update("Post:1", links: ["comments": []]) == [])
        // A row whose key is incomplete may lose its parent.
        try store.insert("Comment", [:], links: ["post": ["Post:1"]])
        try #expect(store.update("Comment#2", links: ["post": []]) == ["post"])
    }
}
