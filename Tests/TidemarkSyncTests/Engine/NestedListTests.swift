import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Resources with one list for each row of a parent's entity.
struct NestedListTests {
    @Test func `the list of each stored parent is pulled, and its objects are linked`() async throws
    {
        let blog = try Blog()
        let report = try await blog.pull()
        #expect(report.isComplete)
        #expect(
            blog.requests == """
                GET posts/ 200
                GET posts/1/comments/ 200
                GET posts/2/comments/ 200
                GET posts/2/comments/?page=2 200
                GET posts/3/comments/ 200
                """
        )
        let table = try table(of: blog.store, "Post", "Comment")
        #expect(
            table == """
                Post
                #  id  title   comments
                1  1   Post 1  [[1,1] [1,2]]
                2  2   Post 2  [[2,1] [2,2] [2,3] [2,4]]
                3  3   Post 3  []

                Comment
                #  id  text   post
                1  1   1 / 1  1
                2  2   1 / 2  1
                3  1   2 / 1  2
                4  2   2 / 2  2
                5  3   2 / 3  2
                6  4   2 / 4  2
                """
        )
        let comments = try #require(report.resources[Blog.path])
        #expect(comments.imported.entities["Comment"]?.inserted == 6)
        #expect(comments.pages == 4)
        #expect(comments.items == 6)
        #expect(comments.ending == .complete)
    }

    @Test func `an unchanged pull costs one conditional request for each page`() async throws {
        let blog = try Blog()
        try await blog.pull()
        let before = try blog.state()
        blog.fake.clearRequests()
        let report = try await blog.pull()
        #expect(
            blog.requests == """
                GET posts/ 304
                GET posts/1/comments/ 304
                GET posts/2/comments/ 304
                GET posts/2/comments/?page=2 304
                GET posts/3/comments/ 304
                """
        )
        #expect(report.resources[Blog.path]?.items == 0)
        #expect(report.resources[Blog.path]?.ending == .unchanged)
        #expect(report.total.entities["Comment"]?.updated == 0)
        #expect(try blog.state() == before)
    }

    @Test func `a list deletes only children of its parent`() async throws {
        let blog = try Blog()
        try await blog.pull()
        blog.fake["posts/1/comments/2"] = nil
        blog.fake["posts/2/comments/9"] = ["id": 9, "text": "new"]
        let report = try await blog.pull()
        #expect(report.total.entities["Comment"]?.deleted == 1)
        #expect(report.total.entities["Comment"]?.inserted == 1)
        #expect(try blog.keys() == "[1,1] [2,1] [2,2] [2,3] [2,4] [2,9]")
    }

    @Test func `deleting a parent deletes its children and the state of its list`() async throws {
        let blog = try Blog()
        try await blog.pull()
        #expect(
            try blog.states() == [
                "posts/", "posts/1/comments/", "posts/2/comments/", "posts/3/comments/", Blog.path,
            ]
        )
        blog.fake["posts/2"] = nil
        let report = try await blog.pull()
        #expect(report.isComplete)
        #expect(try blog.keys() == "[1,1] [1,2]")
        #expect(
            try blog.states() == [
                "posts/", "posts/1/comments/", "posts/3/comments/", Blog.path,
            ]
        )
        #expect(try SyncStatus.of(blog.store).resources.map(\.path) == ["posts/", Blog.path])
    }

    @Test func `a parent that is deleted before its list is read does not fail the pull`()
        async throws
    {
        let blog = try Blog()
        try await blog.pull()
        blog.fake.scheduleChange(after: 1, at: "posts/") { $0["posts/2"] = nil }
        let report = try await blog.pull()
        #expect(report.isComplete)
        #expect(try blog.keys() == "[1,1] [1,2] [2,1] [2,2] [2,3] [2,4]")
        let warnings = report.resources[Blog.path]?.warnings ?? []
        #expect(warnings.map(\.code) == [.listsNotFound])
        #expect(
            warnings.first?.message.hasPrefix(
                "one list was not found, and the rows of its parent are kept. GET "
            ) == true,
            "\(warnings)"
        )
        try await blog.pull()
        #expect(try blog.keys() == "[1,1] [1,2]")
    }

    @Test func `a path under which no parent has a list fails`() async throws {
        let blog = try Blog(path: "posts/{post}/remarks/")
        let report = try await blog.pull()
        let failure = report.resources["posts/{post}/remarks/"]?.failure as? RemoteError
        #expect(failure?.code == .notFound)
        #expect(!report.isComplete)
    }

    @Test func `a list that fails keeps its rows, and the others are read`() async throws {
        let blog = try Blog()
        try await blog.pull()
        blog.fake["posts/1/comments/2"] = nil
        blog.fake["posts/3/comments/1"] = ["id": 1, "text": "3 / 1"]
        blog.fake.inject(.status(500), at: "posts/2/")
        let report = try await blog.pull()
        #expect((report.resources[Blog.path]?.failure as? RemoteError)?.code == .serverError)
        #expect(try blog.keys() == "[1,1] [2,1] [2,2] [2,3] [2,4] [3,1]")
        blog.fake.removeFaults()
        #expect(try await blog.pull().isComplete)
    }

    @Test func `lists are not requested if the list of their parents failed`() async throws {
        let blog = try Blog()
        try await blog.pull()
        blog.fake.inject(.status(500), at: "posts/")
        blog.fake.clearRequests()
        let report = try await blog.pull()
        #expect(blog.requests == "GET posts/ 500")
        let comments = try #require(report.resources[Blog.path])
        #expect((comments.failure as? RemoteError)?.code == .serverError)
        #expect(
            comments.warnings.map(\.description) == [
                "\(Blog.path): the lists were not requested, because posts/ failed."
            ]
        )
    }

    @Test func `a pull stops after ten failed lists in a row, and the next one resumes`()
        async throws
    {
        let blog = try Blog(posts: 30)
        for post in 5...14 { blog.fake.inject(.status(503), at: "posts/\(post)/") }
        let report = try await blog.pull()
        #expect(report.resources[Blog.path]?.ending == .failed)
        #expect(
            report.resources[Blog.path]?.warnings.map(\.message) == [
                "10 lists could not be read. The others were not requested: the next pull resumes "
                    + "after those that were read."
            ]
        )
        blog.fake.removeFaults()
        blog.fake.clearRequests()
        #expect(try await blog.pull().isComplete)
        #expect(blog.requests.contains("posts/5/comments/ 200"))
        #expect(!blog.requests.contains("posts/4/comments/"))
        #expect(blog.requests.contains("posts/30/comments/ 200"))
    }

    @Test func `a parent whose key cannot be part of a path does not affect the others`()
        async throws
    {
        let model = Model {
            EntityDescription("Tag") {
                Attribute("id", .string)
                Relationship("notes", to: "Note", isToMany: true, inverse: "tag")
            }
            EntityDescription("Note") {
                Attribute("id", .integer64)
                Relationship("tag", to: "Tag", inverse: "notes")
            }
        }
        let mirror = try ScriptedMirror(model, [("Tag", "tags"), ("Note", "tags/{tag}/notes")])
        mirror.service["/tags"] = #"[{"id": ".."}, {"id": "a/b c"}, {"id": "é"}]"#
        mirror.service["/tags/a%2Fb%20c/notes"] = #"[{"id": 1}]"#
        mirror.service["/tags/%C3%A9/notes"] = #"[{"id": 2}]"#
        let report = try await mirror.pull()
        #expect(try mirror.count("Note") == 2)
        let failure = report.resources["tags/{tag}/notes"]?.failure as? RemoteError
        #expect(
            failure?.message
                == "The key “..” of a Tag cannot be part of the path tags/{tag}/notes."
        )
    }

    @Test func `an object that names another parent is linked to the parent of its list`()
        async throws
    {
        let blog = try Blog()
        blog.fake.change { data in
            data["posts/1/comments/1"] = ["id": 1, "text": "a", "post_id": 2]
            data["posts/1/comments/2"] = ["id": 2, "text": "b", "post": 1]
            data["posts/3/comments/1"] = ["id": 1, "text": "c", "post": ["id": 1]]
            data["posts/3/comments/2"] = ["id": 2, "text": "d", "post": ["id": 3]]
            data["posts/3/comments/3"] = ["id": 3, "text": "e", "post": 77]
        }
        let report = try await blog.pull()
        #expect(
            try blog.keys() == "[1,1] [1,2] [2,1] [2,2] [2,3] [2,4] [3,1] [3,2] [3,3]"
        )
        #expect(
            report.total.diagnostics.map { "\($0.key ?? "") \($0.count) \($0.message)" } == [
                "[1,1] 3 The object names another parent than the one whose list it is in: it is "
                    + "linked to the list's."
            ]
        )
    }

    @Test func `resources are pulled after those of their parents, at any depth`() async throws {
        let model = Model {
            EntityDescription("Blog") {
                Attribute("id", .integer64)
                Relationship("posts", to: "Post", isToMany: true, inverse: "blog")
            }
            EntityDescription("Post", primaryKey: ["blog", "id"]) {
                Attribute("id", .integer64)
                Relationship("blog", to: "Blog", inverse: "posts")
                Relationship("likes", to: "Like", isToMany: true, inverse: "post")
            }
            EntityDescription("Like", primaryKey: ["post", "id"]) {
                Attribute("id", .integer64)
                Relationship("post", to: "Post", inverse: "likes")
            }
        }
        let mirror = try ScriptedMirror(
            model,
            [
                ("Like", "blogs/{post.blog}/posts/{post.id}/likes"),
                ("Post", "blogs/{blog}/posts"), ("Blog", "blogs"),
            ]
        )
        mirror.service["/blogs"] = #"[{"id": 1}, {"id": 2}]"#
        mirror.service["/blogs/1/posts"] = #"[{"id": 1}]"#
        mirror.service["/blogs/2/posts"] = #"[{"id": 1}]"#
        mirror.service["/blogs/1/posts/1/likes"] = #"[{"id": 1}]"#
        mirror.service["/blogs/2/posts/1/likes"] = #"[{"id": 1}, {"id": 2}]"#
        let report = try await mirror.pull()
        #expect(report.isComplete, "\(report)")
        #expect(
            mirror.service.takeRequests() == [
                "GET /blogs 200", "GET /blogs/1/posts 200", "GET /blogs/2/posts 200",
                "GET /blogs/1/posts/1/likes 200", "GET /blogs/2/posts/1/likes 200",
            ]
        )
        #expect(try mirror.count("Like") == 3)
        #expect(try await mirror.engine().verify().matches)
    }

    @Test func `verify matches after a pull, and finds later changes`() async throws {
        let blog = try Blog()
        try await blog.pull()
        #expect(try await blog.engine().verify().matches)
        blog.fake["posts/3/comments/1"] = ["id": 1, "text": "3 / 1"]
        blog.fake["posts/1/comments/1"] = nil
        let before = try blog.state()
        let verification = try await blog.engine().verify()
        #expect(verification.differences.count == 2)
        #expect(try blog.state() == before)
    }

    @Test func `the children of stored parents are pulled without the parents`() async throws {
        let blog = try Blog()
        try await blog.pull()
        blog.fake["posts/3/comments/1"] = ["id": 1, "text": "3 / 1"]
        blog.fake.clearRequests()
        let report = try await blog.engine().pull(with: PullOptions(only: ["Comment"]))
        #expect(report.isComplete)
        #expect(!blog.requests.contains("posts/ "))
        #expect(try blog.keys().hasSuffix("[3,1]"))
    }

    @Test func `events name the resource, and count its objects over all lists`() async throws {
        let blog = try Blog()
        try await blog.pull()
        let events = blog.events.lines.filter { $0.contains(Blog.path) }
        #expect(
            events == [
                "started posts/, \(Blog.path)", "\(Blog.path): 2 of ?", "\(Blog.path): 5 of ?",
                "\(Blog.path): 6 of ?", "\(Blog.path): 6 of ?",
                "\(Blog.path): 6 inserted, 0 deleted",
            ]
        )
        #expect(!blog.events.lines.contains { $0.contains("posts/1/") }, "\(events)")
    }
}
