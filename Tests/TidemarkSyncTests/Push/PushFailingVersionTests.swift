import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Services whose versions never match: a proxy adds a suffix to the entity tags of what it
/// compresses.
struct PushFailingVersionTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("text", .string),
            ]
        )
    ])

    /// The tag of an object, as its service knows it.
    private static func tag(_ object: FakeJSON?) -> String {
        "\"\((object?.description ?? "").utf8.reduce(0) { ($0 &* 31 &+ UInt32($1)) })\""
    }

    private static func mirror(
        suffix: String,
        before change: @escaping @Sendable (inout PlainService.Lists) -> Void = { _ in }
    ) async throws -> (PlainMirror, EventLog) {
        let isFirst = Locked(true)
        let service = PlainService(["notes": [["id": 1, "title": "a", "text": "x"]]]) {
            request,
            lists in
            guard request.steps.count == 2 else { return nil }
            if request.method == "GET" {
                let object = lists["notes"]?.first
                let shown = tag(object).dropLast() + suffix + "\""
                return .init(body: object, fields: [.eTag: String(shown)])
            }
            let changes = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if changes { change(&lists) }
            guard let condition = request.fields[.ifMatch],
                condition != tag(lists["notes"]?.first)
            else { return nil }
            return .init(status: 412, body: ["detail": "Precondition Failed"])
        }
        let log = EventLog()
        var mirror = try PlainMirror(model, [("Note", "notes")], with: service)
        mirror.onEvent = log.record
        try await mirror.pull()
        return (mirror, log)
    }

    @Test func `an edit is sent without the condition if the object is unchanged`() async throws {
        let (mirror, log) = try await Self.mirror(suffix: "-gzip")
        try await mirror.update("Note:1", ["title": .string("b")])
        _ = try await mirror.push()
        #expect(mirror.service["notes", 1] == ["id": 1, "title": "b", "text": "x"])
        #expect(try mirror.changes() == [])
        #expect(log.lines.contains("versions of notes fail"))
        #expect(try SyncStatus.of(mirror.store).resources.map(\.versionsFail) == [true])
        // The list is known from then on: one read and one request.
        _ = mirror.service.takeWrites()
        try await mirror.update("Note:1", ["title": .string("c")])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH notes/1 {"title":"c"}"#])
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: [true, false])
    func `a weak tag is a condition where the configuration says that versions are`(
        checksVersions: Bool
    ) async throws {
        let conditions = Locked<[String?]>([])
        var push = PushStyle.rest
        if checksVersions { push.check = .version(parameter: nil) }
        let service = PlainService(["notes": [["id": 1, "title": "a", "text": "x"]]]) {
            request,
            lists in
            guard request.steps.count == 2 else { return nil }
            guard request.method == "PATCH" else {
                return .init(body: lists["notes"]?.first, fields: [.eTag: #"W/"1""#])
            }
            conditions.withLock { $0.append(request.fields[.ifMatch]) }
            return nil
        }
        let mirror = try PlainMirror(Self.model, [("Note", "notes")], with: service, push)
        try await mirror.pull()
        try await mirror.update("Note:1", ["title": .string("b")])
        _ = try await mirror.push()
        #expect(conditions.withLock { $0 } == [checksVersions ? #"W/"1""# : nil])
        #expect(try mirror.changes() == [])
    }

    @Test func `an object that was changed meanwhile is merged, and its version still counts`()
        async throws
    {
        let (mirror, log) = try await Self.mirror(suffix: "") { lists in
            lists["notes"]?[0]["text"] = "y"
        }
        try await mirror.update("Note:1", ["title": .string("b")])
        _ = try await mirror.push()
        #expect(mirror.service["notes", 1] == ["id": 1, "title": "b", "text": "y"])
        #expect(try mirror.changes() == [])
        #expect(!log.lines.contains("versions of notes fail"))
        #expect(try SyncStatus.of(mirror.store).resources.map(\.versionsFail) == [false])
    }
}
