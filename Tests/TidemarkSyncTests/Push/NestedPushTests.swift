import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Changes of objects that are in a list below their parent: `posts/{post}/comments/`.
struct NestedPushTests {
    private func blog() throws -> (blog: Blog, engine: SyncEngine) {
        let blog = try Blog(push: .rest)
        return (blog, try blog.engine())
    }

    @Test func `a comment is created, changed and deleted in the list of its post`() async throws {
        let (blog, engine) = try blog()
        _ = try await engine.sync()
        try await blog.store.write { writer in
            _ = try writer.insert(
                "Comment",
                values: ["text": .string("new")],
                links: ["post": [RecordLocator("Post:1")]]
            )
            try writer.update(RecordLocator("Comment:[2,1]"), values: ["text": .string("edited")])
            _ = try writer.delete(RecordLocator("Comment:[2,2]"))
        }
        let report = try await engine.sync()
        #expect(report.pushed.localChanges.unpushed.isEmpty)
        #expect(
            blog.fake.audit.map(\.description) == [
                #"update posts/2/comments/1 {"id":1,"text":"edited"}"#,
                "delete posts/2/comments/2",
                #"create posts/1/comments/3 {"id":3,"text":"new","post_id":1}"#,
            ]
        )
        #expect(try blog.keys() == "[1,1] [1,2] [1,3] [2,1] [2,3] [2,4]")
    }

    @Test func `a list is complete although a comment was deleted here`() async throws {
        let (blog, engine) = try blog()
        _ = try await engine.sync()
        try await blog.store.write { writer in
            _ = try writer.delete(RecordLocator("Comment:[2,2]"))
        }
        let outbox = try blog.store.outbox()
        blog.fake.change { $0["posts/2/comments/3"] = nil }
        let report = try await engine.pull()
        #expect(report.isComplete)
        #expect(report.total.entities["Comment"]?.deleted == 1)
        #expect(try blog.keys() == "[1,1] [1,2] [2,1] [2,4]")
        try expect(blog.store.outbox(), is: outbox)
    }

    @Test func `a comment of a new post is created after the post`() async throws {
        let (blog, engine) = try blog()
        _ = try await engine.sync()
        try await blog.store.write { writer in
            let post = try writer.insert("Post", values: ["title": .string("Fourth")])
            _ = try writer.insert(
                "Comment",
                values: ["text": .string("first")],
                links: ["post": [RecordLocator(post)]]
            )
        }
        let report = try await engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(
            blog.fake.audit.map(\.description) == [
                #"create posts/4 {"id":4,"title":"Fourth"}"#,
                #"create posts/4/comments/1 {"id":1,"text":"first","post_id":4}"#,
            ]
        )
    }

    @Test func `a post is deleted after its comments, which are in its list`() async throws {
        let (blog, engine) = try blog()
        _ = try await engine.sync()
        try await blog.store.write { writer in
            _ = try writer.delete(RecordLocator("Comment:[1,1]"))
            _ = try writer.delete(RecordLocator("Comment:[1,2]"))
            _ = try writer.delete(RecordLocator("Post:1"))
        }
        let report = try await engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(
            blog.fake.audit.map(\.description)
                == ["delete posts/1/comments/1", "delete posts/1/comments/2", "delete posts/1"]
        )
    }

    @Test func `a comment that was moved is changed in the list of its former post`() async throws {
        let (blog, engine) = try blog()
        _ = try await engine.sync()
        try await blog.store.write { writer in
            try writer.update(
                RecordLocator("Comment:[1,2]"),
                values: [:],
                links: ["post": [RecordLocator("Post:3")]]
            )
        }
        _ = try await engine.push()
        #expect(
            blog.fake.audit.map(\.description) == [
                #"update posts/1/comments/2 {"id":2,"text":"1 / 2","post_id":3}"#
            ]
        )
    }
}
