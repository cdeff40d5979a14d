import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Deletions by the lists of several parents together.
struct NestedDeletionTests {
    /// Returns a pulled blog of twenty posts with one comment each.
    private static func blog(model: Model = Blog.model) async throws -> Blog {
        let blog = try Blog(posts: 20, model: model)
        blog.fake.change { data in
            for post in 1...20 {
                data["posts/\(post)/comments/2"] = nil
                data["posts/\(post)/comments/3"] = nil
                data["posts/\(post)/comments/4"] = nil
                data["posts/\(post)/comments/1"] = ["id": 1, "text": "first"]
            }
        }
        try await blog.pull()
        return blog
    }

    private static func removeComments(_ blog: Blog, of posts: ClosedRange<Int>) {
        blog.fake.change { data in
            for post in posts { data["posts/\(post)/comments/1"] = nil }
        }
    }

    private func count(_ blog: Blog) throws -> Int {
        try blog.store.read { db in try db.count("Comment") }
    }

    @Test func `the deletion guard counts over the lists of all parents together`() async throws {
        let blog = try await Self.blog()
        Self.removeComments(blog, of: 1...20)
        let report = try await blog.pull()
        let pending = PendingDeletion(
            resource: Blog.path,
            entity: "Comment",
            shares: [.init(entity: "Comment", rows: 20, total: 20)]
        )
        #expect(report.pendingDeletions == [pending])
        #expect(report.resources[Blog.path]?.pendingDeletion == pending)
        #expect(try count(blog) == 20)
        #expect(try SyncStatus.of(blog.store).pendingDeletions == [pending])
        #expect(blog.events.lines.contains("\(Blog.path): 20 of 20 rows wait"))

        blog.fake.change { data in
            for post in 4...20 { data["posts/\(post)/comments/1"] = ["id": 1, "text": "back"] }
        }
        let second = try await blog.pull()
        #expect(second.pendingDeletions == [])
        #expect(try count(blog) == 17)
    }

    @Test func `approving requests only the lists of the affected parents`() async throws {
        let blog = try await Self.blog()
        Self.removeComments(blog, of: 3...6)
        func strictly(_ options: inout PullOptions) {
            options.deletionGuard = DeletionGuard(share: 0.1, rows: 2, fullDeletionThreshold: 3)
        }
        #expect(try await blog.pull(strictly).pendingDeletions.map(\.rowCount) == [4])
        blog.fake["posts/5/comments/1"] = ["id": 1, "text": "back"]
        blog.fake.clearRequests()
        let report = try await blog.engine().approveDeletion(of: Blog.path)
        #expect(report.total.entities["Comment"]?.deleted == 3)
        #expect(
            blog.requests == """
                GET posts/3/comments/ 200
                GET posts/4/comments/ 200
                GET posts/5/comments/ 200
                GET posts/6/comments/ 200
                """
        )
        #expect(try count(blog) == 17)
        #expect(try SyncStatus.of(blog.store).pendingDeletions == [])
    }

    @Test func `approving keeps the rows of a list that fails`() async throws {
        let blog = try await Self.blog()
        Self.removeComments(blog, of: 1...20)
        try await blog.pull()
        blog.fake.inject(.status(500), at: "posts/7/")
        _ = try await blog.engine().approveDeletion(of: Blog.path)
        #expect(try blog.keys() == "[7,1]")
        #expect(try SyncStatus.of(blog.store).pendingDeletions.map(\.rowCount) == [1])
    }

    @Test func `a rejection applies to later pulls until a list contains the rows again`()
        async throws
    {
        let blog = try await Self.blog()
        Self.removeComments(blog, of: 1...20)
        try await blog.pull()
        let importer = Importer(blog.store)
        try await blog.store.writer.write { db in try importer.rejectDeletion(db, Blog.path) }
        #expect(try SyncStatus.of(blog.store).pendingDeletions.map(\.isRejected) == [true])
        for _ in 0..<2 {
            let pending = try await blog.pull().pendingDeletions
            #expect(pending.map(\.rowCount) == [20])
            #expect(pending.map(\.isRejected) == [true])
            #expect(try count(blog) == 20)
        }
        blog.fake["posts/7/comments/1"] = ["id": 1, "text": "back"]
        #expect(try await blog.pull().pendingDeletions.map(\.rowCount) == [19])
        #expect(try count(blog) == 20)
    }

    @Test func `lists without deletion detection keep unlisted rows`() async throws {
        let blog = try await Self.blog()
        Self.removeComments(blog, of: 1...3)
        var resources = blog.resources
        resources[0].style.deletes = .none
        _ = try await blog.engine(resources).pull()
        #expect(try count(blog) == 20)
    }

    @Test func `tombstones in a list delete children of its parent`() async throws {
        let blog = try await Self.blog()
        var resources = blog.resources
        resources[0].style.deletes = .marked(["deleted"])
        _ = try await blog.engine(resources).pull()
        blog.fake["posts/4/comments/1"] = ["id": 1, "deleted": true]
        _ = try await blog.engine(resources).pull()
        #expect(try count(blog) == 19)
        #expect(try !blog.keys().contains("[4,1]"))
    }

    @Test(arguments: [(1, 2), (2, 1)])
    func `an object that moves to another parent's list keeps its row`(
        _ from: Int,
        _ to: Int
    ) async throws {
        var model = Blog.model
        model.entities[1].primaryKey = ["id"]
        let blog = try Blog(model: model)
        blog.fake.change { data in
            for comment in 1...4 {
                data["posts/1/comments/\(comment)"] = nil
                data["posts/2/comments/\(comment)"] = nil
            }
            data["posts/\(from)/comments/7"] = ["id": 7, "text": "moves"]
        }
        try await blog.pull()
        blog.fake.change { data in
            data["posts/\(from)/comments/7"] = nil
            data["posts/\(to)/comments/7"] = ["id": 7, "text": "moves"]
        }
        let report = try await blog.pull()
        let counts = report.total.entities["Comment"]
        #expect(counts?.inserted == 0)
        #expect(counts?.deleted == 0)
        #expect(report.total.diagnostics == [])
        #expect(try blog.keys() == "[\(to),7]")
    }

    @Test func `an object in the lists of two parents is reported with the primary key to use`()
        async throws
    {
        var model = Blog.model
        model.entities[1].primaryKey = ["id"]
        let blog = try Blog(model: model)
        let report = try await blog.pull()
        #expect(
            report.total.diagnostics.map { "\($0.key ?? "") \($0.count) \($0.message)" } == [
                "1 2 The document has this object under several parents: it is linked to the last "
                    + "one. If its key is unique only within its parent, use primaryKey: "
                    + "[post, id]."
            ]
        )
    }

    @Test func `pending deletions of nested objects are made once all lists can be read`()
        async throws
    {
        var model = Blog.model
        model.entities[1].relationships.append(
            Relationship(
                "reactions",
                to: "Reaction",
                isToMany: true,
                inverse: "comment",
                deleteRule: .cascade
            )
        )
        model.entities.append(
            EntityDescription(
                "Reaction",
                attributes: [Attribute("id", .integer64)],
                relationships: [Relationship("comment", to: "Comment", inverse: "reactions")]
            )
        )
        let blog = try await Self.blog(model: model)
        func react(_ reactions: (Int) -> FakeJSON) {
            blog.fake.change { data in
                for post in 1...20 {
                    data["posts/\(post)/comments/1"] = ["id": 1, "reactions": reactions(post)]
                }
            }
        }
        func reactions() throws -> Int {
            try blog.store.read { db in try db.count("Reaction") }
        }
        react { [["id": .number("\($0)")]] }
        try await blog.pull()
        #expect(try reactions() == 20)
        react { _ in [] }
        for _ in 0..<2 {
            #expect(try await blog.pull().pendingDeletions.map(\.rowCount) == [20])
            #expect(try SyncStatus.of(blog.store).pendingDeletions.map(\.rowCount) == [20])
        }
        blog.fake.inject(.status(500), at: "posts/7/")
        _ = try await blog.engine().approveDeletion(of: Blog.path)
        #expect(try SyncStatus.of(blog.store).pendingDeletions.map(\.rowCount) == [20])
        blog.fake.removeFaults()
        let report = try await blog.engine().approveDeletion(of: Blog.path)
        #expect(report.total.entities["Reaction"]?.deleted == 20)
        #expect(try reactions() == 0)
        #expect(try SyncStatus.of(blog.store).pendingDeletions == [])
    }
}
