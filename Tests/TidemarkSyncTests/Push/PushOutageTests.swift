import Foundation
import GRDB
import HTTPTypes
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Services that do not respond for a long time, and what responds in their place.
struct PushOutageTests {
    /// Creates a service with tasks that were pulled.
    private func filled(
        _ count: Int = 2,
        _ dialect: TaskService.Dialect = .rest
    ) async throws -> (tasks: TaskService, engine: SyncEngine) {
        let tasks = try TaskService(dialect)
        tasks.fake.change { data in
            for number in (1...count).dropFirst(2) {
                data["tasks/\(number)"] = ["title": .string("task \(number)"), "done": false]
            }
        }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        return (tasks, engine)
    }

    private func editAll(_ tasks: TaskService) async throws {
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE Task SET title = 'mine ' || _id")
        }
    }

    private func insert(_ count: Int, into tasks: TaskService) async throws {
        try await tasks.store.write { writer in
            for number in 1...count {
                _ = try writer.insert("Task", values: ["title": .string("new \(number)")])
            }
        }
    }

    private static let outages: [FakeFault] = [
        .connectionClosed, .noResponse, .status(502), .status(503), .status(504), .html,
        .status(503, retryAfter: .seconds(30)), .status(401),
        .redirect(to: "https://portal.example/"),
    ]

    @Test(arguments: outages)
    func `a week without the service costs a request a run, and no change`(
        fault: FakeFault
    ) async throws {
        let (tasks, engine) = try await filled(300)
        try await editAll(tasks)
        tasks.fake.inject(fault)
        var requests: [Int] = []
        for _ in 1...21 {
            tasks.fake.clearRequests()
            let report = try await engine.push()
            requests.append(tasks.fake.requests.count)
            #expect(report.failures.count == 1)
            #expect(!report.hasPushed)
            tasks.clock.advance(by: .seconds(3_600 * 8))
        }
        #expect(requests == Array(repeating: 1, count: 21))
        #expect(tasks.fake.audit.isEmpty)
        #expect(try tasks.changes().allSatisfy { $0.contains("update, pending") })
        #expect(try tasks.changes().count == 300)
        tasks.fake.removeFaults()
        let report = try await engine.push()
        #expect(report.entities["Task"]?.updated == 300)
        #expect(tasks.fake.audit.count == 300)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `ten thousand edits wait for a service of any kind`(
        dialect: TaskService.Dialect
    ) async throws {
        let (tasks, engine) = try await filled(2, dialect)
        let count = dialect == .rest ? 10_000 : 500
        try await insert(count, into: tasks)
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE Task SET title = 'mine' WHERE _id < 3")
        }
        // The first request: a list of both tasks where there are such lists, a task, or a batch.
        tasks.fake.inject(.status(503))
        for _ in 1...3 {
            tasks.fake.clearRequests()
            let report = try await engine.push()
            #expect(tasks.fake.requests.count == 1)
            #expect(report.failures.count == 1)
            tasks.clock.advance(by: .seconds(3_600 * 24))
        }
        tasks.fake.removeFaults()
        guard dialect != .rest else { return #expect(try tasks.changes().count == count + 2) }
        _ = try await engine.sync()
        tasks.clock.advance(by: .seconds(3_600 * 24))
        _ = try await engine.sync()
        #expect(tasks.fake.audit.count == count + 2)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a schedule sends everything after an outage, without another local change`()
        async throws
    {
        let (tasks, engine) = try await filled(40)
        try await editAll(tasks)
        tasks.fake.inject(.status(503))
        var events = engine.events().makeAsyncIterator()
        let schedule = Task { try await engine.run(.every(.seconds(3_600))) }
        let start = tasks.clock.environment.now()
        var requests: Int?
        while let event = await events.next() {
            guard event.isEnd else { continue }
            let hours = tasks.clock.environment.now().timeIntervalSince(start) / 3_600
            if hours > 24 * 7, requests == nil {
                requests = tasks.fake.requests.count { "\($0)".contains(/tasks\/[0-9]/) }
                tasks.fake.removeFaults()
            }
            if try hours > 24 * 8 || tasks.changes().isEmpty { break }
        }
        schedule.cancel()
        await #expect(throws: CancellationError.self) { try await schedule.value }
        // Each hour a sync begins with one, and the retries come less and less often.
        #expect(try #require(requests) < 24 * 7 * 4)
        #expect(tasks.fake.audit.count == 40)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a service that always fails gets three requests a run`() async throws {
        let (tasks, engine) = try await filled()
        try await insert(40, into: tasks)
        tasks.fake.inject(.status(500))
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(tasks.fake.requests.count == 3)
        #expect(report.entities["Task"]?.uncertain == 3)
        #expect(
            report.failures.mapValues(\.message)
                == ["tasks/": "The service fails, or does not respond (500)."]
        )
        #expect(try tasks.changes().count { $0.contains("create, pending") } == 37)
    }

    @Test func `an object at which the service fails does not keep others from being sent`()
        async throws
    {
        let (tasks, engine) = try await filled(6)
        try await editAll(tasks)
        // Whatever is done with the first ones, no response comes, and every run begins with them.
        for path in ["tasks/1/", "tasks/2/", "tasks/3/", "tasks/4/"] {
            tasks.fake.inject(.noResponse, at: path)
        }
        for _ in 1...5 {
            _ = try await engine.push()
            tasks.clock.advance(by: .seconds(3_600 * 2))
        }
        #expect(tasks.fake.audit.map(\.path).sorted() == ["tasks/5", "tasks/6"])
        #expect(try tasks.changes().count == 4)
    }

    // MARK: Wrong paths

    @Test(arguments: [
        PushStyle.PreflightCheck.read(parameter: nil), .none, .version(parameter: nil),
    ])
    func `a wrong path of updates rejects 25 of them at most`(
        check: PushStyle.PreflightCheck
    ) async throws {
        var (tasks, _) = try await filled(60)
        for index in tasks.resources.indices {
            tasks.resources[index].push.check = check
            tasks.resources[index].push.update?.path = "todos/{key}/"
        }
        let engine = try tasks.engine()
        try await editAll(tasks)
        tasks.fake.clearRequests()
        let report = try await engine.push()
        #expect(tasks.fake.requests.count == 25)
        #expect(
            report.failures.mapValues(\.message)
                == ["tasks/": "The service has rejected 25 changes in succession."]
        )
        #expect(try tasks.changes().count { $0.contains("rejected") } == 25)
        #expect(try tasks.changes().count { $0.contains("pending") } == 35)
    }

    @Test func `the limit of rejections is that of the engine`() async throws {
        let tasks = try TaskService(.rest) { $0.required["tasks"] = ["owner"] }
        let engine = try tasks.engine { $0.http.consecutiveRejections = 2 }
        _ = try await engine.pull()
        try await insert(5, into: tasks)
        _ = try await engine.push()
        #expect(try tasks.changes().count { $0.contains("rejected") } == 2)
    }

    // MARK: Captive portals

    @Test(arguments: TaskService.Dialect.allCases)
    func `a captive portal acknowledges nothing`(dialect: TaskService.Dialect) async throws {
        let (tasks, engine) = try await filled(2, dialect)
        try await tasks.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("new")])
            _ = try writer.update(tasks.task(1), values: ["title": .string("mine")])
            _ = try writer.delete(tasks.task(2))
        }
        tasks.fake.inject(.html)
        for _ in 1...3 {
            _ = try await engine.push()
            tasks.clock.advance(by: .seconds(3_600))
        }
        #expect(try tasks.changes().count == 3)
        #expect(tasks.fake.audit.isEmpty)
        tasks.fake.removeFaults()
        tasks.clock.advance(by: .seconds(3_600))
        _ = try await engine.sync()
        #expect(tasks.fake.audit.map(\.kind.rawValue).sorted() == ["create", "delete", "update"])
        #expect(try tasks.changes().isEmpty)
    }

    // MARK: Faults of single requests

    @Test(arguments: [TaskService.Dialect.parse, .kinto], 0...3)
    func `a batch of which the service has processed a part is applied once`(
        dialect: TaskService.Dialect,
        members: Int
    ) async throws {
        let (tasks, engine) = try await filled(2, dialect)
        try await insert(3, into: tasks)
        tasks.fake.inject(.partialBatch(members), times: 1)
        let report = try await engine.push()
        #expect(report.entities["Task"]?.uncertain == 3)
        #expect(tasks.fake.audit.count == members)
        for _ in 1...2 {
            tasks.clock.advance(by: .seconds(3_600))
            _ = try await engine.sync()
        }
        #expect(tasks.fake.audit.map(\.kind) == [.create, .create, .create])
        #expect(Set(tasks.fake.audit.map { $0.object?["title"] }).count == 3)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `credentials that expire in the middle are renewed, and nothing is lost`(
        dialect: TaskService.Dialect
    ) async throws {
        var (tasks, _) = try await filled(2, dialect)
        for index in tasks.resources.indices { tasks.resources[index].push.batch = nil }
        let renewals = Locked(0)
        let transport = InterceptingTransport(tasks.fake, laterPage: "page=")
        let engine = try tasks.engine(
            over: transport,
            credentials: Credentials { _ in
                let number = renewals.withLock { count in
                    count += 1
                    return count
                }
                return [.authorization: "Bearer \(number)"]
            }
        )
        try await insert(6, into: tasks)
        tasks.fake.clearRequests()
        transport.before(3) { [fake = tasks.fake] in fake.inject(.expiredCredentials, times: 1) }
        let report = try await engine.push()
        #expect(report.entities["Task"]?.created == 6)
        #expect(report.failures.isEmpty)
        #expect(renewals.withLock(\.self) == 2)
        #expect(tasks.fake.requests.map { $0.status == 401 } == (1...7).map { $0 == 3 })
        #expect(tasks.fake.audit.count == 6)
        #expect(try tasks.changes().isEmpty)
    }
}
