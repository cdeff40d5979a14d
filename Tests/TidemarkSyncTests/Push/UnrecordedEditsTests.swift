import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Edits that were made while another program had removed the triggers of a store.
struct UnrecordedEditsTests {
    private static var full: PullOptions {
        var options = PullOptions()
        options.isFull = true
        return options
    }

    private func run(_ sql: String, _ tasks: TaskService) async throws {
        try await tasks.store.writer.write { db in try db.execute(sql: sql) }
    }

    /// Returns a service and a store that are in sync, and whose triggers were dropped then.
    private func damaged(
        _ dialect: TaskService.Dialect = .rest,
        events: EventLog? = nil
    ) async throws -> (tasks: TaskService, engine: SyncEngine) {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(onEvent: { events?.record($0) })
        _ = try await engine.sync()
        try tasks.store.dropCaptureTriggers()
        return (tasks, engine)
    }

    private func open(_ tasks: TaskService) throws -> [Conflict] {
        try tasks.store.read { reader in
            try Conflicts(tasks.store).list(reader.db, filter: .open)
        }
    }

    private func resolve(_ tasks: TaskService, taking choice: Conflicts.Choice) async throws {
        let conflict = try #require(try open(tasks).first)
        let isStale = try await tasks.store.write { writer in
            try Conflicts(tasks.store).resolve(writer.db, conflict.id, taking: choice).isStale
        }
        #expect(!isStale)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `an edit after the next sync arrives`(dialect: TaskService.Dialect) async throws {
        let events = EventLog()
        let (tasks, engine) = try await damaged(dialect, events: events)
        let report = try await engine.sync()
        #expect(report.pushed.localChanges.unrecorded?.causes == [.triggers])
        #expect(events.take().contains("unrecorded: triggers"))
        #expect(try open(tasks).isEmpty)
        try await tasks.rename(1, to: "mine")
        let next = try await engine.sync()
        #expect(next.pushed.localChanges.unrecorded == nil)
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
        #expect(try SyncStatus.of(tasks.store).localChanges.unrecorded == nil)
    }

    @Test(arguments: TaskService.Dialect.allCases, [true, false])
    func `an edit before it is kept as a conflict until its user decides`(
        dialect: TaskService.Dialect,
        isLocal: Bool
    ) async throws {
        let (tasks, engine) = try await damaged(dialect)
        try await tasks.rename(1, to: "mine")
        let report = try await engine.sync()
        #expect(report.pushed.localChanges.unrecorded?.conflicts == 1)
        #expect(report.pushed.localChanges.unpushed.map(\.state) == [.conflicted])
        #expect(try tasks.row(1) == "done: false, title: mine")
        #expect(tasks.object(1) == #""title":"task 1","done":false"#)
        let conflict = try #require(try open(tasks).first)
        #expect(conflict.kind == .unrecorded)
        let title = try #require(conflict.properties.first { $0.name == "title" })
        #expect(title.local == .value(.string("mine")))
        #expect(title.remote == .value(.string("task 1")))
        #expect(title.kept == .value(.string("mine")))
        // Nothing is decided by further syncs.
        for _ in 1...2 { _ = try await engine.sync(with: Self.full) }
        #expect(try open(tasks).count == 1)
        #expect(try tasks.row(1) == "done: false, title: mine")
        try await resolve(tasks, taking: isLocal ? .local : .remote)
        _ = try await engine.sync()
        #expect(tasks.object(1) == #""title":"\#(isLocal ? "mine" : "task 1")","done":false"#)
        #expect(try tasks.row(1) == "done: false, title: \(isLocal ? "mine" : "task 1")")
        #expect(try tasks.changes().isEmpty)
        #expect(try open(tasks).isEmpty)
    }

    @Test(arguments: [
        ConflictPolicies(default: .remoteWins), ConflictPolicies(default: .localWins),
    ])
    func `no policy decides about it`(policies: ConflictPolicies) async throws {
        let (tasks, _) = try await damaged()
        try await tasks.rename(1, to: "mine")
        let engine = try tasks.engine(conflicts: policies)
        for _ in 1...2 { _ = try await engine.sync(with: Self.full) }
        #expect(try tasks.row(1) == "done: false, title: mine")
        #expect(tasks.object(1) == #""title":"task 1","done":false"#)
        #expect(try open(tasks).count == 1)
    }

    @Test func `a conflict ends when the service gets the same value`() async throws {
        let (tasks, engine) = try await damaged()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.sync()
        tasks.edit(1, ["title": "mine"])
        _ = try await engine.sync(with: Self.full)
        #expect(try open(tasks).isEmpty)
        #expect(try tasks.changes().isEmpty)
        #expect(try tasks.row(1) == "done: false, title: mine")
    }

    @Test func `a conflict shows what the service has in the end`() async throws {
        let (tasks, engine) = try await damaged()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.sync()
        tasks.edit(1, ["title": "theirs"])
        _ = try await engine.sync(with: Self.full)
        let properties = try #require(try open(tasks).first).properties
        #expect(properties.map(\.remote) == [.value(.string("theirs"))])
        #expect(try open(tasks).count == 1)
        try await resolve(tasks, taking: .remote)
        #expect(try tasks.row(1) == "done: false, title: theirs")
    }

    @Test func `what was recorded before is pushed, and other properties of the row wait`()
        async throws
    {
        let (tasks, engine) = try await damaged()
        _ = try await engine.sync()
        try await tasks.rename(1, to: "mine")
        try tasks.store.dropCaptureTriggers()
        try await run("UPDATE Task SET done = 1 WHERE id = 1", tasks)
        try await tasks.rename(2, to: "unrecorded")
        _ = try await engine.sync()
        // The object was read before it was changed: its response overwrites nothing.
        #expect(try tasks.row(1) == "done: true, title: mine")
        #expect(try tasks.row(2) == "done: false, title: unrecorded")
        #expect(try open(tasks).count == 2)
        for conflict in try open(tasks) {
            _ = try await tasks.store.write { writer in
                try Conflicts(tasks.store).resolve(writer.db, conflict.id, taking: .local)
            }
        }
        _ = try await engine.sync()
        #expect(tasks.object(1) == #""title":"mine","done":true"#)
        #expect(tasks.object(2) == #""title":"unrecorded","done":false"#)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `new rows need no trigger`() async throws {
        let (tasks, engine) = try await damaged()
        try await tasks.add("dig")
        let report = try await engine.sync()
        #expect(report.pushed.entities["Task"]?.created == 1)
        #expect(try open(tasks).isEmpty)
    }

    @Test func `their links need none, where the service shows them in a list of the other side`()
        async throws
    {
        let tasks = try TaskService(.rest) {
            $0.habits.linkList = TaskService.Dialect.rest.linkList
        }
        let engine = try tasks.engine()
        _ = try await engine.sync()
        try tasks.store.dropCaptureTriggers()
        try await run("INSERT INTO Task (title, project) VALUES ('dig', 1)", tasks)
        _ = try await engine.sync()
        #expect(try tasks.changes() == [])
        let linked = try await tasks.store.writer.read { db in
            try Int.fetchOne(db, sql: "SELECT count(project) FROM Task")
        }
        #expect(linked == 1)
        #expect("\(tasks.fake["projects/1"]?["task_ids"] ?? .null)" == "[3]")
    }

    @Test func `a row that the list lacks awaits approval`() async throws {
        let (tasks, engine) = try await damaged()
        tasks.remove(2)
        let report = try await engine.sync()
        #expect(report.pendingDeletions.map(\.rowCount) == [1])
        #expect(try await tasks.store.read { try $0.count("Task") } == 2)
        // Later lists lack it as well.
        for _ in 1...2 {
            let later = try await engine.sync(with: Self.full)
            #expect(later.pendingDeletions.map(\.rowCount) == [1])
            #expect(try await tasks.store.read { try $0.count("Task") } == 2)
        }
        // Other rows do not.
        _ = try await engine.approveDeletion(of: "tasks/")
        tasks.remove(1)
        _ = try await engine.sync()
        #expect(try await tasks.store.read { try $0.count("Task") } == 0)
    }

    @Test func `a row that was deleted returns`() async throws {
        let (tasks, engine) = try await damaged()
        try await run("DELETE FROM Task WHERE id = 2", tasks)
        _ = try await engine.sync()
        #expect(try await tasks.store.read { try $0.count("Task") } == 2)
        #expect(tasks.fake.audit.isEmpty)
    }

    @Test func `all lists are compared before the doubt ends`() async throws {
        let (tasks, engine) = try await damaged()
        try await tasks.rename(1, to: "mine")
        let projects = try await engine.pull(with: PullOptions(only: ["Project"]))
        #expect(projects.pushed.localChanges.unrecorded?.conflicts == 0)
        #expect(try SyncStatus.of(tasks.store).localChanges.unrecorded?.causes == [.triggers])
        #expect(try tasks.row(1) == "done: false, title: mine")
        let all = try await engine.pull()
        #expect(all.pushed.localChanges.unrecorded?.conflicts == 1)
        #expect(try SyncStatus.of(tasks.store).localChanges.unrecorded == nil)
        #expect(try tasks.row(1) == "done: false, title: mine")
    }

    @Test(arguments: TaskService.Dialect.allCases, [0, 50])
    func `a new row is compared when lists or objects show it`(
        dialect: TaskService.Dialect,
        lag: Int
    ) async throws {
        let tasks = try TaskService(dialect) { rules in
            rules.habits.listLag = .seconds(500)
            rules.habits.objectLag = .seconds(lag)
        }
        let engine = try tasks.engine()
        _ = try await engine.sync()
        try await tasks.add("new")
        _ = try await engine.sync()
        try tasks.store.dropCaptureTriggers()
        try await run("UPDATE Task SET title = 'mine' WHERE title = 'new'", tasks)
        for _ in 1...4 {
            _ = try await engine.sync(with: Self.full)
            tasks.clock.advance(by: .seconds(8_000))
        }
        let conflict = try #require(try open(tasks).first)
        let title = try #require(conflict.properties.first { $0.name == "title" })
        #expect(title.local == .value(.string("mine")))
        #expect(title.remote == .value(.string("new")))
        #expect(try SyncStatus.of(tasks.store).localChanges.unrecorded == nil)
    }

    @Test func `a push alone says so, and sends what was recorded`() async throws {
        let (tasks, engine) = try await damaged()
        try await run("UPDATE Task SET done = 1 WHERE id = 2", tasks)
        let damage = try await engine.push()
        #expect(damage.localChanges.unrecorded?.causes == [.triggers])
        try await tasks.rename(1, to: "mine")
        let report = try await engine.push()
        #expect(report.entities["Task"]?.updated == 1)
        #expect(report.localChanges.unrecorded?.causes == [.triggers])
        #expect(tasks.object(1) == #""title":"mine","done":false"#)
        #expect(try tasks.row(2) == "done: true, title: task 2")
    }

    @Test func `beyond the limit, rows get what the service has, and are counted`() async throws {
        let (tasks, engine) = try await damaged()
        _ = try await engine.push()
        try await run(
            """
            UPDATE _tidemark_store SET value = 'triggers 1 9999 0' WHERE name = 'unrecorded'; \
            UPDATE _tidemark_capture SET isEnabled = 0; UPDATE Task SET title = 'mine'; \
            UPDATE _tidemark_capture SET isEnabled = 1
            """,
            tasks
        )
        let report = try await engine.sync()
        #expect(report.pushed.localChanges.unrecorded?.conflicts == 10_000)
        #expect(report.pushed.localChanges.unrecorded?.overwritten == 1)
        #expect(try open(tasks).count == 1)
    }

    @Test func `a link that was removed is kept as a conflict`() async throws {
        let (tasks, engine) = try await damaged()
        tasks.edit(1, ["project_id": 1])
        _ = try await engine.sync()
        _ = try await engine.sync()
        for conflict in try open(tasks) {
            _ = try await tasks.store.write { writer in
                try Conflicts(tasks.store).resolve(writer.db, conflict.id, taking: .remote)
            }
        }
        try tasks.store.dropCaptureTriggers()
        try await run("UPDATE Task SET project = NULL", tasks)
        _ = try await engine.sync()
        let conflict = try #require(try open(tasks).first)
        #expect(conflict.properties.map(\.name) == ["project"])
        #expect(conflict.properties.map(\.local) == [.row(nil)])
        #expect(conflict.properties.map(\.remote) == [.row(RowReference("Project", 1))])
        try await resolve(tasks, taking: .local)
        _ = try await engine.sync()
        #expect(tasks.fake["tasks/1"]?["project_id"].map { "\($0)" } == "null")
        #expect(try tasks.changes().isEmpty)
    }

    // MARK: Reports

    @Test func `a verification reports damage, and finds the edits`() async throws {
        let (tasks, engine) = try await damaged()
        try await tasks.rename(1, to: "mine")
        let verification = try await engine.verify()
        #expect(verification.unrecorded?.causes == [.triggers])
        #expect(verification.differences.rows.map(\.row) == [RowReference("Task", 1)])
        #expect(!verification.matches)
        #expect(
            try SyncStatus.of(tasks.store).localChanges.unrecorded
                == UnrecordedEdits(causes: [.triggers])
        )
    }

    @Test func `an engine that is prepared repairs the store, and reports it`() async throws {
        let (tasks, _) = try await damaged()
        let events = EventLog()
        _ = try await SyncEngine.prepare(
            store: tasks.store,
            service: tasks.service,
            resources: tasks.resources,
            transport: tasks.fake,
            environment: tasks.clock.environment,
            onEvent: events.record
        )
        #expect(events.take() == ["unrecorded: triggers"])
        let edits = try SyncStatus.of(tasks.store).localChanges.unrecorded
        #expect(edits == UnrecordedEdits(causes: [.triggers], noticed: tasks.clock.now))
    }

    @Test func `drafts are in the status and in the report of a push`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.sync()
        try await run(
            """
            DELETE FROM Task WHERE id = 2; DELETE FROM sqlite_sequence; \
            INSERT INTO Task (title) VALUES ('new')
            """,
            tasks
        )
        let report = try await engine.sync()
        #expect(report.pushed.localChanges.unrecorded?.causes == [.rowNumbers])
        #expect(report.pushed.localChanges.drafts == ["Task": 1])
        #expect(try SyncStatus.of(tasks.store).localChanges.drafts == ["Task": 1])
        let added = try await tasks.store.write { writer in
            try Outbox(tasks.store).add(writer.db, draftsOf: "Task")
        }
        #expect(added == 1)
        let next = try await engine.sync()
        #expect(next.pushed.entities["Task"]?.created == 1)
        #expect(next.pushed.localChanges.drafts.isEmpty)
    }
}
