import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Services that are down, misconfigured, or not the service at all.
struct PushFailureTests {
    private func insert(_ count: Int, into tasks: TaskService) async throws {
        try await tasks.store.write { writer in
            for number in 1...count {
                _ = try writer.insert("Task", values: ["title": .string("task \(number)")])
            }
        }
    }

    @Test func `a list that rejects changes is given up after 25 of them`() async throws {
        let tasks = try TaskService(.rest) { $0.required["tasks"] = ["owner"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await insert(60, into: tasks)
        let report = try await engine.push()
        #expect(
            report.failures.mapValues(\.message)
                == ["tasks/": "The service has rejected 25 changes in succession."]
        )
        #expect(report.entities["Task"]?.rejected == 25)
        let states = try tasks.changes().map { $0.contains("rejected") }
        #expect(states.count(where: \.self) == 25)
        #expect(states.count == 60)
    }

    @Test func `a page instead of a response acknowledges nothing`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .html))
        _ = try await engine.pull()
        try await insert(2, into: tasks)
        let report = try await engine.push()
        #expect(report.failures.count == 1)
        #expect(
            try tasks.changes() == [
                """
                Task#3 create, uncertain: the response is a page (text/html), such as that of a \
                sign-in
                """,
                "Task#4 create, pending: an earlier failure has ended the push",
            ]
        )
    }

    @Test func `a service that asks for a pause gets the change again afterwards`() async throws {
        let tasks = try TaskService(.rest)
        let fault = FakeFault.status(503, retryAfter: .seconds(120))
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, fault))
        _ = try await engine.pull()
        try await insert(1, into: tasks)
        _ = try await engine.push()
        tasks.clock.advance(by: .seconds(119))
        _ = try await engine.push()
        #expect(tasks.fake.audit.isEmpty)
        tasks.clock.advance(by: .seconds(1))
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a week without the service costs one request a run`() async throws {
        let tasks = try TaskService(.rest)
        let transport = InterceptingTransport(tasks.fake, laterPage: "page=")
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await insert(300, into: tasks)
        tasks.fake.clearRequests()
        for _ in 1...20 {
            transport.before(1) { throw RemoteError(.unreachable, "There is no network.") }
            _ = try await engine.push()
            tasks.clock.advance(by: .seconds(3_600 * 8))
        }
        #expect(tasks.fake.requests.count == 0)
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 300)
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: [
        // Before the run, in it, and after it.
        "ALTER TABLE _tidemark_conflict RENAME COLUMN _id TO number",
        """
        CREATE TRIGGER failing BEFORE UPDATE ON _tidemark_resource \
        BEGIN SELECT RAISE(ABORT, 'no'); END
        """,
        "ALTER TABLE _tidemark_conflict RENAME COLUMN decidedBy TO author",
    ])
    func `an error of the store leaves no lease`(damage: String) async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        tasks.edit(1, ["title": "theirs"])
        try await tasks.store.writer.write { db in try db.execute(sql: damage) }
        await #expect(throws: DatabaseError.self) { try await engine.sync() }
        let leases = try await tasks.store.writer.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_lease")
        }
        #expect(leases == 0)
    }

    @Test func `objects are created before those that refer to them`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            let project = try writer.insert("Project", values: ["name": .string("Garden")])
            for number in 1...3 {
                _ = try writer.insert(
                    "Task",
                    values: ["title": .string("dig \(number)")],
                    links: ["project": [RecordLocator(project)]]
                )
            }
        }
        _ = try await engine.push()
        #expect(
            tasks.fake.audit.map(\.description) == [
                #"create projects/2 {"id":2,"name":"Garden"}"#,
                #"create tasks/3 {"id":3,"title":"dig 1","project_id":2}"#,
                #"create tasks/4 {"id":4,"title":"dig 2","project_id":2}"#,
                #"create tasks/5 {"id":5,"title":"dig 3","project_id":2}"#,
            ]
        )
    }
}
