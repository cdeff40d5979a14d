import Foundation
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// Resources with one list for each row of a parent entity, at the command line.
@Suite(.timeLimit(.minutes(40)))
struct NestedListVerbTests {
    private static let model = """
        entities:
          Post:
            attributes: {id: integer64, title: string}
            relationships: {comments: {to: Comment, toMany: true, inverse: post}}
          Comment:
            primaryKey: [post, id]
            attributes: {id: integer64, text: string}
            relationships: {post: {to: Post, inverse: comments}}
        """

    /// Serves twelve posts with a comment each, which contains no reference to its post.
    private func open(
        comments path: String = "posts/{post}/comments/",
        model: String = NestedListVerbTests.model,
        _ body: (FakeService, Folder) async throws -> Void
    ) async throws {
        let posts: [FakeJSON] = (1...12).map {
            ["id": .number("\($0)"), "title": .string("Post \($0)")]
        }
        let lists = (1...12).map { post -> (name: String, objects: [FakeJSON]) in
            ("posts/\(post)/comments", [["id": 1, "text": .string("on \(post)")]])
        }
        let fake = FakeService(
            data: FakeData([(name: "posts", objects: posts)] + lists),
            dialect: .rest(pageSize: 20)
        )
        try await FakeServer.run(fake) { url in
            let folder = try Folder()
            try folder.write(model, to: "model.yml")
            try folder.write(
                """
                store: s.db
                model: model.yml
                service: {url: "\(url.absoluteString)", limits: {attempts: 1}}
                resources:
                  Post: {path: posts/}
                  Comment:
                    path: \(path)
                """,
                to: "tidemark.yml"
            )
            try await body(fake, folder)
        }
    }

    @Test func `a list for each parent is pulled, verified and reported as one resource`()
        async throws
    {
        try await open { fake, folder in
            let dry = try await folder.done("pull", "--dry-run")
            #expect(dry.lines.contains { $0.hasPrefix("Comment") && $0.contains("12") })
            #expect(!folder.has("s.db"))
            _ = try await folder.done("pull", "--changes", "changes.jsonl")
            #expect(try folder.text(of: "changes.jsonl").split(separator: "\n").count == 24)
            let verified = try await folder.done("verify")
            #expect(verified.stdout == "The store matches the service.\n")
            let comments = try await folder.dump()["Comment"]?.elements
            #expect(comments?.count == 12)
            fake["posts/2/comments/1"] = ["id": 1, "text": "edited"]
            let edited = try await folder.run("verify")
            #expect(edited.status == 1)
            #expect(edited.stdout == "Comment:[2,1] differs in text.\n")
            fake["posts/2/comments/1"] = ["id": 1, "text": "on 2"]

            fake.clearRequests()
            let again = try await folder.done("pull", "--only", "Comment", "--format", "json")
            let resource = try again.json()["resources"]?["posts/{post}/comments/"]
            #expect(resource?["entity"] == "Comment")
            #expect(resource?["ending"] == "unchanged")
            #expect(resource?["objects"] == 0)
            #expect(fake.requests.map { $0.status } == Array(repeating: 304, count: 12))

            let status = try await folder.done("status", "--format", "json").json()
            #expect(status["resources"]?.keys == ["posts/", "posts/{post}/comments/"])
            #expect(status["resources"]?["posts/{post}/comments/"]?["rows"] == 12)
            #expect(status["resources"]?["posts/{post}/comments/"]?["isComplete"] == true)
            let table = try await folder.done("status").lines
            #expect(table.contains { $0.hasPrefix("Comment ") && $0.hasSuffix("unchanged") })
        }
    }

    @Test func `pending deletions cover all lists of a resource and are approved by entity`()
        async throws
    {
        try await open { fake, folder in
            _ = try await folder.done("pull")
            fake.change { data in
                for post in 1...12 { data["posts/\(post)/comments/1"] = nil }
            }
            let message =
                "Comment: the service no longer has 12 of 12 rows of Comment. They are kept. Run "
                + "`tidemark deletions approve Comment` to delete them, or `tidemark deletions "
                + "reject Comment` to keep them."
            let outcome = try await folder.run("pull")
            #expect(outcome.status == 75, "\(outcome)")
            #expect(outcome.stderr == "tidemark: \(message)\n")
            let listed = try await folder.done("deletions", "list", "posts/{post}/comments/")
            #expect(listed.lines.contains("Comment:[1,1]"))
            #expect(listed.lines.last == message)
            _ = try await folder.done("deletions", "reject", "Comment")
            #expect(try await folder.run("pull").status == 0)
            fake["posts/3/comments/1"] = ["id": 1, "text": "back"]
            let approved = try await folder.done("deletions", "approve", "Comment")
            #expect(approved.stdout.contains("11"), "\(approved)")
            #expect(try await folder.dump()["Comment"]?.elements.count == 1)
            #expect(try await folder.done("deletions", "list").lines.count == 1)
        }
    }

    @Test func `failed and missing lists are reported, and the others are pulled`() async throws {
        try await open { fake, folder in
            _ = try await folder.done("pull")
            fake["posts/2/comments/1"] = nil
            fake.inject(.status(404), at: "posts/4/")
            let missing = try await folder.done("pull")
            #expect(
                missing.stderr.hasPrefix(
                    "Comment: one list was not found, and the rows of its parent are kept. GET "
                ),
                "\(missing)"
            )
            #expect(try await folder.dump()["Comment"]?.elements.count == 11)

            fake["posts/3/comments/1"] = nil
            fake.inject(.status(500), at: "posts/5/")
            let failed = try await folder.run("pull")
            #expect(failed.status == 69, "\(failed)")
            #expect(failed.stderr.contains("Comment did not finish.\n"), "\(failed)")
            #expect(try await folder.dump()["Comment"]?.elements.count == 10)
            let status = try await folder.done("status")
            #expect(status.stdout.contains("Comment: GET "), "\(status)")
        }
    }

    @Test(arguments: [
        (
            "posts/{writer}/comments/",
            "resources.Comment.path: The path posts/{writer}/comments/ names “writer”, which is "
                + "not a relationship of Comment. Its to-one relationships are post."
        ),
        (
            "posts/{post.title}/comments/",
            "resources.Comment.path: The path posts/{post.title}/comments/ names post.title, which "
                + "is not part of the key of Post. Write {post.id}."
        ),
    ])
    func `a path without a valid parent is rejected before any request`(
        _ path: String,
        _ message: String
    ) async throws {
        try await open(comments: path) { fake, folder in
            let outcome = try await folder.run("pull")
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.stderr == "tidemark: \(message)\n")
            #expect(!folder.has("s.db"))
            #expect(fake.requests.isEmpty)
        }
    }

    @Test func `a parent without a resource, and a missing model, are rejected`() async throws {
        try await open { fake, folder in
            let text = try folder.text(of: "tidemark.yml")
            try folder.write(text.replacing("  Post: {path: posts/}\n", with: ""), to: "a.yml")
            let parentless = try await folder.run("pull", "a.yml")
            #expect(parentless.status == 65)
            #expect(
                parentless.stderr == """
                    tidemark: resources: The path posts/{post}/comments/ names a Post, and no resource \
                    lists Post. Add a resource for Post: its rows say which lists there are.

                    """
            )
            try folder.write(text.replacing("model: model.yml\n", with: ""), to: "b.yml")
            let modelless = try await folder.run("pull", "b.yml")
            #expect(modelless.status == 65)
            #expect(
                modelless.stderr == """
                    tidemark: resources.Comment.path: posts/{post}/comments/ names a parent, and without \
                    a model nothing says which entity that is. Write a model, and name it as model:.

                    """
            )
            #expect(fake.requests.isEmpty)
        }
    }
}
