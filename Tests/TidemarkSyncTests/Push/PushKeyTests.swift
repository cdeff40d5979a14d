import GRDB
import HTTPTypes
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Edits of the primary key of a row that the service knows: until the service has shown the new
/// key, the row is the object with the former one.
struct PushKeyTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Page",
            primaryKey: ["slug"],
            attributes: [Attribute("slug", .string), Attribute("title", .string)]
        ),
        EntityDescription(
            "Note",
            attributes: [Attribute("id", .integer64)],
            relationships: [Relationship("page", to: "Page")]
        ),
    ])

    /// How a service answers a change of a key.
    enum Answer: CaseIterable {
        /// With the object.
        case object
        /// With nothing.
        case nothing
        /// With a list of no objects, which proves nothing.
        case list
    }

    /// A store of the pages s1, s2 and s3, and of a note about the first; the service answers all
    /// changes with a status, if there is one.
    private static func mirror(
        _ answer: Answer = .object,
        takingKeys isTaken: Bool = true,
        rejecting status: Int? = nil,
        _ policies: ConflictPolicies = ConflictPolicies()
    ) async throws -> PlainMirror {
        let pages = (1...3).map { number -> FakeJSON in
            ["slug": .string("s\(number)"), "title": .string("t\(number)")]
        }
        let lists: PlainService.Lists = ["pages": pages, "notes": [["id": 1, "page": "s1"]]]
        let service = PlainService(lists) { request, lists in
            guard request.steps.first == "pages", request.steps.count == 2 else { return nil }
            let index = lists["pages"]?.firstIndex { $0["slug"]?.string == request.steps[1] }
            guard let index else { return .init(status: 404, body: ["detail": "Not found."]) }
            guard request.method == "PATCH" else { return .init(body: lists["pages"]?[index]) }
            if let status { return .init(status: status, body: ["slug": ["Not allowed."]]) }
            let slug = lists["pages"]?[index]["slug"]
            lists["pages"]?[index].assign(request.body ?? [:])
            if !isTaken { lists["pages"]?[index]["slug"] = slug }
            switch answer {
            case .object: return .init(body: lists["pages"]?[index])
            case .nothing: return .init(status: 204)
            case .list: return .init(body: [])
            }
        }
        var mirror = try PlainMirror(model, [("Page", "pages"), ("Note", "notes")], with: service)
        mirror.conflicts = policies
        try await mirror.pull()
        return mirror
    }

    /// The pages, and the one that the note refers to.
    private static func rows(in mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            let pages = try Row.fetchAll(reader.db, sql: "SELECT * FROM Page ORDER BY _id")
            let notes = try reader.fetch(RecordRequest("Note", links: .only(["page"])))
            return pages.map { row -> String in
                let (number, slug): (Int64, String) = (row["_id"], row["slug"])
                return "\(number) \(slug) \(row["title"] as String)"
            } + notes.map { "note of \(($0.links["page"] ?? []).map(\.description))" }
        }
    }

    private static func rows(_ first: String, _ others: String...) -> [String] {
        [first, "2 s2 t2", "3 s3 t3"] + others + [#"note of ["Page#1"]"#]
    }

    // MARK: Before a push

    @Test func `a pull before the push changes nothing, and the former key names the object`()
        async throws
    {
        let mirror = try await Self.mirror()
        try await mirror.update("Page:s1", ["slug": .string("zz"), "title": .string("mine")])
        for _ in 1...2 {
            _ = try await mirror.read()
            #expect(try Self.rows(in: mirror) == Self.rows("1 zz mine"))
            #expect(try mirror.changes() == ["Page#1 update, pending"])
            #expect(try mirror.recordedConflicts() == [])
        }
        _ = mirror.service.takeWrites()
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [#"PATCH pages/s1 {"slug":"zz","title":"mine"}"#]
        )
    }

    @Test func `an object with the new key is another one, and is stored once the key is free`()
        async throws
    {
        let mirror = try await Self.mirror()
        mirror.service.add("pages", ["slug": "s9", "title": "theirs"], key: 9)
        try await mirror.update("Page:s1", ["slug": .string("s9")])
        for _ in 1...2 {
            _ = try await mirror.read()
            #expect(try Self.rows(in: mirror) == Self.rows("1 s9 t1"))
            #expect(try mirror.changes() == ["Page#1 update, pending"])
        }
        try await mirror.update("Page#1", ["slug": .string("s8")])
        _ = try await mirror.read()
        #expect(try Self.rows(in: mirror) == Self.rows("1 s8 t1", "4 s9 theirs"))
    }

    @Test func `a new row with the former key is not the object`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update("Page:s1", ["slug": .string("zz")])
        try await mirror.edit("INSERT INTO Page (slug, title) VALUES ('s1', 'new')")
        _ = try await mirror.read()
        #expect(try Self.rows(in: mirror) == Self.rows("1 zz t1", "4 s1 new"))
        #expect(try mirror.changes() == ["Page#1 update, pending", "Page#4 create, pending"])
    }

    // MARK: After a push

    @Test(arguments: Answer.allCases)
    func `a key that was taken is confirmed, and the row keeps its number`(
        answer: Answer
    ) async throws {
        let mirror = try await Self.mirror(answer)
        try await mirror.update("Page:s1", ["slug": .string("zz")])
        let pushed = try await mirror.push()
        #expect(pushed.total.updated == 1)
        // The reference of the note is another object, which the service changes with the page.
        mirror.service["notes", 1] = ["id": 1, "page": "zz"]
        _ = try await mirror.read()
        #expect(try Self.rows(in: mirror) == Self.rows("1 zz t1"))
        #expect(try mirror.changes() == [])
        #expect(try mirror.unconfirmed() == [:])
        #expect(try mirror.recordedConflicts() == [])
    }

    @Test(arguments: [Answer.object, .nothing])
    func `a key that was not taken is recorded, and the row gets the former one back`(
        answer: Answer
    ) async throws {
        let mirror = try await Self.mirror(answer, takingKeys: false)
        try await mirror.update("Page:s1", ["slug": .string("zz"), "title": .string("mine")])
        _ = try await mirror.push()
        for _ in 1...2 {
            _ = try await mirror.read()
            #expect(try Self.rows(in: mirror) == Self.rows("1 s1 mine"))
            #expect(try mirror.changes() == [])
            #expect(
                try mirror.recordedConflicts() == [
                    "Page#1 notTaken slug: s1, zz, s1, s1 (remote)"
                ]
            )
        }
    }

    @Test func `where the local value wins, the row stays the object with the former key`()
        async throws
    {
        let policies = ConflictPolicies(default: .localWins)
        let mirror = try await Self.mirror(takingKeys: false, policies)
        try await mirror.update("Page:s1", ["slug": .string("zz")])
        _ = try await mirror.push()
        for _ in 1...2 {
            _ = try await mirror.read()
            #expect(try Self.rows(in: mirror) == Self.rows("1 zz t1"))
            #expect(try mirror.changes().map { $0.hasPrefix("Page#1 update, rejected") } == [true])
        }
    }

    @Test func `an answer that proves nothing about a key that was not taken is a rejection`()
        async throws
    {
        let mirror = try await Self.mirror(.list, takingKeys: false)
        try await mirror.update("Page:s1", ["slug": .string("zz")])
        _ = try await mirror.push()
        _ = try await mirror.read()
        #expect(try Self.rows(in: mirror) == Self.rows("1 zz t1"))
        #expect(try mirror.changes().map { $0.hasPrefix("Page#1 update, rejected") } == [true])
    }

    @Test func `a rejected key stays rejected, also if another object gets it`() async throws {
        let mirror = try await Self.mirror(rejecting: 422)
        try await mirror.update("Page:s1", ["slug": .string("s9")])
        _ = try await mirror.push()
        mirror.service.add("pages", ["slug": "s9", "title": "theirs"], key: 9)
        for _ in 1...2 {
            _ = try await mirror.read()
            #expect(try Self.rows(in: mirror) == Self.rows("1 s9 t1"))
            #expect(try mirror.changes().map { $0.hasPrefix("Page#1 update, rejected") } == [true])
        }
        try await mirror.store.write { writer in
            _ = try Outbox(mirror.store).discard(writer.db, RecordLocator("Page#1"))
        }
        _ = try await mirror.read()
        #expect(try Self.rows(in: mirror) == Self.rows("1 s1 t1", "4 s9 theirs"))
    }

    /// The order of the objects in the list does not matter.
    @Test(arguments: [false, true])
    func `a list with both keys shows that the new one was not taken`(isFirst: Bool) async throws {
        let mirror = try await Self.mirror(.nothing, takingKeys: false)
        try await mirror.update("Page:s1", ["slug": .string("s9")])
        _ = try await mirror.push()
        mirror.service.add("pages", ["slug": "s9", "title": "theirs"], key: 9)
        if isFirst { mirror.service.reverse("pages") }
        _ = try await mirror.read()
        _ = try await mirror.read()
        #expect(try Self.rows(in: mirror) == Self.rows("1 s1 t1", "4 s9 theirs"))
        #expect(
            try mirror.recordedConflicts() == ["Page#1 notTaken slug: s1, s9, s1, s1 (remote)"]
        )
    }
}

/// Objects whose key contains a reference, which was changed: a comment that was moved.
struct PushCompositeKeyTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Post",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("comments", "Comment", inverse: "post")]
        ),
        EntityDescription(
            "Comment",
            primaryKey: ["post", "id"],
            attributes: [Attribute("id", .integer64), Attribute("text", .string)],
            relationships: [.one("post", "Post", inverse: "comments")]
        ),
    ])

    private static func mirror(takingKeys isTaken: Bool) async throws -> PlainMirror {
        let comments: [FakeJSON] = [
            ["id": 1, "post_id": 1, "text": "a"], ["id": 2, "post_id": 2, "text": "b"],
        ]
        let lists: PlainService.Lists = ["posts": [["id": 1], ["id": 2]], "comments": comments]
        let service = PlainService(lists) { request, lists in
            guard request.steps.first == "comments", request.steps.count == 3 else { return nil }
            let index = lists["comments"]?.firstIndex {
                let key = [$0["post_id"], $0["id"]].compactMap { $0?.description }
                return key == Array(request.steps[1...])
            }
            guard let index else { return .init(status: 404, body: ["detail": "Not found."]) }
            guard request.method == "PATCH" else { return .init(body: lists["comments"]?[index]) }
            let post = lists["comments"]?[index]["post_id"]
            lists["comments"]?[index].assign(request.body ?? [:])
            if !isTaken { lists["comments"]?[index]["post_id"] = post }
            return .init(body: lists["comments"]?[index])
        }
        var push = PushStyle.rest
        push.update = PushStyle.Operation(.patch, path: "{path}/{post}/{id}")
        let mirror = try PlainMirror(
            model,
            [("Post", "posts"), ("Comment", "comments")],
            with: service,
            push
        )
        try await mirror.pull()
        return mirror
    }

    /// The comments, with the number of their posts' rows, which are the keys.
    private static func comments(in mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            try reader.fetch(RecordRequest("Comment", links: .only(["post"]))).map { comment in
                let posts = (comment.links["post"] ?? []).map(\.description)
                return "\(comment.reference) of \(posts.joined())"
            }
            .sorted()
        }
    }

    @Test(arguments: [false, true])
    func `a comment that was moved stays the object of its former post until it is confirmed`(
        isTaken: Bool
    ) async throws {
        let mirror = try await Self.mirror(takingKeys: isTaken)
        try await mirror.update("Comment#1", links: ["post": [RecordLocator("Post:2")]])
        let moved = ["Comment#1 of Post#2", "Comment#2 of Post#2"]
        _ = try await mirror.read()
        #expect(try Self.comments(in: mirror) == moved)
        #expect(try mirror.changes() == ["Comment#1 update, pending"])
        _ = mirror.service.takeWrites()
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH comments/1/1 {"post_id":2}"#])
        _ = try await mirror.read()
        #expect(
            try Self.comments(in: mirror)
                == (isTaken ? moved : ["Comment#1 of Post#1", "Comment#2 of Post#2"])
        )
        #expect(try mirror.changes() == [])
        #expect(try mirror.recordedConflicts().count == (isTaken ? 0 : 1))
    }
}
