import Testing

@testable import TidemarkModel

/// Primary keys that are unique only within a parent.
struct KeyPartTests {
    private static let id = Attribute("id", .integer64)

    private let model = Model(entities: [
        EntityDescription(
            "Blog",
            primaryKey: ["host"],
            attributes: [Attribute("host", .string)],
            relationships: [Relationship("posts", to: "Post", isToMany: true, inverse: "blog")]
        ),
        EntityDescription(
            "Post",
            primaryKey: ["blog", "id"],
            attributes: [id],
            relationships: [
                Relationship("blog", to: "Blog", inverse: "posts"),
                Relationship("comments", to: "Comment", isToMany: true, inverse: "post"),
            ]
        ),
        EntityDescription(
            "Comment",
            primaryKey: ["post", "number"],
            attributes: [Attribute("number", .integer64)],
            relationships: [Relationship("post", to: "Post", inverse: "comments")]
        ),
        EntityDescription(
            "Like",
            attributes: [id],
            relationships: [Relationship("comment", to: "Comment")]
        ),
    ])

    private func mapping(_ name: String) throws -> EntityMapping {
        EntityMapping(entity: try #require(model[name]), in: model)
    }

    @Test func `a key that contains a parent's key has all its values`() throws {
        let comment = try #require(model["Comment"])
        #expect(model.primaryKey(of: comment) == ["post", "number"])
        #expect(model.keyParts(of: comment).map(\.name) == ["post_blog_host", "post_id", "number"])
        #expect(
            model.keyParts(of: comment).map(\.attribute.type) == [.string, .integer64, .integer64]
        )
        #expect(model.isKeyPart("post", of: comment))
        #expect(!model.isKeyPart("number", of: comment))
        #expect(model.findings().filter { $0.severity == .error } == [])
    }

    @Test func `references to such a key have a name for each value`() throws {
        let like = try mapping("Like")
        #expect(
            like.relationships[0].referenceKeys.map(\.first) == [
                "comment_post_blog_host", "comment_post_id", "comment_number",
            ]
        )
        #expect(like.target(for: "commentPostId")?.keyPart == 1)
        let comment = try mapping("Comment")
        #expect(comment.primaryKey == [0])
        #expect(
            comment.keyParts.map { comment.exportKeys(of: $0).snake } == [
                "post_blog_host", "post_id", "number",
            ]
        )
    }

    @Test func `a key that contains itself has no values`() throws {
        let circle = Model(entities: [
            EntityDescription(
                "Node",
                primaryKey: ["parent", "id"],
                attributes: [Self.id],
                relationships: [
                    Relationship("parent", to: "Node", inverse: "nodes"),
                    Relationship("nodes", to: "Node", isToMany: true, inverse: "parent"),
                ]
            )
        ])
        #expect(circle.keyParts(of: try #require(circle["Node"])) == [])
        let errors = circle.findings().filter { $0.severity == .error }.map(\.message)
        #expect(errors == ["Its primary key “parent” leads back to the entity itself."])
    }
}
