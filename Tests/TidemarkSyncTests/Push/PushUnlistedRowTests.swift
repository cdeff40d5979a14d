import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Rows that their list lacks after they were changed: it may lag, or the change has removed them
/// from it.
struct PushUnlistedRowTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Post",
            attributes: [Attribute("id", .integer64), Attribute("status", .string)]
        )
    ])

    /// A service whose list has only what is published.
    private static func mirror(
        readable isReadable: Bool = true,
        _ push: PushStyle = .rest
    ) async throws -> PlainMirror {
        let posts = (1...3).map { key -> FakeJSON in
            ["id": .number("\(key)"), "status": "publish"]
        }
        let service = PlainService(["posts": posts]) { request, lists in
            guard request.method == "GET" else { return nil }
            guard request.steps.count == 1 else {
                return isReadable ? nil : .init(status: 404, body: ["detail": "No such address."])
            }
            let published = (lists["posts"] ?? []).filter { $0["status"] == "publish" }
            return .init(body: .array(published))
        }
        let mirror = try PlainMirror(model, [("Post", "posts")], with: service, push)
        try await mirror.pull()
        return mirror
    }

    private static func keys(in mirror: PlainMirror) throws -> [Int64] {
        try mirror.store.read { reader in
            try Int64.fetchAll(reader.db, sql: "SELECT id FROM Post ORDER BY id")
        }
    }

    @Test func `an object that left its list is read for ten minutes, and then follows the list`()
        async throws
    {
        let mirror = try await Self.mirror()
        try await mirror.update("Post:2", ["status": .string("draft")])
        _ = try await mirror.push()
        _ = mirror.service.takeWrites()
        // The list may lag: the object itself decides.
        for _ in 1...4 {
            _ = try await mirror.engine().pull()
            #expect(mirror.service.reads.contains("posts/2"))
            #expect(try Self.keys(in: mirror) == [1, 2, 3])
            _ = mirror.service.takeWrites()
        }
        mirror.clock.advance(by: .seconds(601))
        _ = try await mirror.engine().pull()
        #expect(try Self.keys(in: mirror) == [1, 2, 3])
        // A list that lacks it again has been read since.
        _ = try await mirror.engine().pull()
        #expect(try Self.keys(in: mirror) == [1, 3])
        _ = mirror.service.takeWrites()
        _ = try await mirror.engine().pull()
        #expect(mirror.service.reads == ["posts"])
        #expect(try mirror.changes() == [])
        #expect(mirror.service["posts", 2]?["status"] == "draft")
    }

    @Test func `an object that was deleted meanwhile is deleted here at once`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update("Post:2", ["status": .string("draft")])
        _ = try await mirror.push()
        mirror.service.remove("posts", 2)
        _ = try await mirror.engine().pull()
        #expect(try Self.keys(in: mirror) == [1, 3])
    }

    @Test func `a new object that no list and no read shows yet is kept for ten minutes`()
        async throws
    {
        let mirror = try await Self.mirror()
        try await mirror.store.write { writer in
            _ = try writer.insert("Post", values: ["status": .string("draft")])
        }
        _ = try await mirror.push()
        let created = try Self.keys(in: mirror)
        #expect(created.count == 4)
        mirror.service.remove("posts", Int(created[3]))
        for _ in 1...4 {
            _ = try await mirror.engine().pull()
            #expect(try Self.keys(in: mirror) == created)
        }
        // What is edited meanwhile waits for the object, and is not rejected.
        try await mirror.update("Post:\(created[3])", ["status": .string("publish")])
        _ = try await mirror.push()
        #expect(
            try mirror.changes() == [
                "Post#4 update, pending: the service does not show the new object yet"
            ]
        )
        mirror.clock.advance(by: .seconds(601))
        for _ in 1...2 { _ = try await mirror.engine().sync() }
        #expect(try Self.keys(in: mirror) == [1, 2, 3])
    }

    /// A service without an address for an object responds with 404, too.
    @Test func `where objects cannot be read, a few lists decide`() async throws {
        var style = PushStyle.rest
        style.check = .none
        let mirror = try await Self.mirror(readable: false, style)
        try await mirror.update("Post:2", ["status": .string("draft")])
        _ = try await mirror.push()
        for _ in 1...3 {
            _ = try await mirror.engine().pull()
            #expect(try Self.keys(in: mirror) == [1, 2, 3])
        }
        mirror.clock.advance(by: .seconds(601))
        _ = try await mirror.engine().pull()
        #expect(try Self.keys(in: mirror) == [1, 3])
        #expect(try mirror.unconfirmed() == [:])
    }
}
