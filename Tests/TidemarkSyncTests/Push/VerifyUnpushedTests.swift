import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Verifications and dry runs of a store with local changes that were not pushed.
struct VerifyUnpushedTests {
    /// Returns the differences of a verification, those of rows with local changes after a line.
    private func verify(_ tasks: TaskService, _ engine: SyncEngine) async throws -> [String] {
        let before = try tasks.state()
        let verification = try await engine.verify()
        #expect(try tasks.state() == before)
        #expect(verification.report.isComplete)
        #expect(verification.matches == verification.differences.isEmpty)
        var unpushed = verification
        unpushed.differences = verification.changedOnBothSides
        return verification.lines + (unpushed.lines.isEmpty ? [] : ["unpushed"]) + unpushed.lines
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `local changes do not count`(dialect: TaskService.Dialect) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            let project = try writer.insert("Project", values: ["name": .string("Work")])
            _ = try writer.insert(
                "Task",
                values: ["title": .string("new")],
                links: ["project": [RecordLocator(project)]]
            )
            _ = try writer.update(
                tasks.task(1),
                values: ["title": .string("mine")],
                links: ["project": [RecordLocator(project)]]
            )
            _ = try writer.delete(tasks.task(2))
        }
        #expect(try await verify(tasks, engine) == [])
        _ = try await engine.sync()
        #expect(try await verify(tasks, engine) == [])
    }

    @Test func `a row that was changed on both sides is reported apart`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.edit(1, ["done": true])
        tasks.edit(2, ["title": "hers"])
        #expect(
            try await verify(tasks, engine) == [
                #"Task#2 both title string("task 2") string("hers")"#, "unpushed",
                "Task#1 both done boolean(false) boolean(true)",
            ]
        )
        _ = try await engine.sync()
        #expect(try await verify(tasks, engine) == [])
    }

    @Test func `a row that was deleted on one side and changed on the other is reported apart`()
        async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
            _ = try writer.delete(tasks.task(2))
        }
        tasks.remove(1)
        tasks.edit(2, ["title": "hers"])
        #expect(
            try await verify(tasks, engine) == [
                "unpushed", "Task#1 here",
                #"Task#2 both title string("task 2") string("hers")"#,
            ]
        )
    }

    @Test func `a change in conflict is compared with what the service had then`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(conflicts: .init(default: .manual))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.edit(1, ["title": "hers"])
        _ = try await engine.pull()
        #expect(try await verify(tasks, engine) == [])
        tasks.edit(1, ["title": "newest"])
        #expect(
            try await verify(tasks, engine) == [
                "unpushed", #"Task#1 both title string("hers") string("newest")"#,
            ]
        )
    }

    @Test func `an object of a creation without a response is reported apart`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(
            over: WriteFaults(tasks.fake, .lostResponse, .lostResponse)
        )
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("new")])
            _ = try writer.update(tasks.task(1), values: ["title": .string("sent")])
        }
        _ = try await engine.push()
        try await tasks.rename(1, to: "newer")
        #expect(
            try await verify(tasks, engine) == [
                "unpushed", #"Task#1 both title string("task 1") string("sent")"#,
                "Task#4 there",
            ]
        )
    }

    @Test func `a dry run sends no changes`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.fake.clearRequests()
        let dryRun = try engine.dryRunEngine()
        let push = await #expect(throws: SyncError.self) { try await dryRun.push() }
        let sync = await #expect(throws: SyncError.self) { try await dryRun.sync() }
        #expect(push?.code == .dryRun)
        #expect(sync?.code == .dryRun)
        #expect(tasks.fake.requests.isEmpty)
        #expect(try await dryRun.plannedRequests().count == 1)
        #expect(try await dryRun.pull().isComplete)
        #expect(tasks.fake.audit.isEmpty)
        #expect(try tasks.changes() == ["Task#1 update, pending"])
    }
}
