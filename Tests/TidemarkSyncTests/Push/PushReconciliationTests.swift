import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Creations whose responses were lost.
struct PushReconciliationTests {
    /// Creates a task whose response is lost, and returns the service with its engine.
    private func lost(
        _ reconcile: PushStyle.Reconciliation,
        on dialect: TaskService.Dialect = .rest,
        _ faults: FakeFault...
    ) async throws -> (TaskService, SyncEngine) {
        var tasks = try TaskService(dialect) { $0.idempotency = "Idempotency-Key" }
        for index in tasks.resources.indices {
            tasks.resources[index].push.reconcile = reconcile
            tasks.resources[index].push.idempotency = .init(field: "Idempotency-Key")
        }
        let transport = WriteFaults(tasks.fake, faults)
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await tasks.add("new")
        _ = try await engine.push()
        return (tasks, engine)
    }

    @Test func `a service that replays its response gets the request again`() async throws {
        let (tasks, engine) = try await lost(.resend, .lostResponse)
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 1)
        let keys = Set(tasks.fake.audit.map(\.idempotencyKey))
        #expect(keys.count == 1)
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
        #expect(try tasks.row(3) == "title: new")
    }

    @Test(arguments: [
        FakeFault.status(429), .status(401), .connectionClosed, .status(503), .status(409),
    ])
    func `a request that is sent again keeps its key until it is answered`(
        fault: FakeFault
    ) async throws {
        let (tasks, engine) = try await lost(.resend, .lostResponse, fault)
        _ = try await engine.push()
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a request that the service has forgotten is looked for in the list`()
        async throws
    {
        let (tasks, engine) = try await lost(.resend, .lostResponse)
        tasks.clock.advance(by: .seconds(25 * 3_600))
        tasks.fake.clearRequests()
        _ = try await engine.push()
        #expect(tasks.fake.requests.isEmpty)
        _ = try await engine.sync()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `an object is found in the list although the service has not taken the key of its row`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        let key = dialect.hasTextKeys ? Value.string("k7") : .integer(7)
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["id": key, "title": .string("mine")])
        }
        for _ in 1...3 {
            _ = try await engine.sync()
            tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        }
        #expect(tasks.fake.audit.map(\.kind) == [.create])
        #expect(try tasks.changes().isEmpty)
        #expect(try tasks.row(3) == "title: mine")
        #expect(try await tasks.store.read { try $0.count("Task") } == 3)
    }

    @Test
    func `an object under another key is not that of a creation whose key its client has chosen`()
        async throws
    {
        let tasks = try TaskService(.kinto)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .connectionClosed))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        tasks.fake.change { $0["tasks/k9"] = ["id": "k9", "title": "dig"] }
        _ = try await engine.pull()
        for _ in 1...3 {
            tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
            _ = try await engine.sync()
        }
        #expect(tasks.fake.audit.map(\.kind) == [.create])
        #expect(try tasks.changes().isEmpty)
        #expect(try await tasks.store.read { try $0.count("Task") } == 4)
    }

    @Test func `values that are not sent do not matter for that`() async throws {
        var tasks = try TaskService(.rest)
        var model = tasks.store.model
        let task = try #require(model.entities.firstIndex { $0.name == "Task" })
        let due = try #require(model.entities[task].attributes.firstIndex { $0.name == "dueOn" })
        model.entities[task].attributes[due].json.isExportable = false
        tasks.store = try Store.validated(model: model)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            let values: [String: Value] = ["title": .string("dig"), "dueOn": .string("Monday")]
            _ = try writer.insert("Task", values: values)
        }
        _ = try await engine.push()
        tasks.edit(3, ["due_on": "Friday"])
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        let report = try await engine.sync()
        #expect(report.pushed.entities["Task"]?.created == 1)
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    // MARK: Queries

    @Test(arguments: [
        (TaskService.Dialect.parse, "where"), (.rest, "title"),
    ])
    func `the object is found in a list that the service selects`(
        dialect: TaskService.Dialect,
        parameter: String
    ) async throws {
        let (tasks, engine) = try await lost(
            .query(parameter: parameter),
            on: dialect,
            .lostResponse
        )
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().count == 1, "too early: the service may still process it")
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 1)
        #expect(tasks.fake.requests.count == 1)
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a request that was not applied is sent again after the list is read`()
        async throws
    {
        let (tasks, engine) = try await lost(
            .query(parameter: "title"),
            .connectionClosed
        )
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }
}
