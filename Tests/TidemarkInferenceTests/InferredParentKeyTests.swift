import Testing
import TidemarkInference
import TidemarkModel
import TidemarkTestSupport

/// Children whose `id` is unique only within their parent.
struct InferredParentKeyTests {
    @Test func `a key within a parent may contain a key within the parent's own parent`() throws {
        try expect(
            [
                "blogs.json": """
                [{"id": 1, "posts": [{"id": 1, "t": "a", "likes": [{"id": 1, "by": "x"}]}]},
                 {"id": 2, "posts": [{"id": 1, "t": "b", "likes": [{"id": 1, "by": "y"}]}]}]
                """
            ],
            give: """
                Blog[id]: id integer64; posts →→ Post ⇄ blog cascade
                Post[blog,id]: id integer64, t string; likes →→ Like ⇄ post cascade, \
                blog → Blog ⇄ posts
                Like[post,id]: id integer64, by string; post → Post ⇄ likes
                """
        )
    }

    @Test(arguments: [
        // One list contains an id twice.
        #"[{"id": 1, "likes": [{"id": 1, "by": "x"}, {"id": 1, "by": "y"}]}]"#,
        // Some objects lack the id.
        """
        [{"id": 1, "likes": [{"id": 1, "by": "x"}]}, {"id": 2, "likes": [{"id": 1, "by": "y"}, {"by": "z"}]}]
        """,
    ])
    func `children with duplicate or missing ids in one parent have no such key`(
        _ json: String
    ) throws {
        let inferred = try infer(["posts.json": json])
        let keys = inferred.model.entities.filter { $0.name != "Post" }
            .map { inferred.model.primaryKey(of: $0) }
        #expect(keys.allSatisfy { !$0.contains("post") && $0.count < 2 }, "\(inferred.model)")
    }

    @Test func `children of two entities have no such key`() throws {
        let inferred = try infer([
            "posts.json": """
            [{"id": 1, "likes": [{"id": 1, "by": "x"}]}, {"id": 2, "likes": [{"id": 1, "by": "y"}]}]
            """,
            "photos.json": """
            [{"id": 5, "likes": [{"id": 1, "by": "z"}]}, {"id": 6, "likes": [{"id": 1, "by": "w"}]}]
            """,
        ])
        let model = inferred.model
        #expect(model.entities.map(\.name) == ["Photo", "Post", "Like"])
        #expect(model["Like"].map(model.primaryKey) == [])
    }

    @Test func `an id without contradictions is a key by itself`() throws {
        try expect(
            [
                "posts.json": """
                [{"id": 1, "tags": [{"id": 7, "n": 1}]}, {"id": 2, "tags": [{"id": 7, "n": 1}]}]
                """
            ],
            give: """
                Post[id]: id integer64; tags →→ Tag ⇄ posts
                Tag[id]: id integer64, n integer64; posts →→ Post ⇄ tags
                """
        )
    }

    @Test func `children that also refer to their parent have it in their key`() throws {
        try expect(
            [
                "posts.json": """
                [{"id": 1, "likes": [{"id": 1, "post_id": 1, "by": "x"}]},
                 {"id": 2, "likes": [{"id": 1, "post_id": 2, "by": "y"}]}]
                """
            ],
            give: """
                Post[id]: id integer64; likes →→ Like ⇄ post cascade
                Like[post,id]: id integer64, by string; post → Post ⇄ likes
                """
        )
    }

    @Test func `a note explains a key within a parent`() throws {
        let inferred = try infer([
            "posts.json": """
            [{"id": 1, "likes": [{"id": 1, "by": "x"}]}, {"id": 2, "likes": [{"id": 1, "by": "y"}]}]
            """
        ])
        #expect(
            inferred.notes.map(\.description).contains(
                "Like: “id” identifies an object only within its post: under another one it is that "
                    + "of a different object."
            ),
            "\(inferred.notes)"
        )
    }
}
