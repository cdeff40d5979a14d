import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// What an app sees of the outbox, and decides about it.
struct OutboxTests {
    private func listed(_ tasks: TaskService) throws -> [String] {
        try tasks.store.writer.read { db in
            try Outbox(tasks.store).changes(db).map { change in
                "\(change.row) \(change.kind.rawValue) \(change.state.rawValue) "
                    + change.properties.joined(separator: ",")
            }
        }
    }

    @Test func `rows that were just created are listed without being written`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
            _ = try writer.insert("Task", values: ["title": .string("new")])
        }
        #expect(
            try listed(tasks) == ["Task#1 update pending title", "Task#3 create pending "]
        )
        #expect(try tasks.changes() == ["Task#1 update, pending"])
    }

    @Test func `rows from before changes were recorded are drafts until they are added`()
        async throws
    {
        let tasks = try TaskService(.rest)
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("draft")])
        }
        let engine = try tasks.engine()
        _ = try await engine.sync()
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        #expect(try await tasks.store.writer.read { try outbox.drafts($0) } == ["Task": 1])
        #expect(tasks.fake.audit.isEmpty)
        #expect(try await tasks.store.writer.write { try outbox.add($0) } == 1)
        _ = try await engine.push()
        #expect(
            tasks.fake.audit.map(\.description) == [#"create tasks/3 {"id":3,"title":"draft"}"#]
        )
        #expect(try await tasks.store.writer.read { try outbox.drafts($0) }.isEmpty)
    }

    @Test func `a rejected change is sent again when its user says so`() async throws {
        let tasks = try TaskService(.rest) { $0.required["tasks"] = ["title"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .null])
        }
        _ = try await engine.push()
        tasks.fake.clearRequests()
        _ = try await engine.push()
        #expect(tasks.fake.requests.isEmpty)
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        #expect(try await tasks.store.writer.write { try outbox.retry($0) } == 1)
        let report = try await engine.push()
        #expect(report.entities["Task"]?.rejected == 1)
    }

    @Test func `a change that may have been applied is discarded by force alone`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("new")])
        }
        _ = try await engine.push()
        #expect(try listed(tasks) == ["Task#3 create uncertain "])
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        let row = try RecordLocator("Task#3")
        await #expect(throws: StoreError.self) {
            try await tasks.store.writer.write { db in try outbox.discard(db, row) }
        }
        let change = try await tasks.store.writer.write { db in
            try outbox.discard(db, row, mode: .includingUncertain)
        }
        #expect(change.state == .uncertain)
        #expect(try listed(tasks).isEmpty)
        // The service has the object: the next pull brings it.
        _ = try await engine.pull()
        #expect(try tasks.row(4) == "title: new")
    }
}
