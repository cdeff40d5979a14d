import Foundation
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

/// Responses that a look at the service contradicts.
struct PushDisbeliefTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [Attribute("id", .integer64), Attribute("text", .string)]
        )
    ])

    private static func mirror(
        _ count: Int = 3,
        _ push: PushStyle = .rest,
        _ rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let notes = (1...count).map { key -> FakeJSON in
            ["id": .number("\(key)"), "text": .string("t\(key)"), "secret": .string("s\(key)")]
        }
        let service = PlainService(["notes": notes], rule)
        let mirror = try PlainMirror(model, [("Note", "notes")], with: service, push)
        try await mirror.pull()
        return mirror
    }

    private static func rows(in mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            try String.fetchAll(
                reader.db,
                sql: "SELECT _id || ' ' || coalesce(id, '') || ' ' || text FROM Note ORDER BY id"
            )
        }
    }

    @Test(arguments: [404, 410])
    func `a deletion that a service hides from its client is not taken`(
        status: Int
    ) async throws {
        let mirror = try await Self.mirror { request, _ in
            request.method == "DELETE" ? .init(status: status, body: [:]) : nil
        }
        let before = try Self.rows(in: mirror)
        try await mirror.edit("DELETE FROM Note WHERE id = 2")
        let report = try await mirror.engine().sync()
        #expect(report.pushed.total.notTaken == 1)
        #expect(try Self.rows(in: mirror) == before)
        let conflicts = try await mirror.store.read { try Conflicts(mirror.store).list($0.db) }
        #expect(conflicts.map(\.kind) == [.notTaken])
        #expect(try mirror.unconfirmed() == [:])
    }

    @Test func `a deletion of an object that does not exist any more is done`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.edit("DELETE FROM Note WHERE id = 2")
        mirror.service.remove("notes", 2)
        let report = try await mirror.engine().sync()
        #expect(report.pushed.total.deleted == 1)
        #expect(try Self.rows(in: mirror).count == 2)
        #expect(try mirror.recordedConflicts() == [])
        #expect(try mirror.unconfirmed() == [:])
    }

    @Test(arguments: [
        "UPDATE Note SET text = 'mine' WHERE id = 1", "INSERT INTO Note (text) VALUES ('new')",
    ])
    func `rows whose changes were just accepted count towards the guard of a list`(
        edit: String
    ) async throws {
        let isEmpty = Locked(false)
        let mirror = try await Self.mirror(12) { request, _ in
            guard request.method == "GET", request.steps.count == 1, isEmpty.withLock(\.self) else {
                return nil
            }
            return .init(body: [])
        }
        isEmpty.withLock { $0 = true }
        try await mirror.edit(edit)
        for _ in 1...2 { _ = try await mirror.engine().sync() }
        #expect(try Self.rows(in: mirror).count >= 12)
        let pending = try SyncStatus.of(mirror.store).pendingDeletions
        #expect(pending.map(\.rowCount).reduce(0, +) >= 11, "\(pending)")
    }

    @Test func `an object with another key is not the one that was to be read`() async throws {
        var push = PushStyle.rest
        push.update = PushStyle.Operation(.put, content: .whole)
        let mirror = try await Self.mirror(3, push) { request, lists in
            guard request.method == "GET", request.steps.count == 2 else { return nil }
            return .init(body: lists["notes"]?[0])
        }
        try await mirror.update("Note:2", ["text": .string("mine")])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [])
        #expect(mirror.service["notes", 2]?["secret"] == "s2")
        let reason =
            "the response to \(PlainService.url.appending(path: "notes/2")) contains an object "
            + "with another key"
        #expect(try mirror.changes() == ["Note#2 update, pending: \(reason)"])
        #expect(try Self.rows(in: mirror)[1] == "2 2 mine")
    }

    @Test(arguments: [PushStyle.ResponseContent.automatic, .object, .key, .none, .any])
    func `a response of plain text is from the service, and stops nothing`(
        content: PushStyle.ResponseContent
    ) async throws {
        var push = PushStyle.rest
        push.reading.response = content
        let mirror = try await Self.mirror(20, push) { request, lists in
            guard request.method == "PATCH", let key = request.steps.last,
                let index = lists["notes"]?.firstIndex(where: { $0["id"]?.description == key })
            else { return nil }
            lists["notes"]?[index].assign(request.body ?? [:])
            return .init(text: "OK")
        }
        try await mirror.edit("UPDATE Note SET text = 'mine'")
        let report = try await mirror.push()
        #expect(report.total.updated == 20)
        #expect(report.failures.isEmpty)
        #expect(try mirror.changes() == [])
        _ = try await mirror.engine().sync()
        #expect(try mirror.unconfirmed() == [:])
    }
}
