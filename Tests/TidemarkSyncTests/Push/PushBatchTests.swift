import GRDB
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Changes that are sent in one request, and objects that are read in one.
struct PushBatchTests {
    private static let dialects = [TaskService.Dialect.parse, .kinto]

    private func insert(_ titles: [String?], into tasks: TaskService) async throws {
        try await tasks.store.write { writer in
            for title in titles {
                let title = title.map { Value.string($0) } ?? .null
                _ = try writer.insert("Task", values: ["title": title])
            }
        }
    }

    /// The requests that changed objects, or read them before that.
    private func requests(_ tasks: TaskService) -> [String] {
        tasks.fake.requests.map { recorded in
            let path = recorded.request.path?.prefix { $0 != "?" } ?? ""
            return "\(recorded.request.method) \(path.split(separator: "/").last ?? "")"
        }
    }

    @Test(arguments: dialects)
    func `changes of one list are sent together`(dialect: TaskService.Dialect) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await insert((1...30).map { "new \($0)" }, into: tasks)
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 30)
        #expect(requests(tasks) == ["POST batch", "POST batch"])
        #expect(tasks.fake.audit.count == 30)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: dialects)
    func `a batch that the service finds too long is divided`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect) { $0.batchLimit = 3 }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await insert((1...8).map { "new \($0)" }, into: tasks)
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 8)
        // Eight, four, then twos.
        #expect(requests(tasks) == Array(repeating: "POST batch", count: 6))
        #expect(tasks.fake.audit.count == 8)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: dialects)
    func `a rejected change of a batch rejects no other one`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect) { $0.required["tasks"] = ["title"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await insert(["a", nil, "b"], into: tasks)
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 2)
        #expect(report.entities["Task"]?.rejected == 1)
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#4 create, rejected"])
    }

    @Test(arguments: dialects)
    func `a batch whose response is lost makes no object twice`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await insert(["a", "b", "c"], into: tasks)
        let report = try await engine.push()
        #expect(report.entities["Task"]?.uncertain == 3)
        tasks.clock.advance(by: .seconds(3_600))
        _ = try await engine.sync()
        #expect(tasks.fake.audit.count == 3)
        #expect(try tasks.changes().isEmpty)
        #expect(try await tasks.store.read { try $0.count(RecordRequest("Task")) } == 5)
    }

    @Test func `changes before a conflict in a batch of Kinto were undone, and are sent again`()
        async throws
    {
        let tasks = try TaskService(.kinto)
        let responses = """
            {"responses": [{"status": 201, "body": {"data": {}}}, \
            {"status": 409, "body": {"code": 409, "errno": 122}}]}
            """
        let transport = WriteFaults(tasks.fake, .body(responses, type: "application/json"))
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await insert(["a", "b"], into: tasks)
        let first = try await engine.push()
        #expect(first.entities["Task"]?.uncertain == 1)
        #expect(first.entities["Task"]?.created == 1)
        let second = try await engine.push()
        #expect(second.entities["Task"]?.created == 1)
        #expect(tasks.fake.audit.compactMap { $0.object?["title"]?.string } == ["b", "a"])
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: dialects)
    func `a wrong path of batches stops the list, and rejects nothing`(
        dialect: TaskService.Dialect
    ) async throws {
        var tasks = try TaskService(dialect)
        for index in tasks.resources.indices { tasks.resources[index].push.batch?.path = "missing" }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await insert(["a", "b"], into: tasks)
        let report = try await engine.push()
        #expect(report.failures.count == 1)
        #expect(tasks.fake.audit.isEmpty)
        #expect(try tasks.changes().allSatisfy { $0.contains("create, pending") })
    }

    // MARK: Reading

    private func editAll(_ tasks: TaskService) async throws {
        try await tasks.store.write { writer in
            for number in [1, 2] {
                _ = try writer.update(tasks.task(number), values: ["title": .string("mine")])
            }
        }
    }

    @Test(arguments: dialects)
    func `objects are read together before they are changed`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        tasks.edit(1, ["done": true])
        try await editAll(tasks)
        tasks.fake.clearRequests()
        _ = try await engine.push()
        let list = dialect == .kinto ? "records" : "tasks"
        #expect(requests(tasks) == ["GET \(list)", "POST batch"])
        #expect(tasks.object(1) == #""title":"mine","done":true"#)
        #expect(try tasks.row(1) == "done: true, title: mine")
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: dialects)
    func `an object that a list lacks is read by itself`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        tasks.remove(1)
        try await editAll(tasks)
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(requests(tasks).count == 3)
        #expect(report.entities["Task"]?.updated == 1)
        #expect(
            try tasks.changes() == ["Task#1 update, rejected: the object does not exist"]
        )
    }
}
