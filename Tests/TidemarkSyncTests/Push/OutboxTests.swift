import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
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

    /// Creates a store with a creation whose response was lost.
    private func withLostCreation() async throws -> (tasks: TaskService, engine: SyncEngine) {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.add("new")
        _ = try await engine.push()
        return (tasks, engine)
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
        try await tasks.add("draft")
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

    @Test func `a row is edited after the change of another one was discarded`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await tasks.rename(1, to: "mine")
        try await tasks.store.write { writer in
            try Outbox(tasks.store).discard(writer.db, tasks.task(1))
        }
        try await tasks.rename(2, to: "yours")
        try await tasks.store.write { writer in
            try Outbox(tasks.store).discard(writer.db, tasks.task(2))
            _ = try writer.update(tasks.task(1), values: ["title": .string("again")])
        }
        #expect(try tasks.row(1) == "done: false, title: again")
        #expect(try tasks.row(2) == "done: false, title: task 2")
        #expect(try listed(tasks) == ["Task#1 update pending title"])
    }

    @Test func `a change that may have been applied is discarded by force alone`() async throws {
        let (tasks, engine) = try await withLostCreation()
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

    @Test func `a change that may have been applied is sent again by force alone`() async throws {
        let (tasks, engine) = try await withLostCreation()
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        #expect(try await tasks.store.writer.write { try outbox.retry($0) } == 0)
        #expect(try listed(tasks) == ["Task#3 create uncertain "])
        let count = try await tasks.store.writer.write { db in
            try outbox.retry(db, [RecordLocator("Task#3")], mode: .includingUncertain)
        }
        #expect(count == 1)
        _ = try await engine.push()
        // That is what the mode is named for.
        #expect(tasks.fake.audit.map(\.path) == ["tasks/3", "tasks/4"])
        #expect(try listed(tasks).isEmpty)
    }

    @Test func `what a killed push was sending is discarded by force alone`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await tasks.rename(1, to: "mine")
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE _tidemark_change SET frozen = 1, state = 'inFlight'")
        }
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        await #expect(throws: StoreError.self) {
            try await tasks.store.writer.write { try outbox.discard($0, tasks.task(1)) }
        }
        _ = try await tasks.store.writer.write { db in
            try outbox.discard(db, tasks.task(1), mode: .includingUncertain)
        }
        #expect(try tasks.row(1) == "done: false, title: task 1")
        #expect(try listed(tasks).isEmpty)
    }

    @Test func `a deletion has the key of its object`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(2)) }
        let changes = try await tasks.store.writer.read { db in
            try Outbox(tasks.store).changes(db, ofRow: RecordLocator("Task#2"))
        }
        #expect(changes.map(\.key) == [2])
        #expect(changes.map(\.kind) == [.delete])
    }

    @Test func `a change that no list accepts says so until one does`() async throws {
        var tasks = try TaskService(.rest)
        let style = tasks.resources[1].push
        tasks.resources[1].push = PushStyle()
        _ = try await tasks.engine().sync()
        let project = RecordLocator("Project", key: RecordKey([.integer(1)]))
        try await tasks.store.write { writer in
            _ = try writer.update(project, values: ["name": .string("Work")])
            _ = try writer.insert("Project", values: ["name": .string("Garden")])
        }
        for _ in 1...2 { _ = try await tasks.engine().sync() }
        let reason = "no list accepts changes of Project"
        #expect(
            try tasks.changes() == [
                "Project#1 update, pending: \(reason)", "Project#2 create, pending: \(reason)",
            ]
        )
        tasks.resources[1].push = style
        let failing = WriteFaults(tasks.fake, .connectionClosed)
        _ = try await tasks.engine(over: failing).push()
        #expect(try tasks.changes().allSatisfy { !$0.contains(reason) })
        _ = try await tasks.engine().sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.fake["projects/1"]?["name"] == "Work")
        #expect(tasks.fake["projects/2"]?["name"] == "Garden")
    }

    @Test func `an entity that the model does not have is an error`() async throws {
        let tasks = try TaskService(.rest)
        #expect(throws: StoreError.self) {
            try tasks.store.writer.read { try Outbox(tasks.store).changes($0, of: "Tasks") }
        }
    }
}
