import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Edits that come after a request was sent, and before its outcome is known.
struct PushRaceTests {
    /// Sends the changes again, as often as a service may take to settle them.
    private func settle(_ engine: SyncEngine, _ tasks: TaskService) async throws {
        for _ in 1...3 {
            tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
            _ = try await engine.sync()
        }
    }

    private func effects(_ tasks: TaskService) -> [String] { tasks.fake.audit.map(\.kind.rawValue) }

    @Test(arguments: TaskService.Dialect.allCases)
    func `an edit after a lost response is newer than what was sent`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.push()
        try await tasks.rename(1, to: "newer")
        try await settle(engine, tasks)
        #expect(tasks.object(1) == #""title":"newer","done":false"#)
        #expect(try tasks.row(1) == "done: false, title: newer")
        #expect(try tasks.changes().isEmpty)
        #expect(try tasks.conflicts().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a pull recognizes what a killed push has created`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        // As a push leaves it that is killed before the response.
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE _tidemark_change SET state = 'inFlight'")
        }
        _ = try await engine.pull()
        try await settle(engine, tasks)
        #expect(try tasks.changes().isEmpty)
        #expect(effects(tasks) == ["create"])
        #expect(try await tasks.store.read { try $0.count("Task") } == 3)
    }

    @Test func `an import without a lease leaves the decision about a creation in flight open`()
        async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        let expiry = tasks.clock.now.timeIntervalSince1970 + 1
        try await tasks.store.writer.write { db in
            // The run is not over.
            try db.execute(
                sql: """
                    UPDATE _tidemark_change SET state = 'inFlight'; \
                    UPDATE _tidemark_request SET run = 'other'; \
                    INSERT INTO _tidemark_lease (_id, token, host, process, started, expires) \
                    VALUES (1, 'other', 'elsewhere', 2, 0, ?)
                    """,
                arguments: [expiry]
            )
        }
        var items = try JSONDocument(Array(#"[{"id": 3, "title": "dig"}]"#.utf8)).items()
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        _ = try Importer(tasks.store).import(&items, into: "Task", options: options)
        try await settle(engine, tasks)
        #expect(effects(tasks) == ["create"])
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
    }

    @Test(arguments: TaskService.Dialect.allCases, [FakeFault.lostResponse, .connectionClosed])
    func `a row that is deleted after a lost response is deleted at the service`(
        dialect: TaskService.Dialect,
        fault: FakeFault
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, fault))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.push()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        try await settle(engine, tasks)
        #expect(effects(tasks).last == "delete")
        #expect(tasks.object(1).isEmpty)
        #expect(try tasks.changes().isEmpty)
        #expect(try tasks.conflicts().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases, [FakeFault.lostResponse, .connectionClosed])
    func `a new row that is deleted after a lost response leaves no object`(
        dialect: TaskService.Dialect,
        fault: FakeFault
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, fault))
        _ = try await engine.pull()
        let row = try await tasks.store.write { writer in
            try writer.insert("Task", values: ["title": .string("new")])
        }
        _ = try await engine.push()
        try await tasks.store.write { writer in _ = try writer.delete(RecordLocator(row)) }
        try await settle(engine, tasks)
        let isApplied: Bool = if case .lostResponse = fault { true } else { false }
        #expect(effects(tasks) == (isApplied ? ["create", "delete"] : []))
        #expect(try tasks.changes().isEmpty)
        #expect(try await tasks.store.read { try $0.count(RecordRequest("Task")) } == 2)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a new row that is deleted while it is sent leaves no object`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let transport = DeviceTransport(tasks.fake)
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        let row = try await tasks.store.write { writer in
            try writer.insert("Task", values: ["title": .string("new")])
        }
        transport.before(1) {
            try tasks.store.write { writer in _ = try writer.delete(RecordLocator(row)) }
        }
        _ = try await engine.push()
        #expect(effects(tasks) == ["create", "delete"])
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a row that is deleted while its deleted object is read is not rejected`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let transport = DeviceTransport(tasks.fake)
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        tasks.remove(1)
        try await tasks.rename(1, to: "mine")
        transport.before(1) { [task = tasks.task(1)] in
            try tasks.store.write { writer in _ = try writer.delete(task) }
        }
        let report = try await engine.push()
        #expect(report.total.rejected == 0)
        #expect(effects(tasks).isEmpty)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a change that is discarded while its object is read leaves nothing`() async throws {
        let tasks = try TaskService(.rest)
        let transport = DeviceTransport(tasks.fake)
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        tasks.remove(1)
        try await tasks.rename(1, to: "mine")
        transport.before(1) { [task = tasks.task(1)] in
            try tasks.store.write { writer in
                _ = try Outbox(tasks.store).discard(writer.db, task)
            }
        }
        let report = try await engine.push()
        #expect(report.entities.isEmpty)
        #expect(try tasks.row(1) == "done: false, title: task 1")
        #expect(
            try await tasks.store.writer.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM _tidemark_request")
            } == 0
        )
    }
}
