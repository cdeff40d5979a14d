import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Conflicts that a user decides, whether a policy has decided them before or not.
struct ConflictsTests {
    /// Returns a service whose first task was renamed on both sides, after a pull.
    private func renamed(
        _ policies: ConflictPolicies = ConflictPolicies()
    ) async throws -> (tasks: TaskService, engine: SyncEngine) {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(conflicts: policies)
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
        }
        tasks.edit(1, ["title": "hers"])
        _ = try await engine.pull()
        return (tasks, engine)
    }

    private func resolve(
        _ tasks: TaskService,
        _ side: Conflicts.Choice
    ) async throws -> Conflicts.Resolution {
        try await tasks.store.writer.write { db in
            try Conflicts(tasks.store).resolve(db, 1, taking: side)
        }
    }

    @Test func `a value that a policy has replaced is taken again, and pushed`() async throws {
        let (tasks, engine) = try await renamed()
        #expect(try tasks.row(1) == "done: false, title: hers")
        let resolution = try await resolve(tasks, .local)
        #expect(!resolution.isStale)
        #expect(resolution.conflict.decision == .local)
        #expect(resolution.conflict.decidedBy == "user")
        #expect(try tasks.row(1) == "done: false, title: mine")
        _ = try await engine.push()
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
        #expect(
            try tasks.conflicts() == ["Task#1 edit title: task 1, mine, hers → mine, local by user"]
        )
    }

    @Test(arguments: [
        (Conflicts.Choice.local, "mine", "mine"), (.remote, "hers", "hers"),
        (.base, "task 1", "task 1"),
    ])
    func `a change waits until its conflict is decided`(
        side: Conflicts.Choice,
        here: String,
        there: String
    ) async throws {
        let (tasks, engine) = try await renamed(ConflictPolicies(default: .manual))
        _ = try await engine.sync()
        #expect(tasks.fake.audit.isEmpty)
        #expect(try tasks.changes() == ["Task#1 update, conflicted"])
        #expect(try await !resolve(tasks, side).isStale)
        #expect(try tasks.row(1) == "done: false, title: \(here)")
        _ = try await engine.push()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.object(1) == #""title":"\#(there)","done":false"#)
        #expect(tasks.fake.audit.count == (side == .remote ? 0 : 1))
    }

    @Test func `a change is sent if the service has taken its own one back`() async throws {
        let (tasks, engine) = try await renamed(ConflictPolicies(default: .manual))
        #expect(try tasks.changes() == ["Task#1 update, conflicted"])
        tasks.edit(1, ["title": "task 1"])
        _ = try await engine.sync()
        #expect(try tasks.changes() == ["Task#1 update, pending"])
        _ = try await engine.push()
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `a newer local value is kept by a decision for the local one`() async throws {
        let (tasks, engine) = try await renamed(ConflictPolicies(default: .manual))
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("newer")])
        }
        #expect(try await !resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: newer")
        _ = try await engine.push()
        #expect(tasks.object(1) == #""title":"newer","done":false"#)
    }

    @Test func `a discarded change in conflict leaves what the service has`() async throws {
        let (tasks, _) = try await renamed(ConflictPolicies(default: .manual))
        try await tasks.store.writer.write { db in
            _ = try Outbox(tasks.store, environment: tasks.clock.environment)
                .discard(db, tasks.task(1))
        }
        #expect(try tasks.row(1) == "done: false, title: hers")
        #expect(try tasks.changes().isEmpty)
        #expect(
            try tasks.conflicts() == [
                "Task#1 edit title: task 1, mine, hers → mine, remote by user"
            ]
        )
    }

    @Test func `a decision about an outdated value writes nothing`() async throws {
        let (tasks, engine) = try await renamed()
        tasks.edit(1, ["title": "newest"])
        _ = try await engine.pull()
        #expect(try await resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: newest")
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a row that the service has deleted is created again`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
        }
        tasks.remove(1)
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        #expect(try await !resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: mine")
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(
            tasks.fake.audit.map(\.description) == [
                #"create tasks/3 {"id":3,"title":"mine","done":false}"#
            ]
        )
    }

    @Test func `a row whose key this client chooses is created again with its key`() async throws {
        let tasks = try TaskService(.kinto)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
        }
        tasks.remove(1)
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        #expect(try await !resolve(tasks, .local).isStale)
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `a row is created again without a reference to a row that was deleted, too`()
        async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(
                tasks.task(1),
                values: ["title": .string("mine")],
                links: ["project": [RecordLocator("Project:1")]]
            )
        }
        tasks.remove(1)
        tasks.fake.change { data in data["projects/1"] = nil }
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        #expect(try await !resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: mine")
    }

    @Test(arguments: [(Conflicts.Choice.local, ["delete tasks/1"]), (.remote, [])])
    func `a conflict of a row that was deleted since can be decided`(
        choice: Conflicts.Choice,
        effects: [String]
    ) async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(conflicts: ConflictPolicies(default: .manual))
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
        }
        tasks.edit(1, ["title": "hers"])
        _ = try await engine.pull()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        #expect(try await !resolve(tasks, choice).isStale)
        _ = try await engine.sync()
        #expect(tasks.fake.audit.map(\.description) == effects)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a row that came back is deleted after all`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        tasks.edit(1, ["title": "hers"])
        _ = try await engine.pull()
        #expect(try await !resolve(tasks, .local).isStale)
        _ = try await engine.push()
        #expect(tasks.fake.audit.map(\.description) == ["delete tasks/1"])
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: [(Conflicts.Choice.local, ["delete tasks/1"]), (.remote, [])])
    func `a user decides about a row that was deleted here and changed there`(
        side: Conflicts.Choice,
        effects: [String]
    ) async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(conflicts: ConflictPolicies(deletes: .manual))
        _ = try await engine.pull()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        tasks.edit(1, ["title": "hers"])
        _ = try await engine.sync()
        #expect(tasks.fake.audit.isEmpty)
        #expect(try await !resolve(tasks, side).isStale)
        _ = try await engine.push()
        #expect(tasks.fake.audit.map(\.description) == effects)
        #expect(try tasks.changes().isEmpty)
        if side == .remote { #expect(try tasks.row(1) == "done: false, title: hers") }
    }

    @Test func `a conflict that does not exist is named`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        await #expect(throws: StoreError.self) {
            try await tasks.store.writer.write { db in
                try Conflicts(tasks.store).resolve(db, 7, taking: .local)
            }
        }
    }
}
