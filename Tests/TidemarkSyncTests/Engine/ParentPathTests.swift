import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// Validation of paths that name a parent.
struct ParentPathTests {
    private static let model = Model {
        EntityDescription("Post") {
            Attribute("id", .integer64)
            Relationship("comments", to: "Comment", isToMany: true, inverse: "post")
        }
        EntityDescription("Comment", primaryKey: ["post", "id"]) {
            Attribute("id", .integer64)
            Relationship("post", to: "Post", inverse: "comments")
            Relationship("likes", to: "Like", isToMany: true, inverse: "comment")
            Relationship("day", to: "Day", inverse: "comments")
        }
        EntityDescription("Like") {
            Attribute("id", .integer64)
            Relationship("comment", to: "Comment", inverse: "likes")
        }
        EntityDescription("Day") {
            Attribute("id", .date)
            Relationship("comments", to: "Comment", isToMany: true, inverse: "day")
        }
        EntityDescription("Folder") {
            Attribute("id", .integer64)
            Relationship("parent", to: "Folder", inverse: "children")
            Relationship("children", to: "Folder", isToMany: true, inverse: "parent")
        }
    }

    private static func resource(_ entity: String, _ path: String) -> RemoteResource {
        Service.rest(url: ScriptedService.url).resource(entity, path: path)
    }

    @Test(arguments: [
        (
            "Comment", "posts/{writer}/comments",
            "The path posts/{writer}/comments names “writer”, which is not a relationship of Comment. "
                + "Its to-one relationships are day, post."
        ),
        (
            "Post", "comments/{comments}/post",
            "The path comments/{comments}/post names Post.comments, which is a to-many "
                + "relationship. Name the to-one relationship that leads from Post to its parent."
        ),
        (
            "Comment", "posts/{post}/{day}/comments",
            "The path posts/{post}/{day}/comments names two parents, post and day. A path can name "
                + "one. If day is a parent of post, write {post.day}."
        ),
        (
            "Comment", "posts/{post/comments",
            "The path posts/{post/comments has a brace without its pair."
        ),
        (
            "Like", "comments/{comment}/likes",
            "The path comments/{comment}/likes names comment, whose key has 2 values. Write "
                + "{comment.post.id} and {comment.id}."
        ),
        (
            "Like", "comments/{comment.id}/likes",
            "The path comments/{comment.id}/likes is the same for several rows of Comment, whose key "
                + "has 2 values. It must contain {comment.post.id} and {comment.id}."
        ),
        (
            "Like", "comments/{comment.text}/likes",
            "The path comments/{comment.text}/likes names comment.text, which is not part of the key "
                + "of Comment. Write {comment.post.id} and {comment.id}."
        ),
        (
            "Comment", "days/{day}/comments",
            "The path days/{day}/comments names a Day by id, which is of the type date. Only "
                + "numbers, strings, UUIDs and URIs can be part of a path."
        ),
        (
            "Comment", "posts/{post}/comments",
            "The path posts/{post}/comments names a Post, and no resource lists Post. Add a resource "
                + "for Post: its rows say which lists there are."
        ),
        (
            "Folder", "folders/{parent}/children",
            "folders/{parent}/children needs its own objects as parents. Replace one of them with a "
                + "list whose path names no parent."
        ),
    ])
    func `a path without a valid parent is rejected`(
        _ entity: String,
        _ path: String,
        _ message: String
    ) throws {
        let resources = [Self.resource(entity, path)]
        let error = #expect(throws: SyncError.self) { try ResourceOrder(resources, in: Self.model) }
        #expect(error?.code == .invalidParent)
        #expect(error?.description == message)
    }

    @Test func `resources that are each other's parents are rejected`() throws {
        let model = Model {
            EntityDescription("A") {
                Attribute("id", .integer64)
                Relationship("b", to: "B")
            }
            EntityDescription("B") {
                Attribute("id", .integer64)
                Relationship("a", to: "A")
            }
        }
        let resources = [Self.resource("A", "bs/{b}/as"), Self.resource("B", "as/{a}/bs")]
        let error = #expect(throws: SyncError.self) { try ResourceOrder(resources, in: model) }
        #expect(
            error?.description == """
                as/{a}/bs and bs/{b}/as need each other's objects as parents. Replace one of them with a \
                list whose path names no parent.
                """
        )
    }
}
