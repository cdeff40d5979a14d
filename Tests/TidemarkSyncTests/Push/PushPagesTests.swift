import GRDB
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Outboxes that are larger than a page of the plan.
struct PushPagesTests {
    /// Creates a service and a store with projects and tasks that the service has.
    private func pulled(
        _ dialect: TaskService.Dialect = .rest,
        concurrency: Int = 1,
        _ rules: (inout FakeWrites) -> Void = { _ in }
    ) async throws
        -> (tasks: TaskService, engine: SyncEngine)
    {
        let tasks = try TaskService(dialect, rules)
        let engine = try tasks.engine { $0.concurrency = concurrency }
        _ = try await engine.pull()
        return (tasks, engine)
    }

    @Test(arguments: TaskService.Dialect.allCases, [1, 4])
    func `changes of several pages are sent, each once`(
        dialect: TaskService.Dialect,
        concurrency: Int
    ) async throws {
        let (tasks, engine) = try await pulled(dialect, concurrency: concurrency)
        try await tasks.store.write { writer in
            for number in 1...1_201 {
                _ = try writer.insert("Task", values: ["title": .string("new \(number)")])
            }
        }
        let report = try await engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(report.entities["Task"]?.created == 1_201)
        #expect(tasks.fake.audit.count == 1_201)
    }

    @Test(arguments: [1, 4])
    func `a page of changes waits for those of later pages`(concurrency: Int) async throws {
        let (tasks, engine) = try await pulled(concurrency: concurrency)
        try await tasks.store.write { writer in
            let locators = try (1...600).map { number in
                RecordLocator(
                    try writer.insert("Task", values: ["title": .string("new \(number)")])
                )
            }
            let project = try writer.insert("Project", values: ["name": .string("Garden")])
            for locator in locators {
                try writer.update(
                    locator,
                    values: [:],
                    links: ["project": [RecordLocator(project)]]
                )
            }
        }
        let report = try await engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(tasks.fake.audit.count == 601)
        #expect(
            tasks.fake.audit.first?.description == #"create projects/2 {"id":2,"name":"Garden"}"#
        )
        #expect(tasks.fake.audit.dropFirst().allSatisfy { "\($0)".contains(#""project_id":2"#) })
    }

    @Test(arguments: 2...5)
    func `two groups together have no more requests in flight than the limit permits`(
        concurrency: Int
    ) async throws {
        let tasks = try TaskService(.rest)
        let meter = ConcurrencyMeter(tasks.fake)
        let engine = try tasks.engine(over: meter) { $0.concurrency = concurrency }
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            for number in 1...1_000 {
                _ = try writer.insert("Task", values: ["title": .string("new \(number)")])
            }
        }
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 1_000)
        #expect((2...concurrency).contains(meter.maximum))
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `what is lost while several groups are sent is applied once`(
        dialect: TaskService.Dialect
    ) async throws {
        let (tasks, engine) = try await pulled(dialect, concurrency: 4)
        try await tasks.store.write { writer in
            for number in 1...1_000 {
                _ = try writer.insert("Task", values: ["title": .string("new \(number)")])
            }
        }
        _ = try await engine.push()
        let created = tasks.fake.audit.count
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE Task SET title = 'mine ' || _id")
        }
        for fault in [FakeFault.lostResponse, .status(500)] {
            tasks.fake.inject(fault, times: 2)
            _ = try await engine.push()
            tasks.clock.advance(by: .seconds(3_600 * 24))
        }
        tasks.fake.removeFaults()
        _ = try await engine.sync()
        #expect(try tasks.changes().isEmpty)
        #expect(tasks.fake.audit.count - created == 1_002)
    }

    @Test(arguments: TaskService.Dialect.allCases, [1, 4])
    func `a list that rejects everything is given up, also after another one has accepted changes`(
        dialect: TaskService.Dialect,
        concurrency: Int
    ) async throws {
        let (tasks, engine) = try await pulled(dialect, concurrency: concurrency) {
            $0.required["tasks"] = ["title"]
        }
        try await tasks.store.write { writer in
            _ = try writer.insert("Project", values: ["name": .string("Garden")])
            for _ in 1...200 { _ = try writer.insert("Task", values: ["done": .boolean(true)]) }
        }
        let report = try await engine.push()
        #expect(report.entities["Project"]?.created == 1)
        #expect(report.entities["Task"]?.rejected == 25)
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `two groups of a list that begins to reject do not reject more than one`()
        async throws
    {
        let (tasks, engine) = try await pulled(.kinto, concurrency: 4) {
            $0.required["tasks"] = ["title"]
            $0.batchLimit = 10
        }
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("accepted")])
            for _ in 1...800 { _ = try writer.insert("Task", values: ["done": .boolean(true)]) }
        }
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 1)
        // 25 in succession, and those whose rejection is known before the one that was accepted.
        #expect(try #require(report.entities["Task"]?.rejected) < 50)
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `a text that is only normalized in another way is sent`() async throws {
        let (tasks, engine) = try await pulled()
        for title in ["caf\u{E9}", "cafe\u{301}"] {
            try await tasks.store.writer.write { db in
                try db.execute(sql: "UPDATE Task SET title = ? WHERE _id = 1", arguments: [title])
            }
            tasks.fake.clearRequests()
            _ = try await engine.push()
            #expect(tasks.fake.requests.contains { $0.body != nil }, "\(Array(title.utf8))")
        }
    }

    @Test(arguments: [1, 4])
    func `a project is deleted after its tasks, which are on later pages`(
        concurrency: Int
    ) async throws {
        let (tasks, engine) = try await pulled(concurrency: concurrency)
        try await tasks.store.write { writer in
            for number in 1...700 {
                _ = try writer.insert(
                    "Task",
                    values: ["title": .string("new \(number)")],
                    links: ["project": [RecordLocator("Project:1")]]
                )
            }
        }
        _ = try await engine.push()
        try await tasks.store.write { writer in
            // Its change is the first one, and becomes a deletion at the end.
            try writer.update(RecordLocator("Project:1"), values: ["name": .string("Old")])
            for number in 3...702 { _ = try writer.delete(RecordLocator("Task:\(number)")) }
            _ = try writer.delete(RecordLocator("Project:1"))
        }
        let before = tasks.fake.audit.count
        let report = try await engine.push(with: PushOptions(deletionGuard: nil))
        #expect(report.localChanges.unpushed.isEmpty)
        let sent = tasks.fake.audit.dropFirst(before).map(\.description)
        #expect(sent.count == 701)
        #expect(sent.last == "delete projects/1")
    }

    @Test func `a creation waits for the deletion of its key whose outcome is unknown`()
        async throws
    {
        let (tasks, engine) = try await pulled()
        try await tasks.store.write { _ = try $0.delete(RecordLocator("Task:2")) }
        let lossy = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await lossy.push()
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["id": .integer(2), "title": .string("again")])
        }
        let report = try await engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(
            tasks.fake.audit.map(\.description)
                == ["delete tasks/2", #"create tasks/3 {"id":3,"title":"again"}"#]
        )
    }

    // MARK: Values that move

    private func titles(_ tasks: TaskService) -> [String] { [1, 2].map(tasks.object) }

    @Test func `a rejected change is sent again when another has made room for it`() async throws {
        let (tasks, engine) = try await pulled { $0.unique["tasks"] = ["title"] }
        try await tasks.store.write { writer in
            try writer.update(RecordLocator("Task:1"), values: ["title": .string("task 2")])
            try writer.update(RecordLocator("Task:2"), values: ["title": .string("task 3")])
        }
        let report = try await engine.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(report.entities["Task"]?.rejected == 0)
        #expect(report.entities["Task"]?.updated == 2)
        #expect(
            titles(tasks)
                == [#""title":"task 2","done":false"#, #""title":"task 3","done":false"#]
        )
    }

    @Test func `a change that is rejected once more stays rejected`() async throws {
        let (tasks, engine) = try await pulled { $0.unique["tasks"] = ["title"] }
        try await tasks.store.write { writer in
            try writer.update(RecordLocator("Task:1"), values: ["title": .string("task 2")])
            try writer.update(RecordLocator("Task:2"), values: ["done": .boolean(true)])
        }
        let report = try await engine.push()
        #expect(report.entities["Task"]?.rejected == 1)
        #expect(report.entities["Task"]?.updated == 1)
        #expect(
            tasks.fake.requests.count { $0.request.method == .patch } == 3,
            "The rejected change is sent twice, and no more."
        )
        #expect(try tasks.changes().map { $0.contains("rejected") } == [true])
    }
}
