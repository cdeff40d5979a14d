import Foundation
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Services that change texts when they store them, and whose responses to creations are lost.
struct PushNormalizedTextTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("text", .string), Attribute("isDone", .boolean),
                Attribute("due", .date),
            ]
        )
    ])

    /// Stores what it is sent in a form of its own, and fails afterwards.
    private static func mirror(
        _ normalize: @escaping @Sendable (String) -> String
    ) async throws -> PlainMirror {
        let service = PlainService([
            "notes": [
                [
                    "id": 1, "title": "first", "text": "x", "due": "2026-01-01T10:00:00Z",
                ]
            ]
        ]) {
            request,
            lists in
            guard request.method == "POST", case .object(let members) = request.body else {
                return nil
            }
            let key = 2 + (lists["notes"] ?? []).count
            var object: FakeJSON = ["id": .number("\(key)")]
            for member in members {
                if case .string(let text) = member.value {
                    object[member.name] = .string(normalize(text))
                } else {
                    object[member.name] = member.value
                }
            }
            lists["notes"]?.append(object)
            return .init(status: 500, body: [:])
        }
        let mirror = try PlainMirror(model, [("Note", "notes")], with: service)
        try await mirror.pull()
        return mirror
    }

    /// Creates a note, and syncs until nothing changes any more.
    private static func create(_ values: [String: Value], in mirror: PlainMirror) async throws {
        try await mirror.store.write { _ = try $0.insert("Note", values: values) }
        for _ in 1...4 {
            _ = try await mirror.engine().sync()
            mirror.clock.advance(by: .seconds(7_200))
        }
    }

    private static func posts(_ mirror: PlainMirror) -> Int {
        mirror.service.takeWrites().count { $0.hasPrefix("POST") }
    }

    private static let changes: [@Sendable (String) -> String] = [
        { $0.trimmingCharacters(in: .whitespacesAndNewlines) },
        { $0.replacing("\n", with: "\r\n") },
        { $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;") },
    ]

    @Test(arguments: 0..<3)
    func `an object is recognized by another value than the text that was changed`(
        change: Int
    ) async throws {
        let mirror = try await Self.mirror(Self.changes[change])
        try await Self.create(
            ["title": .string("new"), "text": .string(" a & b\n<c> ")],
            in: mirror
        )
        #expect(Self.posts(mirror) == 1)
        #expect(try mirror.changes() == [])
        let rows = try await mirror.store.read { try $0.count(RecordRequest("Note")) }
        #expect(rows == 2)
    }

    @Test func `an object is recognized although its service leaves out the fraction of a time`()
        async throws
    {
        let mirror = try await Self.mirror { text in
            text.replacing(/\.\d+Z/, with: "Z")
        }
        try await Self.create(["title": .string("new"), "due": .date(1_790_000_000.5)], in: mirror)
        #expect(Self.posts(mirror) == 1)
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: 0..<3)
    func `a creation whose only text was changed waits for its user, and is not sent again`(
        change: Int
    ) async throws {
        let mirror = try await Self.mirror(Self.changes[change])
        try await Self.create(
            ["title": .string(" a & b\n<c> "), "isDone": .boolean(false)],
            in: mirror
        )
        #expect(Self.posts(mirror) == 1)
        let changes = try mirror.changes()
        #expect(changes.count == 1 && changes[0].contains("uncertain"), "\(changes)")
        #expect(changes[0].contains("Note:3"), "\(changes)")
    }
}
