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

/// Stored requests, which do not decide where they are sent, and the times that are stored with
/// them.
struct StoredRequestTests {
    /// Creates a service that recognizes repeated requests, and loses the response to a creation.
    private func lost(
        _ change: (inout TaskService) throws -> Void = { _ in }
    ) async throws -> TaskService {
        var tasks = try TaskService(.rest) { $0.idempotency = "Idempotency-Key" }
        tasks.service.name = "tasks"
        for index in tasks.resources.indices {
            tasks.resources[index].push.reconcile = .resend
            tasks.resources[index].push.idempotency = .init(field: "Idempotency-Key")
        }
        try change(&tasks)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .connectionClosed))
        _ = try await engine.pull()
        try await tasks.add("new")
        _ = try await engine.push()
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
        return tasks
    }

    private func path(_ tasks: TaskService) async throws -> [String?] {
        try await tasks.store.writer.read { db in
            try Optional<String>.fetchAll(db, sql: "SELECT path FROM _tidemark_request")
        }
    }

    @Test func `the store has a path, and no origin`() async throws {
        let tasks = try await lost()
        #expect(try await path(tasks) == ["tasks/"])
        let text = try await tasks.store.writer.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM _tidemark_request").map { row in
                // The reason is for people: it names the address that did not respond.
                row.filter { $0.0 != "reason" }.map { "\($0.0): \($0.1)" }.joined(separator: " ")
            }
            .joined()
        }
        #expect(!text.contains("fake.example"))
        let details = try await tasks.store.read { [store = tasks.store] reader in
            try Outbox(store).details(reader.db, of: RecordLocator("Task#3"))
        }
        #expect(details.map(\.request?.path) == ["tasks/"])
    }

    @Test func `a request is repeated at the address that is configured now`() async throws {
        var tasks = try await lost()
        let moved = try #require(URL(string: "https://new.example/v2"))
        tasks.service = tasks.service.moved(to: moved)
        let recorder = AddressRecorder()
        _ = try await tasks.engine(over: recorder).push()
        #expect(recorder.sent == ["POST https://new.example/v2/tasks/"])
    }

    @Test(arguments: [
        "https://evil.example/tasks/", "//evil.example/tasks/", "http://fake.example/api/tasks/",
    ])
    func `a path that another program has stored leads to no other origin`(
        _ path: String
    ) async throws {
        let tasks = try await lost()
        try await tasks.store.writer.write { db in
            try db.execute(sql: "UPDATE _tidemark_request SET path = ?", arguments: [path])
        }
        let recorder = AddressRecorder()
        _ = try await tasks.engine(over: recorder).push()
        let hosts = recorder.sent.filter { !$0.hasPrefix("POST https://fake.example/") }
        #expect(hosts.isEmpty)
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
    }

    @Test func `an operation at a further origin is repeated there`() async throws {
        let tasks = try await lost { tasks in
            tasks.service.origins = [try #require(Origin("https://write.example"))]
            tasks.resources[0].push.create?.path = "https://write.example/x/tasks/"
        }
        #expect(try await path(tasks) == ["/x/tasks/"])
        let recorder = AddressRecorder()
        _ = try await tasks.engine(over: recorder).push()
        #expect(recorder.sent == ["POST https://write.example/x/tasks/"])
    }

    @Test func `a creation that the list accepts no more is not repeated`() async throws {
        var tasks = try await lost()
        tasks.resources[0].push.create = nil
        let recorder = AddressRecorder()
        _ = try await tasks.engine(over: recorder).push()
        #expect(recorder.sent.isEmpty)
        #expect(try tasks.changes().map { $0.prefix { $0 != ":" } } == ["Task#3 create, uncertain"])
    }

    @Test func `a secret in a path is sent, and neither stored nor reported`() async throws {
        var tasks = try TaskService(.rest)
        tasks.resources[0] = tasks.service.resource("Task", path: "tasks/?api_key=h4nd-picked")
        tasks.resources[0].push.create?.path = "tasks/?token=l1teral"
        let log = EventLog()
        let recorder = AddressRecorder(passingTo: tasks.fake)
        let engine = try tasks.engine(over: recorder, onEvent: log.record)
        let report = try await engine.pull()
        #expect(report.resources.keys.sorted() == ["projects/", "tasks/?api_key=***api_key***"])
        #expect(recorder.sent.contains("GET https://fake.example/api/tasks/?api_key=h4nd-picked"))
        try await tasks.add("new")
        try await tasks.rename(1, to: "mine")
        let planned = try await engine.plannedRequests().map(\.description).joined()
        tasks.fake.inject(.status(500), times: 10)
        let pushed = try await engine.push()
        #expect(recorder.sent.contains("POST https://fake.example/api/tasks/?token=l1teral"))
        let dump = try await tasks.store.writer.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '_tidemark%'"
            )
            .flatMap { try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map { "\($0)" } }
            .joined(separator: "\n")
        }
        let status = try SyncStatus.of(tasks.store, environment: tasks.clock.environment)
        let texts = ["\(report)", planned, "\(pushed)", dump, "\(status)"] + log.lines
        for text in texts {
            #expect(!text.contains("h4nd-picked"), "\(text)")
            #expect(!text.contains("l1teral"), "\(text)")
        }
    }

    // MARK: Time

    @Test func `a pause that the service requests has a limit, and is shown`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(
            over: WriteFaults(tasks.fake, .status(429, retryAfter: .seconds(900_000_000)))
        )
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.push()
        #expect(
            try tasks.changes() == [
                "Task#1 update, pending: the service requests a pause of 86400 s or more"
            ]
        )
        tasks.clock.advance(by: .seconds(86_399))
        _ = try await tasks.engine().push()
        #expect(tasks.fake.audit.isEmpty)
        tasks.clock.advance(by: .seconds(2))
        _ = try await tasks.engine().push()
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `another limit of pauses is respected`() async throws {
        let tasks = try TaskService(.rest)
        let fault = FakeFault.status(503, retryAfter: .date(in: .seconds(7_200)))
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, fault)) {
            $0.http.pause = .seconds(60)
        }
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.push()
        tasks.clock.advance(by: .seconds(61))
        _ = try await tasks.engine().push()
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `a pause is as long after the clock was set back`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(
            over: WriteFaults(tasks.fake, .status(429, retryAfter: .seconds(600)))
        )
        _ = try await engine.pull()
        try await tasks.rename(1, to: "mine")
        _ = try await engine.push()
        tasks.clock.advance(by: .seconds(-365 * 86_400))
        let changes = try await engine.pushableChanges()
        #expect(changes.attempts.values.allSatisfy { $0 <= tasks.clock.now + 600 })
        // It counts from the first run after that.
        _ = try await tasks.engine().push()
        #expect(tasks.fake.audit.isEmpty)
        tasks.clock.advance(by: .seconds(601))
        _ = try await tasks.engine().push()
        #expect(tasks.fake.audit.count == 1)
    }

    @Test func `a creation is settled by a list although the clock was set back`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .connectionClosed))
        _ = try await engine.pull()
        try await tasks.add("new")
        _ = try await engine.push()
        tasks.clock.advance(by: .seconds(-365 * 86_400))
        _ = try await engine.sync()
        tasks.clock.advance(by: Limits.longTimeout.http.idleTimeout + .seconds(1))
        _ = try await engine.sync()
        #expect(tasks.fake.audit.map(\.description).count == 1)
        #expect(try tasks.changes().isEmpty)
    }

    @Test func `a request whose age is not known is not repeated under its key`() async throws {
        let tasks = try await lost()
        tasks.clock.advance(by: .seconds(-86_400))
        let recorder = AddressRecorder(passingTo: tasks.fake)
        _ = try await tasks.engine(over: recorder).push()
        #expect(recorder.sent.isEmpty)
    }
}

/// A transport that records where requests are sent.
private final class AddressRecorder: Transport {
    private let addresses = Locked<[String]>([])
    private let base: (any Transport)?

    init(passingTo base: (any Transport)? = nil) { self.base = base }

    var sent: [String] { addresses.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        addresses.withLock {
            $0.append("\(request.method) \(request.url?.absoluteString ?? "")")
        }
        if let base { return try await base.send(request, body: body) }
        return TransportResponse(to: request, head: HTTPResponse(status: .badGateway))
    }
}

extension Service {
    /// Returns the service at another address.
    fileprivate func moved(to url: URL) -> Service {
        var moved = Service.rest(url: url)
        moved.name = name
        moved.push = push
        moved.style = style
        return moved
    }
}
