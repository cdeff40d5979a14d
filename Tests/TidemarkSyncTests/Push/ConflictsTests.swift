import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Conflicts that a user decides, whether a policy has decided them before or not.
struct ConflictsTests {
    /// Returns a service whose first task was changed on both sides, after a complete pull.
    ///
    /// By default both have renamed it.
    private func contradicted(
        _ dialect: TaskService.Dialect = .rest,
        policies: ConflictPolicies = ConflictPolicies(),
        here: @escaping @Sendable (StoreWriter, TaskService) throws -> Void = Self.rename,
        there: (TaskService) -> Void = { $0.edit(1, ["title": "hers"]) }
    ) async throws -> (tasks: TaskService, engine: SyncEngine) {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(conflicts: policies)
        _ = try await engine.pull()
        try await tasks.store.write { writer in try here(writer, tasks) }
        there(tasks)
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        return (tasks, engine)
    }

    @Sendable private static func rename(_ writer: StoreWriter, _ tasks: TaskService) throws {
        _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
    }

    @Sendable private static func delete(_ writer: StoreWriter, _ tasks: TaskService) throws {
        _ = try writer.delete(tasks.task(1))
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
        let (tasks, engine) = try await contradicted()
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
        let (tasks, engine) = try await contradicted(policies: ConflictPolicies(default: .manual))
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
        let (tasks, engine) = try await contradicted(policies: ConflictPolicies(default: .manual))
        #expect(try tasks.changes() == ["Task#1 update, conflicted"])
        tasks.edit(1, ["title": "task 1"])
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `a newer local value is kept by a decision for the local one`() async throws {
        let (tasks, engine) = try await contradicted(policies: ConflictPolicies(default: .manual))
        try await tasks.rename(1, to: "newer")
        #expect(try await !resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: newer")
        _ = try await engine.push()
        #expect(tasks.object(1) == #""title":"newer","done":false"#)
    }

    @Test(arguments: [
        (Conflicts.Choice.remote, "hers", "remote"), (.base, "task 1", "base"),
        (.values(["title": .string("ours")]), "ours", "values"),
    ])
    func `a newer local value that a decision replaces is in the record of the conflict`(
        choice: Conflicts.Choice,
        title: String,
        decision: String
    ) async throws {
        let (tasks, _) = try await contradicted(policies: ConflictPolicies(default: .manual))
        try await tasks.rename(1, to: "newer")
        #expect(try await !resolve(tasks, choice).isStale)
        #expect(try tasks.row(1) == "done: false, title: \(title)")
        #expect(
            try tasks.conflicts() == [
                "Task#1 edit title: task 1, newer, hers → \(title), \(decision) by user"
            ]
        )
    }

    @Test func `a discarded change in conflict leaves what the service has`() async throws {
        let (tasks, _) = try await contradicted(policies: ConflictPolicies(default: .manual))
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
        let (tasks, engine) = try await contradicted()
        tasks.edit(1, ["title": "newest"])
        _ = try await engine.pull()
        #expect(try await resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: newest")
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a row that the service has deleted is created again`() async throws {
        let (tasks, engine) = try await contradicted(there: { $0.remove(1) })
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
        let (tasks, engine) = try await contradicted(.kinto, there: { $0.remove(1) })
        #expect(try await !resolve(tasks, .local).isStale)
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `a row is created again without a reference to a row that was deleted, too`()
        async throws
    {
        let (tasks, _) = try await contradicted { writer, tasks in
            _ = try writer.update(
                tasks.task(1),
                values: ["title": .string("mine")],
                links: ["project": [RecordLocator("Project:1")]]
            )
        } there: { tasks in
            tasks.remove(1)
            tasks.fake.change { data in data["projects/1"] = nil }
        }
        #expect(try await !resolve(tasks, .local).isStale)
        #expect(try tasks.row(1) == "done: false, title: mine")
    }

    @Test(arguments: [(Conflicts.Choice.local, ["delete tasks/1"]), (.remote, [])])
    func `a conflict of a row that was deleted since can be decided`(
        choice: Conflicts.Choice,
        effects: [String]
    ) async throws {
        let policies = ConflictPolicies(default: .manual)
        let (tasks, engine) = try await contradicted(policies: policies)
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        #expect(try await !resolve(tasks, choice).isStale)
        _ = try await engine.sync()
        #expect(tasks.fake.audit.map(\.description) == effects)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a row that came back is deleted after all`() async throws {
        let (tasks, engine) = try await contradicted(here: Self.delete)
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
        let policies = ConflictPolicies(deletes: .manual)
        let (tasks, engine) = try await contradicted(policies: policies, here: Self.delete)
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
