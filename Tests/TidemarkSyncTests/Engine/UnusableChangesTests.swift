import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Change queries that cannot work, which are reported and not tried again in each pull.
struct UnusableChangesTests {
    private static let model = Model {
        EntityDescription("Task") {
            Attribute("id", .integer64)
            Attribute("updatedAt", .date)
        }
    }

    private static let list = """
        [{"id": 1, "updated_at": "2026-01-01T00:00:00Z"}, \
        {"id": 2, "updated_at": "2026-01-01T00:00:05Z"}]
        """

    private static let changes = "/tasks?since=2026-01-01T00%3A00%3A04Z"

    private static func mirror(
        _ field: String = "updated_at",
        _ change: (inout ResourceStyle) -> Void = { $0.deletes = .none }
    ) throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(model, [("Task", "tasks")])
        mirror.resources[0].style.delta = .since(
            .init(field: [field], condition: .parameter("since"))
        )
        change(&mirror.resources[0].style)
        mirror.service["/tasks"] = list
        return mirror
    }

    private func codes(_ report: SyncReport) -> [SyncWarning.Code] {
        report.resources["tasks"]?.warnings.map(\.code) ?? []
    }

    @Test func `changes that the service rejects twice are not requested again`() async throws {
        let mirror = try Self.mirror()
        #expect(codes(try await mirror.pull()) == [])
        for _ in 0..<2 {
            _ = mirror.service.takeRequests()
            let report = try await mirror.pull()
            #expect(codes(report) == [.changesRejected])
            #expect(report.isComplete)
            #expect(mirror.service.takeRequests().first == "GET \(Self.changes) 404")
        }
        let report = try await mirror.pull()
        #expect(codes(report) == [.changesRejected])
        #expect(!mirror.service.takeRequests().contains { $0.contains("since") })
        mirror.service[Self.changes] = Self.list
        // A full pull that fails proves nothing about the changes.
        mirror.service["/tasks"] = nil
        #expect(codes(try await mirror.pull { $0.isFull = true }) == [.changesRejected])
        mirror.service["/tasks"] = Self.list
        #expect(codes(try await mirror.pull { $0.isFull = true }) == [])
        _ = mirror.service.takeRequests()
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET \(Self.changes) 200"])
    }

    @Test func `a response without the object of the cursor is not trusted`() async throws {
        let mirror = try Self.mirror()
        try await mirror.pull()
        mirror.service[Self.changes] = "[]"
        mirror.service["/tasks"] = Self.list.replacing("00:00Z", with: "00:09Z")
        let report = try await mirror.pull()
        #expect(codes(report) == [.changesIncomplete])
        #expect(report.total.entities["Task"]?.updated == 1)
    }

    @Test func `a response without the object of the cursor is valid if that was deleted`()
        async throws
    {
        let mirror = try Self.mirror()
        try await mirror.pull()
        mirror.service[Self.changes] = "[]"
        mirror.service["/tasks"] = #"[{"id": 1, "updated_at": "2026-01-01T00:00:00Z"}]"#
        #expect(codes(try await mirror.pull()) == [])
    }

    @Test func `a template inserts the time of the latest change into a parameter`() async throws {
        let mirror = try Self.mirror { style in
            style.deletes = .none
            style.delta = ChangeQuery(option: "since:updated_at>updated_at=>={}") ?? .none
        }
        try await mirror.pull()
        _ = mirror.service.takeRequests()
        let changes = "/tasks?updated_at=%3E%3D2026-01-01T00%3A00%3A04Z"
        mirror.service[changes] = Self.list
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET \(changes) 200"])
        #expect(ChangeQuery(option: "since:updated_at>updated_at=>=") == nil)
    }

    @Test func `a change stamp that no object contains is reported`() async throws {
        let mirror = try Self.mirror("changed")
        #expect(codes(try await mirror.pull()) == [.noCursor])
        #expect(codes(try await mirror.pull()) == [.noCursor])
    }

    @Test func `changes that would hide deletions are reported when the engine is created`()
        async throws
    {
        let mirror = try Self.mirror { _ in }
        #expect(try mirror.engine().warnings.map(\.code) == [.changesNotUsed])
        #expect(codes(try await mirror.pull()) == [.changesNotUsed])
        let bounded = try Self.mirror { $0.fullInterval = .seconds(86_400) }
        #expect(try bounded.engine().warnings == [])
    }

    @Test func `the whole list is read again after its interval`() async throws {
        let mirror = try Self.mirror { $0.fullInterval = .zero }
        try await mirror.pull()
        _ = mirror.service.takeRequests()
        try await mirror.pull()
        #expect(mirror.service.takeRequests() == ["GET /tasks 304"])
    }

    @Test(arguments: [(-3_600.0, false), (-90_000, true), (3_600, true), (30, false)])
    func `the whole list is read again if the clock was set back since it was read`(
        offset: Double,
        isRead: Bool
    ) async throws {
        let mirror = try Self.mirror { $0.fullInterval = .seconds(86_400) }
        mirror.service[Self.changes] = Self.list
        try await mirror.pull()
        try await mirror.store.writer.write { db in
            try db.execute(
                sql: "UPDATE _tidemark_resource SET swept = swept + ?",
                arguments: [offset]
            )
        }
        _ = mirror.service.takeRequests()
        try await mirror.pull()
        #expect(
            mirror.service.takeRequests()
                == [isRead ? "GET /tasks 304" : "GET \(Self.changes) 200"]
        )
    }

    @Test(arguments: [#""has_more": true"#, #""total_pages": 2"#])
    func `incomplete changes without a next page fail, and do not advance the cursor`(
        _ sign: String
    ) async throws {
        let mirror = try Self.mirror()
        try await mirror.pull()
        for _ in 0..<2 {
            mirror.service[Self.changes] =
                #"{"results": [{"id": 3, "updated_at": "2026-01-01T00:00:09Z"}], \#(sign)}"#
            let report = try await mirror.pull()
            #expect((report.failures.first as? RemoteError)?.code == .incompleteList)
        }
        mirror.service[Self.changes] =
            #"{"results": [{"id": 3, "updated_at": "2026-01-01T00:00:09Z"}]}"#
        #expect(try await mirror.pull().isComplete)
        #expect(try mirror.count("Task") == 3)
    }

    @Test func `changes with fewer objects than their total lead to the whole list`() async throws {
        let mirror = try Self.mirror()
        try await mirror.pull()
        mirror.service[Self.changes] =
            #"{"results": [{"id": 3, "updated_at": "2026-01-01T00:00:09Z"}], "count": 2}"#
        mirror.service["/tasks"] = Self.list.replacing(
            "]",
            with: #", {"id": 3, "updated_at": "2026-01-01T00:00:09Z"}, {"id": 4}]"#
        )
        #expect(codes(try await mirror.pull()) == [.changesIncomplete])
        #expect(try mirror.count("Task") == 4)
    }
}
