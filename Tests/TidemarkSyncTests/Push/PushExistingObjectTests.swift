import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// A service that answers a creation with an object that it has already.
struct PushExistingObjectTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Tag",
            attributes: [
                Attribute("id", .integer64), Attribute("name", .string),
                Attribute("color", .string),
            ]
        )
    ])

    private static func mirror(_ existing: PushStyle.ExistingObject) async throws -> PlainMirror {
        var push = PushStyle.rest
        push.create?.existing = existing
        let tags: [FakeJSON] = [
            ["id": 1, "name": "old", "color": "red"], ["id": 2, "name": "home", "color": "red"],
        ]
        let service = PlainService(["tags": tags]) { request, lists in
            guard request.method == "POST" else { return nil }
            let found = lists["tags"]?.first { $0["name"] == request.body?["name"] }
            return found.map { .init(body: $0) }
        }
        let mirror = try PlainMirror(model, [("Tag", "tags")], with: service, push)
        try await mirror.pull()
        return mirror
    }

    private static func rows(_ mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            try reader.fetch(RecordRequest("Tag", sort: [.init("id")])).map { tag in
                "\(tag.reference) \(tag["id"]) \(tag["name"]) \(tag["color"])"
            }
        }
    }

    private static func create(_ values: [String: Value], in mirror: PlainMirror) async throws {
        try await mirror.store.write { _ = try $0.insert("Tag", values: values) }
    }

    @Test func `the rows stay apart by default, with a conflict and a reason`() async throws {
        let mirror = try await Self.mirror(.conflict)
        try await Self.create(["name": .string("home"), "color": .string("red")], in: mirror)
        _ = try await mirror.push()
        #expect(try Self.rows(mirror).count == 3)
        let reason = "the service has answered with Tag:2, which it had before"
        #expect(try mirror.changes() == ["Tag#3 create, rejected: \(reason)"])
        let conflicts = try await mirror.store.read { try Conflicts(mirror.store).list($0.db) }
        #expect(conflicts.map(\.kind) == [.duplicateCreate])
    }

    @Test func `a creation that was answered with another row's object is sent once in a push`()
        async throws
    {
        let mirror = try await Self.mirror(.conflict)
        try await Self.create(["name": .string("home"), "color": .string("red")], in: mirror)
        try await Self.create(["name": .string("new"), "color": .string("red")], in: mirror)
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites().count { $0.contains("home") } == 1)
        let conflicts = try await mirror.store.read { try Conflicts(mirror.store).list($0.db) }
        #expect(conflicts.map(\.kind) == [.duplicateCreate])
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [])
    }

    @Test func `an equal object becomes that of the new row where the service finds or creates`()
        async throws
    {
        let events = EventLog()
        var mirror = try await Self.mirror(.adopt)
        mirror.onEvent = events.record
        try await Self.create(["name": .string("home"), "color": .string("red")], in: mirror)
        let report = try await mirror.push()
        #expect(report.entities == ["Tag": PushReport.Counts(adopted: 1)])
        #expect(report.hasPushed)
        #expect(events.lines == ["pushing 1", "Tag#3 adopts 2", "finished"])
        #expect(try mirror.changes() == [])
        let rows = try Self.rows(mirror)
        #expect(rows.count == 2 && rows[1].hasPrefix("Tag#3 "), "\(rows)")
        _ = try await mirror.engine().pull()
        #expect(try Self.rows(mirror) == rows)
    }

    @Test func `an object that differs from the new row is never taken for it`() async throws {
        let mirror = try await Self.mirror(.adopt)
        try await Self.create(["name": .string("home"), "color": .string("blue")], in: mirror)
        _ = try await mirror.push()
        #expect(try Self.rows(mirror).count == 3)
        #expect(try mirror.changes().map { $0.prefix(20) } == ["Tag#3 create, reject"])
    }
}
