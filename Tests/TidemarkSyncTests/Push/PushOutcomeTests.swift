import GRDB
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
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("sent")])
        }
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
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("dig")])
        }
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
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("sent")])
        }
        // The first request reads the task.
        transport.before(2) { throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await engine.push() }
        transport.reset()
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: [TaskService.Dialect.rest, .rails, .jsonAPI])
    func `a creation whose response was lost is found in the next complete list`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("dig")])
        }
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
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("dig")])
        }
        _ = try await engine.push()
        _ = try await engine.sync()
        #expect(try tasks.changes().count == 1)
        // The service might still be processing the request.
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.fake.audit.map(\.description) == [#"create tasks/3 {"id":3,"title":"dig"}"#])
    }
}
