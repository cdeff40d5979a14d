import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Rows that another program replaces by INSERT OR REPLACE, which fires no delete trigger.
struct PushReplacedRowTests {
    private let title = "Replaced"

    private func replace(_ row: Int64, of tasks: TaskService) throws {
        try tasks.store.writer.writeWithoutTransaction { [title] db in
            try db.execute(sql: "PRAGMA recursive_triggers = OFF")
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO Task (id, title, done) \
                    SELECT id, ?, done FROM Task WHERE _id = ?
                    """,
                arguments: [title, row]
            )
            try db.execute(sql: "PRAGMA recursive_triggers = ON")
        }
    }

    private func edit(_ tasks: TaskService) async throws {
        try await tasks.rename(1, to: "Mine")
    }

    private func settle(_ engine: SyncEngine, _ tasks: TaskService) async throws {
        for _ in 1...3 {
            tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
            _ = try await engine.sync()
        }
    }

    /// Expects that the title of the new row contradicts that of the service, which wins.
    private func expectConflict(_ tasks: TaskService) throws {
        #expect(tasks.object(1) == #""title":"Mine","done":false"#)
        #expect(try tasks.row(3) == "done: false, title: Mine")
        #expect(try tasks.changes().isEmpty)
        let conflicts = try tasks.conflicts()
        #expect(conflicts.count == 1)
        #expect(conflicts.allSatisfy { $0.contains(title) })
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a row that is replaced after a lost response is compared with its object`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await edit(tasks)
        _ = try await engine.push()
        try replace(1, of: tasks)
        try await settle(engine, tasks)
        try expectConflict(tasks)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a row that is replaced while it is sent keeps its values`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let transport = DeviceTransport(tasks.fake)
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await edit(tasks)
        // The object is read before it is changed.
        transport.before(2) { try replace(1, of: tasks) }
        _ = try await engine.push()
        try await settle(engine, tasks)
        try expectConflict(tasks)
    }
}
