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

/// Requests of which it is unknown whether the service has applied them.
struct PushOutcomeTests {
    @Test(arguments: TaskService.Dialect.allCases)
    func `an update whose response was lost is found applied, and is not sent again`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "sent")
        _ = try await engine.push()
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a deletion whose response was lost is found applied`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        _ = try await engine.push()
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a creation with a key of the client whose response was lost is found by its key`()
        async throws
    {
        let tasks = try TaskService(.kinto)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a request of a process that was killed before it was sent is sent by the next one`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let transport = InterceptingTransport(tasks.fake, laterPage: "page=")
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await tasks.rename(1, to: "sent")
        // The first request reads the task.
        transport.before(2) { throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await engine.push() }
        transport.reset()
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: [TaskService.Dialect.rest, .rails, .jsonAPI])
    func `a creation that conflicts with another object is rejected, not sent again and again`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .status(409)))
        _ = try await engine.pull()
        try await tasks.add("dig")
        let report = try await engine.push()
        #expect(report.entities["Task"]?.rejected == 1)
        #expect(tasks.fake.audit.isEmpty)
        #expect(
            try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, rejected"]
        )
    }

    @Test(arguments: [TaskService.Dialect.rest, .jsonAPI])
    func `an update that conflicts although its object has not changed is rejected`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let conflicts = Array(repeating: FakeFault.status(409), count: 5)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, conflicts))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "taken")
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(report.entities["Task"]?.rejected == 1)
        #expect(tasks.fake.requests.count { $0.request.method == .patch } == 3)
        #expect(
            try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#1 update, rejected"]
        )
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a unique value that another change of the same push gives up is not rejected`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect) { $0.unique["tasks"] = ["title"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("task 2")])
            _ = try writer.update(tasks.task(2), values: ["title": .string("task 3")])
        }
        let report = try await engine.push()
        #expect(report.entities["Task"]?.updated == 2)
        #expect(report.entities["Task"]?.rejected == 0)
        #expect(tasks.object(1) == #""title":"task 2","done":false"#)
        #expect(tasks.object(2) == #""title":"task 3","done":false"#)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: [TaskService.Dialect.rest, .rails, .jsonAPI])
    func `two objects that swap a unique value are rejected, and sent no more than twice`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect) { $0.unique["tasks"] = ["title"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("task 2")])
            _ = try writer.update(tasks.task(2), values: ["title": .string("task 1")])
            _ = try writer.insert("Task", values: ["title": .string("new")])
        }
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 1)
        #expect(report.entities["Task"]?.rejected == 2)
        #expect(tasks.fake.requests.count { $0.request.method == .patch } == 4)
        #expect(
            try tasks.changes().map { $0.prefix { $0 != ":" } }
                == ["Task#1 update, rejected", "Task#2 update, rejected"]
        )
    }

    @Test(arguments: [TaskService.Dialect.rest, .rails, .jsonAPI])
    func `a creation whose response was lost is found in the next complete list`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        #expect(try tasks.changes().count == 1)
        try await tasks.store.write { writer in
            _ = try writer.update(RecordLocator("Task#3"), values: ["done": .boolean(true)])
        }
        _ = try await engine.sync()
        _ = try await engine.push()
        try expect(
            tasks.state(),
            is: """
                Project#1 1, name: Home
                Task#1 1, done: false, title: task 1
                Task#2 2, done: false, title: task 2
                Task#3 3, done: true, title: dig

                create tasks/3 {"id":3,"title":"dig"}
                update tasks/3 {"id":3,"title":"dig","done":true}
                """
        )
    }

    @Test(arguments: [TaskService.Dialect.rest, .rails, .jsonAPI])
    func `a creation that the service has not received is sent again after its list was read`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .connectionClosed))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        _ = try await engine.sync()
        #expect(try tasks.changes().count == 1)
        // The service might still be processing the request.
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.fake.audit.map(\.description) == [#"create tasks/3 {"id":3,"title":"dig"}"#])
    }

    @Test func `a change that JSON cannot express is rejected, and keeps nothing back`()
        async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE Task SET effort = 9e999 WHERE _id = 1")
            try db.execute(sql: "UPDATE Task SET title = 'mine' WHERE _id = 2")
        }
        let report = try await engine.sync()
        #expect(report.pushed.total.rejected == 1)
        #expect(report.pushed.total.updated == 1)
        #expect(tasks.fake.audit.map(\.path) == ["tasks/2"])
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#1 update, rejected"])
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `what another device has cleared is cleared`(dialect: TaskService.Dialect) async throws {
        let tasks = try TaskService(dialect)
        var other = tasks
        other.store = try Store.validated(model: tasks.store.model)
        let (engine, second) = (try tasks.engine(), try other.engine())
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(
                tasks.task(1),
                values: [:],
                links: ["project": [RecordLocator("Project#1")]]
            )
        }
        _ = try await engine.sync()
        _ = try await second.sync()
        func project() throws -> Int64? {
            try other.store.writer.read { db in
                try Int64.fetchOne(db, sql: "SELECT project FROM Task WHERE title = 'task 1'")
            }
        }
        #expect(try project() == 1)
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: [:], links: ["project": []])
        }
        tasks.clock.advance(by: .seconds(60))
        _ = try await engine.sync()
        tasks.clock.advance(by: .seconds(60))
        _ = try await second.sync()
        #expect(try project() == nil)
    }

    @Test func `a sync sends what has waited for a creation that its list shows`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            let project = try writer.insert("Project", values: ["name": .string("Garden")])
            _ = try writer.insert(
                "Task",
                values: ["title": .string("dig")],
                links: ["project": [RecordLocator(project)]]
            )
        }
        let report = try await engine.sync()
        #expect(report.pushed.entities["Project"]?.created == 1)
        #expect(report.pushed.entities["Task"]?.created == 1)
        #expect(try tasks.changes().isEmpty)
        #expect(
            tasks.fake.audit.map(\.description) == [
                #"create projects/2 {"id":2,"name":"Garden"}"#,
                #"create tasks/3 {"id":3,"title":"dig","project_id":2}"#,
            ]
        )
    }

    @Test func `another list of the entity does not show that a creation was lost`() async throws {
        var tasks = try TaskService(.rest)
        var other = tasks.service.resource("Task", path: "projects/?urgent=1")
        other.style.deletes = .none
        tasks.resources.append(other)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.add("dig")
        _ = try await engine.push()
        tasks.fake.inject(.status(403), at: "tasks/")
        tasks.clock.advance(by: .seconds(600))
        let report = try await engine.sync()
        #expect(report.pushed.reopened == 0)
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `an own creation does not show that one with a lost response was applied`()
        async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .connectionClosed))
        _ = try await engine.pull()
        let values: [String: Value] = ["title": .string("dig"), "dueOn": .string("Monday")]
        try await tasks.store.write { writer in _ = try writer.insert("Task", values: values) }
        _ = try await engine.push()
        try await tasks.store.write { writer in
            let later = values.merging(["title": .string("weed")]) { $1 }
            _ = try writer.insert("Task", values: later)
        }
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        let report = try await engine.sync()
        #expect(report.pushed.reopened == 1)
        #expect(try tasks.changes().isEmpty)
        #expect(
            tasks.fake.audit.map(\.description) == [
                #"create tasks/3 {"id":3,"title":"weed","due_on":"Monday"}"#,
                #"create tasks/4 {"id":4,"title":"dig","due_on":"Monday"}"#,
            ]
        )
    }

    @Test func `a creation whose object another client has changed is not sent again`() async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            let values: [String: Value] = ["title": .string("dig"), "dueOn": .string("Monday")]
            _ = try writer.insert("Task", values: values)
        }
        _ = try await engine.push()
        tasks.edit(3, ["title": "dig deeper"])
        tasks.clock.advance(by: .seconds(600))
        let report = try await engine.sync()
        #expect(report.pushed.reopened == 0)
        #expect(tasks.fake.audit.count { $0.kind == .create } == 1)
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
    }
}
