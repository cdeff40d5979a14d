import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Rows whose primary key is unique only within their parent.
struct ParentKeyTests {
    private static let comment = EntityDescription(
        "Comment",
        primaryKey: ["post", "id"],
        attributes: [Attribute("id", .integer64), Attribute("body", .string)],
        relationships: [
            .one("post", "Post", inverse: "comments"), .many("likes", "Like", inverse: "comment"),
        ]
    )

    private func store(isOrdered: Bool = false) throws -> Store {
        try .of(
            .named("Post", [], .many("comments", "Comment", inverse: "post", isOrdered: isOrdered)),
            Self.comment,
            .named("Like", [], .one("comment", "Comment", inverse: "likes"))
        )
    }

    private static let posts = """
        [{"id": 0, "comments": [{"id": 0, "body": "A"}]},
         {"id": 1, "comments": [{"id": 0, "body": "B"}, {"id": 1, "body": "C"}]}]
        """

    private static let tables = """
        Post
        #  id  name  comments
        1  0   -     [[0,0]]
        2  1   -     [[1,0] [1,1]]

        Comment
        #  id  body  post  likes
        1  0   A     0     []
        2  0   B     1     []
        3  1   C     1     []
        """

    private func expect(_ store: Store, has tables: String) throws {
        let text = try table(of: store, "Post", "Comment")
        #expect(text == tables)
    }

    @Test func `children of two parents may have the same key, and are matched on import`() throws {
        let store = try store()
        try #expect(store.load("Post", Self.posts) == "Comment +3, Post +2")
        try expect(store, has: Self.tables)
        try #expect(store.load("Post", Self.posts) == "Comment =3, Post =2")
        try #expect(
            store.load("Post", #"[{"id": 1, "comments": [{"id": 1, "body": "D"}]}, {"id": 0}]"#)
                == "Comment ~1 -1, Post =2"
        )
    }

    @Test func `a child in a top-level list references its parent by key or as an object`() throws {
        let store = try store()
        try store.load("Post", Self.posts)
        try #expect(
            store.load(
                "Comment",
                """
                [{"id": 0, "post_id": 0, "body": "A"}, {"id": 0, "post": 1, "body": "X"},
                 {"id": 1, "post": {"id": 1, "name": "n"}}, {"id": 2, "postId": "1"},
                 {"id": 3, "post": {"id": 2}}]
                """
            ) == "Comment +2 ~1 =2, Post +1 ~1"
        )
        try #expect(store.load("Comment", #"[{"id": 0, "post_id": 0}]"#) == "Comment =1 -4")
    }

    @Test(arguments: [
        #"{"id": 5}"#, #"{"id": 5, "post_id": null}"#, #"{"post_id": 1}"#,
        #"{"id": 5, "post": "x"}"#,
    ])
    func `a child without its parent, or without its own key part, has no usable key`(
        _ item: String
    ) throws {
        let report = try store().report("Comment", "[\(item)]")
        #expect(report.entities["Comment"]?.skipped == 1)
        #expect(report.diagnostics.map(\.message).contains("The object has no usable primary key."))
    }

    @Test func `a child with an unresolved parent is matched again, and linked when it arrives`()
        throws
    {
        let store = try store()
        let early = #"[{"id": 0, "post_id": 1, "body": "B"}, {"id": 1, "post_id": 1, "body": "C"}]"#
        try #expect(store.load("Comment", early) == "Comment +2, ?2")
        try #expect(store.load("Comment", early) == "Comment =2, ?2")
        try #expect(
            store.load("Comment", #"[{"id": 0, "post_id": 1, "body": "Z"}]"#) == "Comment ~1 -1, ?1"
        )
        try store.load("Comment", early)
        try #expect(store.load("Post", Self.posts) == "Comment +1 ~2, Post +2")
        try #expect(store.load("Post", Self.posts) == "Comment =3, Post =2")
        try #expect(store.load("Comment", early) == "Comment =2 -1")
    }

    @Test func `a parent without a list is linked to the children imported before it`() throws {
        let store = try store()
        try store.load("Comment", #"[{"id": 0, "post_id": 1}, {"id": 0, "post_id": 2}]"#)
        try store.load("Post", #"[{"id": 1}, {"id": 2}]"#)
        try expect(
            store,
            has: """
                Post
                #  id  name  comments
                1  1   -     [[1,0]]
                2  2   -     [[2,0]]

                Comment
                #  id  body  post  likes
                1  0   -     1     []
                2  0   -     2     []
                """
        )
    }

    @Test func `a reference to such a row includes the parent, and is unresolved without both`()
        throws
    {
        let store = try store()
        let likes =
            #"[{"id": 1, "comment_post_id": 1, "comment_id": 0}, {"id": 2, "comment": {"id": 0, "post_id": 0}}]"#
        try #expect(store.load("Like", likes).hasSuffix("?2"))
        try store.load("Post", Self.posts)
        try #expect(
            table(of: store, "Like") == """
                Like
                #  id  name  comment
                1  1   -     [1,0]
                2  2   -     [0,0]
                """
        )
        try #expect(store.load("Like", likes) == "Comment =1, Like =2")
    }

    @Test func `a record locator contains all parts of the key`() throws {
        let store = try store()
        try store.load("Post", Self.posts)
        try store.read { db in
            try #expect(db.record(RecordLocator("Comment:[1,0]"))["body"] == .string("B"))
            #expect(throws: StoreError.self) { try db.record(RecordLocator("Comment:0")) }
            #expect(throws: StoreError.self) {
                try db.record(RecordLocator("Comment:[2,0]"))
            }
            let comment = try store.layout.entity("Comment")
            try #expect(db.key(of: 3, comment) == RecordKey([.integer(1), .integer(1)]))
            try #expect(db.key(of: 9, comment) == nil)
        }
        try store.insert("Comment", ["id": .integer(7)], links: ["post": ["Post:0"]])
        try store.read { db in
            try #expect(db.record(RecordLocator("Comment:[0,7]")).reference.number == 4)
        }
    }

    @Test func `children are deleted with their parent, or when they are removed from its list`()
        throws
    {
        let store = try store()
        try store.load("Post", Self.posts)
        try #expect(store.load("Post", #"[{"id": 1, "comments": []}]"#) == "Comment -3, Post =1 -1")
    }

    @Test func `a removed child is kept if the import may not delete`() throws {
        let store = try store()
        try store.load("Post", Self.posts)
        try #expect(store.load("Post", #"[{"id": 1, "comments": []}]"#, .upsert) == "Post =1")
        try expect(store, has: Self.tables)
    }

    @Test func `the order of children follows the list`() throws {
        let store = try store(isOrdered: true)
        try store.load("Post", Self.posts)
        try store.load(
            "Post",
            #"[{"id": 0}, {"id": 1, "comments": [{"id": 1}, {"id": 2}, {"id": 0}]}]"#
        )
        try #expect(
            table(of: store, "Post") == """
                Post
                #  id  name  comments
                1  0   -     [[0,0]]
                2  1   -     [[1,1] [1,2] [1,0]]
                """
        )
    }

    @Test func `a tombstone includes the key of the parent`() throws {
        let store = try store()
        try store.load("Post", Self.posts)
        let importer = Importer(store)
        let session = ImportSession(
            "comments",
            into: "Comment",
            options: ImportOptions(operations: .upsert)
        )
        var items = try JSONDocument(
            Array(#"[{"id": 0, "post_id": 1, "gone": true}, {"id": 1, "gone": true}]"#.utf8)
        ).items()
        var format = ItemFormat()
        format.deletionFlag = ["gone"]
        let reports = try store.writer.write { db in
            try importer.begin(db, session)
            let step = try importer.apply(db, &items, of: session, as: format, within: BatchLimit())
            return [step.report.text, try importer.finish(db, session).text]
        }
        let skipped = "Comment !1\nComment, post, id: The object has no usable primary key."
        #expect(reports == [skipped, "Comment -1"])
    }

    @Test func `many new children in sequence are matched without duplicates`() throws {
        let store = try store()
        let comments = (0..<100).map { #"{"id": \#($0 % 50), "post_id": \#($0 / 50)}"# }
        let json = "[\(comments.joined(separator: ","))]"
        try #expect(store.load("Comment", json) == "Comment +100, ?100")
        try #expect(store.load("Comment", json) == "Comment =100, ?100")
        try store.load("Post", #"[{"id": 0}, {"id": 1}]"#)
        try #expect(store.load("Comment", json) == "Comment =100")
    }

    @Test(arguments: [ExportOptions.Relationships.objects, .ids, .none])
    func `importing an export of such rows changes nothing`(
        _ relationships: ExportOptions.Relationships
    ) throws {
        let store = try store()
        try store.load("Post", Self.posts)
        try store.load("Like", #"[{"id": 1, "comment_post_id": 1, "comment_id": 0}]"#)
        var options = ExportOptions()
        options.relationships = relationships
        for entity in ["Comment", "Like"] {
            let json = try store.export(entity, options)
            let report = try store.report(entity, json)
            #expect(report.isUnchanged, "\(json)")
            #expect(report.entities.values.allSatisfy { $0.skipped == 0 }, "\(json)")
        }
    }
}
