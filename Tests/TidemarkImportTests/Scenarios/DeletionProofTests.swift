import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Proof of deletions: an import removes only rows and links whose absence a document proves.
struct DeletionProofTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named(
                "Story",
                [],
                .many("comments", "Comment", inverse: "story"),
                .many("tags", "Tag", inverse: "stories"),
                .many("lines", "Line", inverse: "story")
            ),
            .named("Comment", [], .one("story", "Story", inverse: "comments")),
            .named("Tag", [], .many("stories", "Story", inverse: "tags")),
            EntityDescription(
                "Line",
                attributes: [.init("text", .string)],
                relationships: [.one("story", "Story", inverse: "lines")]
            )
        )
        try store.load(
            "Story",
            """
            [{"id": 1, "comments": [{"id": 1}, {"id": 2}], "tags": [{"id": 1}, {"id": 2}],
              "lines": [{"text": "a"}, {"text": "b"}]},
             {"id": 2}]
            """
        )
        return store
    }

    @Test(arguments: [
        #"{"results": [{"id": 1}]}"#, #"[{"id": 1}, {"id": null}]"#, #"[{"id": 1}, 5]"#,
        #"[{"id": 1}, {"id": "x"}]"#,
    ])
    func `an object that may be any row prevents deletions, in a document and in pages`(
        _ document: String
    ) throws {
        let store = try store()
        let before = try table(of: store)
        let report = try store.load("Story", document)
        #expect(
            report.hasSuffix(
                "Story: No rows were deleted: an object without a usable primary key may be any of them."
            )
        )
        try expect(table(of: store), is: before)

        let session = ImportSession("stories", into: "Story")
        let importer = Importer(store)
        try store.writer.write { db in try importer.begin(db, session) }
        for page in [document, #"[{"id": 1}]"#] {
            var items = try JSONDocument(Array(page.utf8)).items()
            try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
        }
        try expect(
            store.writer.write { db in try importer.finish(db, session).text },
            is: """
                nothing
                Story: No rows were deleted: an object without a usable primary key may be any of them.
                """
        )
        try expect(table(of: store), is: before)
    }

    @Test(arguments: [
        #""comments": {"data": [{"id": 1}]}"#, #""comments": true"#, #""comments": "x""#,
        #""comments": [{"id": 1}, {"name": "c"}]"#, #""comments": [[{"id": 1}]]"#,
        #""comment_ids": [1, "x"]"#, #""comment_ids": "x""#, #""tags": {"items": []}"#,
        #""tags": [1, {}]"#, #""tag_ids": [1, true]"#, #""lines": "x""#,
        #""lines": [{"text": "a"}, 5]"#,
    ])
    func `a list with an item that may be any row neither deletes nor unlinks rows`(
        _ list: String
    ) throws {
        let store = try store()
        let before = try table(of: store)
        let report = try store.load("Story", "[{\"id\": 1, \(list)}, {\"id\": 2}]")
        #expect(report.contains("\n"))
        try expect(table(of: store), is: before)
    }

    @Test func `rows without a key keep their links`() throws {
        let store = try store()
        try store.insert("Comment", ["name": .string("draft")], links: ["story": ["Story:1"]])
        try store.insert("Tag", ["name": .string("draft")], links: ["stories": ["Story:1"]])
        let document = #"{"id": 1, "comments": [{"id": 1}], "tags": [{"id": 2}]}"#
        try expect(
            store.load("Story", "[\(document), {\"id\": 2}]"),
            is: "Comment =1 -1, Story ~1 =1, Tag =1"
        )
        try store.load("Comment", #"[{"id": 1}]"#, parent: "Story:1")
        try store.load("Tag", #"[{"id": 2}]"#, parent: "Story:1")
        try expect(
            store.load("Story", "[\(document), {\"id\": 2}]"),
            is: "Comment =1, Story =2, Tag =1"
        )
        try expect(
            table(of: store, "Story", "Comment", "Tag"),
            is: """
                Story
                #  id  name  comments  tags    lines
                1  1   -     [1 #3]    [2 #3]  [#1 #2]
                2  2   -     []        []      []

                Comment
                #  id  name   story
                1  1   -      1
                3  -   draft  1

                Tag
                #  id  name   stories
                1  1   -      []
                2  2   -      [1]
                3  -   draft  [1]
                """
        )
    }

    @Test func `a child that moves to another parent is deleted by neither list`() throws {
        for document in [
            #"[{"id": 1, "comments": [{"id": 1}]}, {"id": 2, "comment_ids": [2]}]"#,
            #"[{"id": 2, "comment_ids": [2]}, {"id": 1, "comments": [{"id": 1}]}]"#,
        ] {
            let store = try store()
            try store.load("Story", document)
            try expect(
                table(of: store, "Comment"),
                is: """
                    Comment
                    #  id  name  story
                    1  1   -     1
                    2  2   -     2
                    """
            )
        }
    }

    @Test func `children that a document links to its own parent are not deleted as unlisted`()
        throws
    {
        let store = try Store.of(
            .named("User", [], .many("notes", "Note", inverse: "user")),
            .named(
                "Note",
                [],
                .one("user", "User", inverse: "notes"),
                .many("tags", "Tag", inverse: "note")
            ),
            .named(
                "Tag",
                [],
                .one("note", "Note", inverse: "tags"),
                .one("owner", "User")
            )
        )
        try store.load("User", #"[{"id": 1, "notes": [{"id": 1}, {"id": 2}]}]"#)
        try store.load("Note", #"[{"id": 1}, {"id": 2}, {"id": 9}]"#)
        try store.load(
            "Note",
            #"[{"id": 1, "tags": [{"id": 1, "owner": {"id": 1, "note_ids": [1, 2, 9]}}]}]"#,
            parent: "User:1"
        )
        try expect(
            table(of: store, "Note"),
            is: """
                Note
                #  id  name  user  tags
                1  1   -     1     [1]
                3  9   -     1     []

                Unresolved
                relationship  owner  key  position
                User.notes    1      2    -
                """
        )
    }

    @Test func `an object embedded in another list does not count as an item of its own list`()
        throws
    {
        let store = try store()
        let importer = Importer(store)
        let comments = ImportSession("comments", into: "Comment")
        let stories = ImportSession("stories", into: "Story")
        func apply(_ json: String, _ session: ImportSession) throws {
            var items = try JSONDocument(Array(json.utf8)).items()
            try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
        }
        try store.writer.write { db in try importer.begin(db, comments) }
        try apply(#"[{"id": 2, "story": {"id": 2}}]"#, comments)
        try store.writer.write { db in try importer.begin(db, stories) }
        try apply(#"[{"id": 1, "story": {"id": 2}}]"#, comments)
        try apply(#"[{"id": 1}]"#, stories)
        try expect(
            store.writer.write { db in try importer.finish(db, stories).text },
            is: "Comment ~2, Story -1"
        )
    }

    @Test func `objects nested in objects that are not written count as listed`() throws {
        let store = try Store.of(
            .named(
                "Node",
                [],
                .one("parent", "Node", inverse: "children"),
                .many("children", "Node", inverse: "parent")
            )
        )
        try store.load("Node", #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}]"#)
        try expect(
            store.load(
                "Node",
                #"[{"id": 1, "name": "a", "children": [{"id": 2, "parent": {"id": 3, "name": "b"}}]}]"#,
                [.delete]
            ),
            is: "Node -2"
        )
    }

    @Test(arguments: [false, true])
    func `a session started again deletes removed children, unless they were listed since`(
        isNamed: Bool
    ) throws {
        let store = try store()
        let importer = Importer(store)
        let session = ImportSession("stories", into: "Story")
        func begin() throws { try store.writer.write { db in try importer.begin(db, session) } }
        func apply(_ json: String) throws {
            var items = try JSONDocument(Array(json.utf8)).items()
            try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
        }
        try begin()
        try apply(#"[{"id": 1, "comments": [{"id": 1}], "lines": [{"text": "a"}]}]"#)
        if isNamed { try store.load("Comment", #"[{"id": 1}, {"id": 2}]"#) }
        try begin()
        try apply(#"[{"id": 1}, {"id": 2}]"#)
        try expect(
            store.writer.write { db in try importer.finish(db, session).text },
            is: isNamed ? "Line -1" : "Comment -1, Line -1"
        )
    }
}
