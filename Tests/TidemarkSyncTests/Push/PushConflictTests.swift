import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Objects that another client has changed meanwhile.
struct PushConflictTests {
    @Test(arguments: TaskService.Dialect.allCases)
    func `changes of different properties are joined`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.edit(1, ["done": true])
        _ = try await engine.push()
        #expect(try tasks.row(1) == "done: true, title: mine")
        #expect(tasks.object(1) == #""title":"mine","done":true"#)
        #expect(try tasks.changes().isEmpty)
        #expect(try tasks.conflicts().isEmpty)
    }

    @Test(arguments: [TaskService.Dialect.rest, .rails, .jsonAPI])
    func `a new row with the key of an object is a change of that object`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(conflicts: ConflictPolicies(default: .localWins))
        _ = try await engine.push()
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["id": .integer(2), "title": .string("mine")])
        }
        _ = try await engine.push()
        #expect(try tasks.row(1) == "done: false, title: mine")
        #expect(tasks.object(2) == #""title":"mine","done":false"#)
        #expect(tasks.fake.audit.map { $0.description.prefix { $0 != "{" } } == ["update tasks/2 "])
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `the service's value wins by default, and the local one is recorded`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.edit(1, ["title": "hers"])
        let report = try await engine.push()
        // Nothing was sent.
        #expect(!report.hasPushed)
        var total = PushReport.Counts()
        total.overruled = 1
        #expect(report.total == total)
        #expect(try tasks.row(1) == "done: false, title: hers")
        #expect(tasks.object(1) == #""title":"hers","done":false"#)
        #expect(try tasks.changes().isEmpty)
        #expect(
            try tasks.conflicts() == [
                "Task#1 edit title: task 1, mine, hers → hers, remote by remoteWins"
            ]
        )
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `an update whose object was missing is sent when another client has created it again`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        let path = "tasks/\(dialect.hasTextKeys ? "k1" : "1")"
        let object = try #require(tasks.fake[path])
        tasks.remove(1)
        _ = try await engine.push()
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#1 update, rejected"])
        // The object that the row was made from: the path of the request may be wrong.
        tasks.fake.change { $0[path] = object }
        _ = try await engine.pull()
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#1 update, rejected"])
        tasks.edit(1, ["done": true])
        _ = try await engine.sync()
        #expect(tasks.object(1) == #""title":"mine","done":true"#)
        #expect(try tasks.row(1) == "done: true, title: mine")
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `an object that changes while its change is sent is read again`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(
            over: WriteFaults(tasks.fake, .concurrentUpdate(["done": true]))
        )
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.push()
        _ = try await engine.push()
        // A response without the object does not show what another client has changed.
        _ = try await engine.pull()
        #expect(try tasks.row(1) == "done: true, title: mine")
        #expect(tasks.object(1) == #""title":"mine","done":true"#)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `a row that was deleted here returns if its object was changed there`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in _ = try writer.delete(tasks.task(1)) }
        tasks.edit(1, ["title": "hers"])
        _ = try await engine.pull()
        #expect(try tasks.row(1) == "done: false, title: hers")
        #expect(try tasks.changes().isEmpty)
        #expect(
            try tasks.conflicts() == [
                "Task#1 deletedLocally title: task 1, –, hers → hers, remote by remoteWins"
            ]
        )
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `rows that the service does not have yet are not deleted by a pull`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        let key: Value = dialect.hasTextKeys ? .string("k9") : .integer(9)
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["id": key, "title": .string("mine")])
        }
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        #expect(try tasks.row(3) == "title: mine")
        #expect(try tasks.changes() == ["Task#3 create, pending"])
    }

    // MARK: Deletions

    @Test(arguments: TaskService.Dialect.allCases)
    func `a row that was changed here is created again if a policy says so`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(conflicts: ConflictPolicies(deletes: .editWins))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        tasks.remove(1)
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        #expect(try tasks.changes() == ["Task#1 create, pending"])
        _ = try await engine.sync()
        #expect(try tasks.row(1) == "done: false, title: mine")
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.fake.audit.map(\.kind) == [.create])
    }

    @Test(arguments: [(TaskService.Dialect.kinto, "last_modified"), (.rails, "lock_version")])
    func `an object that is created again does not get its former version`(
        dialect: TaskService.Dialect,
        version: String
    ) async throws {
        var tasks = try TaskService(dialect)
        var model = tasks.store.model
        model.entities[0].attributes.append(
            Attribute("version", .integer64, remoteKey: version)
        )
        tasks.store = try Store.validated(model: model)
        tasks.edit(1, [version: 7])
        let engine = try tasks.engine(conflicts: ConflictPolicies(deletes: .editWins))
        let first = tasks.task(1)
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(first, values: ["title": .string("mine")])
        }
        tasks.remove(1)
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.pull(with: options)
        _ = try await engine.push()
        let body = tasks.fake.requests.last { $0.body != nil }?.body ?? []
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains(#""title":"mine""#))
        #expect(!text.contains(version))
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a policy that fails leaves its conflict to a user, and stops nothing else`()
        async throws
    {
        struct Failure: Error {}
        let tasks = try TaskService(.rest)
        let policies = ConflictPolicies(default: .custom { _ in throw Failure() })
        let engine = try tasks.engine(conflicts: policies)
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            for number in 1...2 {
                _ = try writer.update(tasks.task(number), values: ["title": .string("mine")])
            }
        }
        tasks.edit(1, ["title": "hers"])
        let report = try await engine.sync()
        #expect(report.pushed.total.conflicted == 1)
        #expect(report.pushed.total.updated == 1)
        #expect(
            try tasks.conflicts() == [
                "Task#1 edit title: task 1, mine, hers → mine, open by custom"
            ]
        )
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `an object that is created again has no values that other clients have kept`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        var other = tasks
        other.store = try Store.validated(model: tasks.store.model)
        let engine = try tasks.engine(conflicts: ConflictPolicies(deletes: .editWins))
        let otherEngine = try other.engine()
        tasks.edit(1, ["effort": .number("2")])
        _ = try await engine.pull()
        _ = try await otherEngine.pull()
        _ = try await tasks.store.write { [task = tasks.task(1)] writer in
            try writer.update(task, values: ["title": .string("mine"), "effort": .null])
        }
        tasks.remove(1)
        for _ in 1...2 { _ = try await engine.sync() }
        _ = try await otherEngine.pull()
        let titles = try await other.store.read { reader in
            try reader.fetch(RecordRequest("Task")).filter { $0["title"] == .string("mine") }
                .map { $0["effort"] }
        }
        #expect(titles == [.null])
    }
}
