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

/// Objects that a user has recognized as those of rows that were created here.
struct AdoptionTests {
    private static let row = RecordLocator(RowReference("Task", 2))

    /// Creates a task whose object gets another title, and whose response is lost.
    private static func lost(
        pulling isPulled: Bool,
        _ onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) async throws -> LostCreation {
        var lost = try await LostCreation(#"{"title": "NEW"}"#)
        lost.mirror.onEvent = onEvent
        try await lost.create(
            ["title": .string("new"), "code": .string("c")],
            links: ["tags": [RecordLocator("Tag:2")]]
        )
        _ = try await lost.mirror.push()
        if isPulled { #expect(try await lost.sync() == .waits) }
        return lost
    }

    // MARK: Lost creations

    @Test(arguments: [false, true])
    func `the row gets the key and the values of the object`(isPulled: Bool) async throws {
        let events = EventLog()
        let lost = try await Self.lost(pulling: isPulled, events.record)
        #expect(try lost.rows().count == (isPulled ? 2 : 1))
        _ = events.take()
        let left = try await lost.mirror.engine().adopt(Self.row, key: 2)
        #expect(left == nil)
        #expect(events.take() == ["Task#2 adopts 2"])
        #expect(try lost.rows() == ["Task#2 integer(2) string(\"NEW\")"])
        #expect(try lost.mirror.changes() == [])
        #expect(try await lost.sync() != .waits)
        #expect(try lost.rows() == ["Task#2 integer(2) string(\"NEW\")"])
        #expect(lost.mirror.service["tasks", 2]?["tag_ids"] == [2])
    }

    @Test func `what refers to a row that was pulled refers to the kept one`() async throws {
        let lost = try await Self.lost(pulling: true)
        try await lost.mirror.update("Tag:3", links: ["tasks": [RecordLocator("Task:2")]])
        try await lost.mirror.update("Task:2", ["code": .string("edited")])
        _ = try await lost.mirror.engine().adopt(Self.row, key: 2)
        let tasks = try await lost.mirror.store.read { reader in
            try ["Tag:2", "Tag:3"].map { tag in
                try reader.record(RecordLocator(tag), links: .all).links["tasks"] ?? []
            }
        }
        #expect(tasks == [[RowReference("Task", 2)], [RowReference("Task", 2)]])
        _ = lost.mirror.service.takeWrites()
        _ = try await lost.mirror.engine().sync()
        #expect(lost.mirror.service["tasks", 2]?["code"] == "edited")
        #expect(lost.mirror.service["tasks", 2]?["tag_ids"] == [2, 3])
        #expect(try lost.mirror.changes() == [])
    }

    @Test(arguments: [false, true])
    func `edits after the request are an update of the object`(isPulled: Bool) async throws {
        let lost = try await Self.lost(pulling: isPulled)
        try await lost.mirror.update("Task#2", ["title": .string("newer")])
        let left = try await lost.mirror.engine().adopt(Self.row, key: 2)
        #expect(left?.kind == .update)
        #expect(left?.properties == ["title"])
        _ = lost.mirror.service.takeWrites()
        _ = try await lost.mirror.engine().sync()
        #expect(lost.mirror.service.takeWrites() == [#"PATCH tasks/2 {"title":"newer"}"#])
        #expect(try lost.rows() == ["Task#2 integer(2) string(\"newer\")"])
        #expect(try lost.mirror.changes() == [])
        let conflicts = try await lost.mirror.store.read {
            try Conflicts(lost.mirror.store).list($0.db)
        }
        #expect(conflicts.isEmpty)
    }

    @Test func `a row that was deleted meanwhile is deleted at the service`() async throws {
        let lost = try await Self.lost(pulling: false)
        try await lost.mirror.store.write { _ = try $0.delete(Self.row) }
        let left = try await lost.mirror.engine().adopt(Self.row, key: 2)
        #expect(left?.kind == .delete && left?.key == 2)
        _ = try await lost.mirror.push()
        #expect(lost.mirror.service["tasks", 2] == nil)
        #expect(try lost.mirror.changes() == [])
    }

    // MARK: Creations that were not sent

    /// Creates a task that the service has already, in other words.
    private static func unsent(
        pulledAfter isPulled: Bool,
        rejected isRejected: Bool = false
    ) async throws -> LostCreation {
        let lost = try await LostCreation(nil)
        try await lost.create(
            ["title": .string("new"), "code": .string("c"), "count": .integer(7)],
            links: ["tags": [RecordLocator("Tag:2")]],
            steps: ["walk"]
        )
        lost.mirror.service.add(
            "tasks",
            ["id": 2, "title": "NEW", "code": "c", "price": "9.5", "tag_ids": [3]],
            key: 2
        )
        if isPulled { _ = try await lost.mirror.engine().pull() }
        if isRejected {
            try await lost.mirror.store.write { writer in
                try writer.db.execute(sql: "UPDATE _tidemark_change SET state = 'rejected'")
            }
        }
        return lost
    }

    private static func engine(
        _ lost: LostCreation,
        _ policy: ConflictPolicy
    ) throws -> SyncEngine {
        var importer = Importer(lost.mirror.store)
        importer.conflicts = ConflictPolicies(default: policy)
        return try SyncEngine(
            store: lost.mirror.store,
            service: lost.mirror.remote,
            resources: lost.mirror.resources,
            transport: AnyTransport(lost.mirror.service),
            importer: importer,
            environment: lost.mirror.clock.environment,
            limits: .longTimeout
        )
    }

    @Test(arguments: [false, true], [false, true])
    func `a policy decides what the row has that the object has otherwise`(
        isPulled: Bool,
        isRejected: Bool
    ) async throws {
        for (policy, title) in [(ConflictPolicy.remoteWins, "NEW"), (.localWins, "new")] {
            let lost = try await Self.unsent(pulledAfter: isPulled, rejected: isRejected)
            let engine = try Self.engine(lost, policy)
            let left = try await engine.adopt(Self.row, key: 2)
            #expect(left?.kind == .update && left?.state == .pending)
            #expect(try lost.rows() == ["Task#2 integer(2) string(\"\(title)\")"])
            let conflicts = try await lost.mirror.store.read {
                try Conflicts(lost.mirror.store).list($0.db)
            }
            #expect(conflicts.map(\.kind) == [.duplicateCreate])
            _ = try await engine.sync()
            #expect(!lost.mirror.service.takeWrites().contains { $0.hasPrefix("POST") })
            let object = try #require(lost.mirror.service["tasks", 2])
            #expect(object["title"] == .string(title))
            #expect(object["count"] == 7)
            #expect(object["price"] == "9.5")
            #expect(object["tag_ids"] == [2, 3] || object["tag_ids"] == [3, 2])
            #expect(object["steps"]?.description.contains("walk") == true)
            #expect(try lost.mirror.changes() == [])
            #expect(try lost.rows() == ["Task#2 integer(2) string(\"\(title)\")"])
        }
    }

    @Test func `an equal object leaves nothing to send`() async throws {
        let lost = try await LostCreation(nil)
        try await lost.create(["title": .string("new")])
        lost.mirror.service.add("tasks", ["id": 2, "title": "new"], key: 2)
        #expect(try await lost.mirror.engine().adopt(Self.row, key: 2) == nil)
        #expect(try await lost.sync() == .sentAgain, "nothing was sent at all")
        #expect(try lost.mirror.changes() == [])
        #expect(try lost.rows() == ["Task#2 integer(2) string(\"new\")"])
    }

    @Test func `the row stays although a list was read before that lacks the object`()
        async throws
    {
        let lost = try await LostCreation(nil)
        try await lost.create(["title": .string("new")])
        lost.mirror.service.add("tasks", ["id": 2, "title": "new"], key: 2)
        _ = try await lost.mirror.engine().adopt(Self.row, key: 2)
        #expect(try await lost.mirror.engine().pull().isComplete)
        #expect(try lost.rows().count == 1)
    }

    // MARK: Where the object is

    /// Creates a task whose service does with requests what a test says.
    private static func pending(_ rule: @escaping PlainService.Rule) async throws -> PlainMirror {
        let mirror = try PlainMirror(
            Model(entities: [
                EntityDescription(
                    "Task",
                    attributes: [
                        Attribute("id", .integer64), Attribute("title", .string),
                        Attribute("gone", .boolean),
                    ]
                )
            ]),
            [("Task", "tasks")],
            with: PlainService(["tasks": [["id": 1, "title": "first"]]], rule)
        )
        try await mirror.pull()
        try await mirror.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("new")])
        }
        mirror.service.add("tasks", ["title": "new"], key: 2)
        return mirror
    }

    @Test(arguments: [400, 404, 405, 406])
    func `an object that cannot be read by its key is found in the list`(
        status: Int
    ) async throws {
        let mirror = try await Self.pending { request, _ in
            request.method == "GET" && request.steps.count == 2
                ? .init(status: status, body: ["detail": "?"]) : nil
        }
        _ = try await mirror.engine().adopt(Self.row, key: 2)
        #expect(try mirror.changes() == [])
        #expect(mirror.service.reads == ["tasks/2", "tasks"])
    }

    @Test(arguments: [
        #"{"id": 1, "title": "first"}"#, #"{"title": "new"}"#, #"[{"id": 1}]"#, "[]", "{}",
        #"{"id": {"a": 1}}"#,
    ])
    func `an object with another key, or none, is not the one`(body: String) async throws {
        let other = try FakeJSON(parsing: Array(body.utf8))
        let mirror = try await Self.pending { request, lists in
            guard request.method == "GET" else { return nil }
            return request.steps.count == 2 ? .init(body: other) : nil
        }
        _ = try await mirror.engine().adopt(Self.row, key: 2)
        #expect(try mirror.changes() == [])
        let row = try await mirror.store.read { try $0.record(Self.row) }
        #expect(row["id"] == .integer(2) && row["title"] == .string("new"))
    }

    @Test func `the list is read to its end`() async throws {
        let mirror = try await Self.pending { request, lists in
            guard request.method == "GET", let tasks = lists["tasks"] else { return nil }
            guard request.steps.count == 1 else { return .init(status: 405, body: [:]) }
            let page = request.query["page"].flatMap { Int($0) } ?? 1
            var fields = HTTPFields()
            if let name = HTTPField.Name("Link"), page < tasks.count {
                fields[name] = #"</api/tasks?page=\#(page + 1)>; rel="next""#
            }
            let objects = page <= tasks.count ? [tasks[page - 1]] : []
            return .init(body: .array(objects), fields: fields)
        }
        _ = try await mirror.engine().adopt(Self.row, key: 2)
        #expect(try mirror.changes() == [])
    }

    @Test func `an object that is marked as deleted does not exist`() async throws {
        var mirror = try await Self.pending { _, _ in nil }
        mirror.service["tasks", 2] = ["id": 2, "title": "new", "gone": true]
        for index in mirror.resources.indices {
            mirror.resources[index].style.deletes = .marked(["gone"])
        }
        let engine = try mirror.engine()
        let error = await #expect(throws: SyncError.self) {
            try await engine.adopt(Self.row, key: 2)
        }
        #expect(error?.code == .noSuchObject)
        #expect(try mirror.changes() == ["Task#2 create, pending"])
    }

    @Test(arguments: [500, 503, 401])
    func `a service that fails leaves everything as it is`(status: Int) async throws {
        let mirror = try await Self.pending { request, _ in
            request.method == "GET" && request.steps.count == 2
                ? .init(status: status, body: ["detail": "?"]) : nil
        }
        await #expect(throws: RemoteError.self) {
            try await mirror.engine().adopt(Self.row, key: 2)
        }
        #expect(mirror.service.reads == ["tasks/2"])
        #expect(try mirror.changes() == ["Task#2 create, pending"])
    }

    @Test func `two calls at the same time are one`() async throws {
        let mirror = try await Self.pending { _, _ in nil }
        let engine = try mirror.engine()
        async let one = engine.adopt(Self.row, key: 2)
        async let other = engine.adopt(Self.row, key: 2)
        #expect(try await [one, other] == [nil, nil])
        #expect(mirror.service.reads == ["tasks/2"])
    }

    @Test func `a dry run adopts nothing`() async throws {
        let mirror = try await Self.pending { _, _ in nil }
        let engine = try mirror.engine().dryRunEngine()
        let error = await #expect(throws: SyncError.self) {
            try await engine.adopt(Self.row, key: 2)
        }
        #expect(error?.code == .dryRun)
    }
}
