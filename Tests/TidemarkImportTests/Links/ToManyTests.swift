import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// To-many relationships: lists of nested objects, and lists of references.
struct ToManyTests {
    private func store(isOrdered: Bool = false) throws -> Store {
        try .of(
            .named(
                "Story",
                [],
                .many("comments", "Comment", inverse: "story", isOrdered: isOrdered),
                .many("lines", "Line", inverse: "story", isOrdered: isOrdered),
                .many("tags", "Tag", inverse: "stories", isOrdered: isOrdered)
            ),
            .named("Comment", [], .one("story", "Story", inverse: "comments")),
            EntityDescription(
                "Line",
                attributes: [.init("text", .string)],
                relationships: [.one("story", "Story", inverse: "lines")]
            ),
            .named("Tag", [], .many("stories", "Story", inverse: "tags"))
        )
    }

    @Test func `invalid items of a to-many list are reported and skipped`() throws {
        let store = try store()
        try expect(
            store.load(
                "Story",
                """
                [{"id": 1, "comments": [{"id": 1}, {"name": "none"}, null, [2], "x", {"id": 2}],
                  "tags": "y", "lines": [1, {"text": "a"}]}]
                """
            ),
            is: """
                Comment +2 !1, Line +1 !1, Story +1
                Comment, id: The object has no usable primary key.
                Story:1, comments: A list inside a list names no row.
                Story:1, comments: The value is not a number.
                Story:1, lines: An object was expected here.
                Story:1, tags: An array of objects or keys was expected. The value is not a number.
                """
        )
        try expect(
            table(of: store, "Story"),
            is: """
                Story
                #  id  name  comments  lines  tags
                1  1   -     [1 2]     [#1]   []
                """
        )
    }

    @Test(arguments: [
        (#""comments": []"#, ImportOperations.all, "Comment -2, Story =1", "[]", ""),
        (#""comments": null"#, .all, "Comment -2, Story =1", "[]", ""),
        (#""comments": [{"id": 2}]"#, .all, "Comment =1 -1, Story =1", "[2]", "2"),
        (#""comment_ids": []"#, .all, "Comment ~2, Story =1", "[]", "1 2"),
        (#""comment_ids": [2]"#, .all, "Comment ~1, Story =1", "[2]", "1 2"),
        (#""comments": []"#, .upsert, "Comment ~2, Story =1", "[]", "1 2"),
        (#""name": "x""#, .all, "Story ~1", "[1 2]", "1 2"),
    ])
    func `unlisted children are deleted, or only unlinked by lists of keys and by upserts`(
        _ members: String,
        _ operations: ImportOperations,
        _ report: String,
        _ list: String,
        _ comments: String
    ) throws {
        let store = try store()
        try store.load("Story", #"[{"id": 1, "comments": [{"id": 1}, {"id": 2}]}]"#)
        try expect(store.load("Story", "[{\"id\": 1, \(members)}]", operations), is: report)
        let (links, left) = try store.read { db in
            (
                try db.record(RecordLocator("Story:1")).links["comments"]?.map(\.number)
                    ?? [],
                try db.fetch(RecordRequest("Comment")).map(\.reference.number)
            )
        }
        #expect("[\(links.map(String.init).joined(separator: " "))]" == list)
        #expect(left.map(String.init).joined(separator: " ") == comments)
    }

    @Test func `a child that another parent lists, earlier or later, moves and is not deleted`()
        throws
    {
        let store = try store()
        try store.load(
            "Story",
            #"[{"id": 1, "comments": [{"id": 1}, {"id": 2}, {"id": 3}]}, {"id": 2, "comments": []}]"#
        )
        try expect(
            store.load(
                "Story",
                #"[{"id": 1, "comments": [{"id": 3}]}, {"id": 2, "comments": [{"id": 1}]}]"#
            ),
            is: "Comment ~1 =1 -1, Story =2"
        )
        try expect(
            store.load(
                "Story",
                #"[{"id": 2, "comments": [{"id": 3}]}, {"id": 1, "comments": [{"id": 1}]}]"#
            ),
            is: "Comment ~2, Story =2"
        )
        try expect(
            table(of: store, "Story", "Comment"),
            is: """
                Story
                #  id  name  comments  lines  tags
                1  1   -     [1]       []     []
                2  2   -     [3]       []     []

                Comment
                #  id  name  story
                1  1   -     1
                3  3   -     2
                """
        )
    }

    @Test func `children without a key are matched by position`() throws {
        let store = try store()
        try store.load(
            "Story",
            """
            [{"id": 1, "lines": [{"text": "a"}, {"text": "b"}, {"text": "c"}]},
             {"id": 2, "lines": [{"text": "x"}]}]
            """
        )
        try expect(
            store.load(
                "Story",
                """
                [{"id": 1, "lines": [{"text": "a"}, {"text": "B"}]},
                 {"id": 2, "lines": [{"text": "x"}, {"text": "y"}]}]
                """
            ),
            is: "Line +1 ~1 =2 -1, Story =2"
        )
        try expect(
            table(of: store, "Story", "Line"),
            is: """
                Story
                #  id  name  comments  lines    tags
                1  1   -     []        [#1 #2]  []
                2  2   -     []        [#4 #5]  []

                Line
                #  text  story
                1  a     1
                2  B     1
                4  x     2
                5  y     2
                """
        )
    }

    @Test func `invalid items have no position among children without a key`() throws {
        let store = try store()
        let document = #"[{"id": 1, "lines": ["a", {"text": "b"}, 1, {"text": "c"}]}]"#
        try store.load("Story", document)
        try expect(
            store.load("Story", document),
            is: """
                Line =2 !2, Story =1
                Story:1, lines: An object was expected here. ×2
                """
        )
    }

    @Test func `a many-to-many list replaces the links, from either side or from both`() throws {
        let store = try store()
        try expect(
            store.load(
                "Story",
                """
                [{"id": 1, "tags": [{"id": 1, "stories": [{"id": 1}, {"id": 2}]}, {"id": 2}]},
                 {"id": 2, "tag_ids": [1, "2"]}, {"id": 3, "tags": [2, {"id": 3}, 2]}]
                """
            ),
            is: "Story +3, Tag +3"
        )
        try expect(
            store.load("Tag", #"[{"id": 2, "story_ids": [3]}, {"id": 1, "stories": null}]"#),
            is: "Tag ~2 -1"
        )
        try expect(
            table(of: store, "Story", "Tag"),
            is: """
                Story
                #  id  name  comments  lines  tags
                1  1   -     []        []     []
                2  2   -     []        []     []
                3  3   -     []        []     [2]

                Tag
                #  id  name  stories
                1  1   -     []
                2  2   -     [3]

                Unresolved
                relationship  owner  key  position
                Story.tags    3      3    -
                """
        )
    }

    @Test func `an ordered list has the order of the document, and only moved rows are written`()
        throws
    {
        let store = try store(isOrdered: true)
        let document = """
            [{"id": 1, "comments": [{"id": 3}, {"id": 1}, {"id": 2}], "tag_ids": [3, 1, 2],
              "lines": [{"text": "a"}, {"text": "b"}]}]
            """
        try store.load("Story", document)
        try store.load("Tag", #"[{"id": 2}, {"id": 4}, {"id": 3}, {"id": 1}]"#)
        try expect(store.load("Story", document), is: "Comment =3, Line =2, Story =1")
        try expect(
            table(of: store, "Story"),
            is: """
                Story
                #  id  name  comments  lines    tags
                1  1   -     [3 1 2]   [#1 #2]  [3 1 2]
                """
        )
        try expect(
            store.load(
                "Story",
                """
                [{"id": 1, "comments": [{"id": 3}, {"id": 2}, {"id": 1}, {"id": 9}],
                  "tag_ids": [4, 3, 2]}]
                """
            ),
            is: "Comment +1 ~2 =1, Story ~1"
        )
        try expect(
            table(of: store, "Story"),
            is: """
                Story
                #  id  name  comments   lines    tags
                1  1   -     [3 2 1 9]  [#1 #2]  [4 3 2]
                """
        )
    }

    @Test func `a row listed twice has its first position, even if it is imported later`() throws {
        let store = try store(isOrdered: true)
        let document = #"[{"id": 1, "tag_ids": [2, 1, 3, 1]}]"#
        try store.load("Story", document)
        try expect(store.load("Story", document), is: "Story =1, ?3")
        try store.load("Tag", #"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
        try expect(store.load("Story", document), is: "Story =1")
        try expect(
            table(of: store, "Story"),
            is: """
                Story
                #  id  name  comments  lines  tags
                1  1   -     []        []     [2 1 3]
                """
        )
    }

    @Test func `a child moved by its reference is removed from its old parent's list`() throws {
        let store = try store(isOrdered: true)
        try store.load(
            "Story",
            """
            [{"id": 1, "comments": [{"id": 1}, {"id": 2}]},
             {"id": 2, "comments": [{"id": 3}, {"id": 4}]}]
            """
        )
        try store.load("Comment", #"[{"id": 1, "story_id": 2}, {"id": 2}, {"id": 3}, {"id": 4}]"#)
        try expect(
            table(of: store, "Story"),
            is: """
                Story
                #  id  name  comments  lines  tags
                1  1   -     [2]       []     []
                2  2   -     [3 4 1]   []     []
                """
        )
    }

    @Test func `a self-referencing relationship keeps every listed row, nested or flat`() throws {
        let store = try Store.of(
            .named(
                "Unit",
                [],
                .one("parent", "Unit", inverse: "children"),
                .many("children", "Unit", inverse: "parent", .cascade)
            )
        )
        try expect(
            store.load(
                "Unit",
                #"[{"id": 1, "children": [{"id": 2, "children": [{"id": 3}]}, {"id": 4}]}]"#
            ),
            is: "Unit +4"
        )
        let nested = try table(of: store)
        try expect(
            store.load(
                "Unit",
                """
                [{"id": 3, "parent_id": 2}, {"id": 2, "parent_id": 1}, {"id": 1},
                 {"id": 4, "parent_id": 1}]
                """
            ),
            is: "Unit =4"
        )
        try expect(table(of: store), is: nested)
        try expect(
            store.load("Unit", #"[{"id": 1, "children": [{"id": 4, "children": [{"id": 3}]}]}]"#),
            is: "Unit ~1 =2 -1"
        )
        try expect(
            table(of: store),
            is: """
                Unit
                #  id  name  parent  children
                1  1   -     -       [4]
                3  3   -     4       []
                4  4   -     1       [3]
                """
        )
    }

    @Test func `a cycle of objects inserts each row once`() throws {
        let store = try Store.of(
            .named("Player", [], .one("group", "Group", inverse: "players")),
            .named("Group", [], .many("players", "Player", inverse: "group"))
        )
        let document = """
            [{"id": 1, "name": "a", "group": {"id": 5, "players": [
                {"id": 1, "group": {"id": 5, "name": "g"}}, {"id": 2, "name": "b"}]}},
             {"id": 2, "group_id": 5}]
            """
        try expect(store.load("Player", document), is: "Group +1, Player +2")
        try expect(store.load("Player", document), is: "Group =1, Player =2")
        try expect(
            table(of: store),
            is: """
                Player
                #  id  name  group
                1  1   a     5
                2  2   b     5

                Group
                #  id  name  players
                1  5   g     [1 2]
                """
        )
    }

    @Test func `a list nested in one of its members determines their order`() throws {
        let store = try Store.of(
            .named("Player", [], .one("group", "Group", inverse: "players")),
            .named("Group", [], .many("players", "Player", inverse: "group", isOrdered: true))
        )
        let document =
            #"[{"id": 1, "group": {"id": 1, "players": [{"id": 2}, {"id": 1}]}}, {"id": 2}]"#
        for start in ["[]", #"[{"id": 1}, {"id": 2}]"#] {
            try store.load("Player", "[]")
            try store.load("Player", start)
            try store.load("Player", document)
            try expect(store.load("Player", document), is: "Group =1, Player =2")
            #expect(try table(of: store, "Group").contains("[2 1]"))
        }
    }

    @Test func `the list of a nested object keeps its references to rows that are deleted`() throws
    {
        let store = try Store.of(
            .named(
                "Person",
                [],
                .one("boss", "Person", inverse: "team"),
                .many("team", "Person", inverse: "boss")
            )
        )
        try store.load("Person", #"[{"id": 1}, {"id": 2}]"#)
        let document = #"[{"id": 1, "boss": {"id": 3, "team": [2]}}]"#
        func references() throws -> [String] {
            let sql = "SELECT relationship || ' ' || owner || ' ' || key FROM _tidemark_held"
            return try store.read { reader in try String.fetchAll(reader.db, sql: sql) }
        }
        try expect(store.load("Person", document), is: "Person +1 ~1 -1")
        #expect(try references() == ["Person.team 3 2"])
        try expect(store.load("Person", document), is: "Person =2, ?1")
        #expect(try references() == ["Person.team 3 2"])
    }
}
