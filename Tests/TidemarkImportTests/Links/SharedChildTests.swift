import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Children that one document nests under several parents.
struct SharedChildTests {
    private static let document = """
        [{"id": 1, "comments": [{"id": 0, "name": "A"}]}, {"id": 2, "comments": [{"id": 0, "name": "B"}]}]
        """

    private static let message =
        "Comment:0, post: The document has this object under several parents: it is linked to the "
        + "last one. If its key is unique only within its parent, use primaryKey: [post, id]."

    private func store(_ inverse: Relationship) throws -> Store {
        try .of(
            .named("Post", [], .many("comments", "Comment", inverse: inverse.name)),
            .named("Comment", [], inverse)
        )
    }

    @Test func `a child that may have one parent is reported if a document nests it under two`()
        throws
    {
        let store = try store(.one("post", "Post", inverse: "comments"))
        try expect(
            store.load("Post", Self.document),
            is: "Comment +1, Post +2\n\(Self.message)"
        )
        try expect(
            store.load("Post", Self.document),
            is: "Comment ~1, Post =2\n\(Self.message)"
        )
    }

    @Test func `a child that may have several parents is not reported`() throws {
        let store = try store(.many("posts", "Post", inverse: "comments"))
        try expect(store.load("Post", Self.document), is: "Comment +1, Post +2")
    }

    @Test(arguments: [
        #"[{"id": 1}, {"id": 2, "comments": [{"id": 0}]}]"#,
        #"[{"id": 1, "comments": [{"id": 0}, {"id": 0}]}, {"id": 2}]"#,
        #"[{"id": 1, "comments": [{"id": 0}]}, {"id": 2, "comment_ids": [0]}]"#,
    ])
    func `a child that moves, or that one parent lists twice, is not reported`(
        _ json: String
    ) throws {
        let store = try store(.one("post", "Post", inverse: "comments"))
        try store.load("Post", #"[{"id": 1, "comments": [{"id": 0}]}, {"id": 2}]"#)
        #expect(try store.report("Post", json).diagnostics == [])
    }

    @Test func `a child that is also a top-level object is not reported as shared`() throws {
        let store = try Store.of(
            .named(
                "Number",
                [],
                .one("parent", "Number", inverse: "parts"),
                .many("parts", "Number", inverse: "parent")
            )
        )
        let json = #"[{"id": 2}, {"id": 1, "parts": [{"id": 2}]}, {"id": 2}]"#
        for _ in 0..<2 {
            let messages = try store.report("Number", json).diagnostics.map(\.message)
            #expect(messages == ["The document has several objects with this key."])
        }
    }
}
