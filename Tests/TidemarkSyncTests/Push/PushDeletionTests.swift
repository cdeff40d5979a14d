import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Deletions at the service that exceed the guard of a push.
struct PushDeletionTests {
    private static func line(_ count: Int, of known: Int) -> String {
        "Task: \(count) of \(known) objects would be deleted at the service."
    }

    @Test(arguments: [(300, 150), (300, 100), (9, 9), (150, 100), (20, 19)])
    func `deletions within the limits are sent`(_ count: Int, _ deleted: Int) async throws {
        let scene = try await DeletionScene(count)
        try await scene.delete(1...deleted)
        let report = try await scene.engine.push()
        #expect(report.localChanges.pendingServiceDeletions.isEmpty)
        #expect(report.entities["Task"]?.deleted == deleted)
        #expect(try await scene.counts() == [count - deleted, count - deleted])
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test(arguments: [(300, 151), (300, 300), (10, 10), (150, 101)])
    func `deletions that exceed the limits wait, and others are sent`(
        _ count: Int,
        _ deleted: Int
    ) async throws {
        let scene = try await DeletionScene(count)
        try await scene.delete(1...deleted)
        try await scene.tasks.add("new")
        try await scene.tasks.store.write { writer in
            _ = try writer.update(RecordLocator("Project:1"), values: ["name": .string("Garden")])
        }
        let report = try await scene.engine.push()
        // The object that was created does not count.
        let line = Self.line(deleted, of: count)
        #expect(report.localChanges.pendingServiceDeletions.map(\.description) == [line])
        #expect(report.entities["Task"] == PushReport.Counts(created: 1))
        #expect(report.entities["Project"] == PushReport.Counts(updated: 1))
        #expect(
            report.localChanges.unpushed.map { "\($0.entity) \($0.state) \($0.count)" } == [
                "Task pending \(deleted)"
            ]
        )
        #expect(try await scene.counts() == [count - deleted + 1, count + 1])
        #expect(scene.log.lines.contains(line))
        #expect(try scene.pending() == [line])
        let left = try await scene.tasks.store.read { [store = scene.tasks.store] reader in
            try Outbox(store).changes(reader.db)
        }
        #expect(left.allSatisfy { $0.state == .pending && $0.attempts.needsApproval })
        #expect(left[0].attempts.reason?.contains("awaits approval") == true)
        // Neither another push nor a sync sends them, nor does a pull restore them.
        _ = try await scene.engine.push()
        _ = try await scene.engine.sync()
        #expect(try await scene.counts() == [count - deleted + 1, count + 1])
    }

    @Test func `a push without a guard sends all of them`() async throws {
        let scene = try await DeletionScene(300)
        try await scene.delete(1...300)
        _ = try await scene.engine.push()
        #expect(try await scene.counts() == [0, 300])
        let report = try await scene.engine.push(with: PushOptions(deletionGuard: nil))
        #expect(report.entities["Task"]?.deleted == 300)
        #expect(try await scene.counts() == [0, 0])
        // A sync takes the options, too.
        let other = try await DeletionScene(300)
        try await other.delete(1...300)
        let options = PushOptions(deletionGuard: nil)
        _ = try await other.engine.sync(pushing: options)
        #expect(try await other.counts() == [0, 0])
    }

    @Test func `a guard of its own is respected`() async throws {
        let scene = try await DeletionScene(20)
        try await scene.delete(1...3)
        let strict = DeletionGuard(share: 0, rows: 2, fullDeletionThreshold: 1)
        let held = try await scene.engine.push(with: PushOptions(deletionGuard: strict))
        let pending = held.localChanges.pendingServiceDeletions
        #expect(pending.map(\.description) == [Self.line(3, of: 20)])
        // The next push has another guard, which permits them.
        let sent = try await scene.engine.push()
        #expect(sent.entities["Task"]?.deleted == 3)
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `deletions of the last hour count`() async throws {
        let scene = try await DeletionScene(300)
        var sent: [Int] = []
        for step in 0..<6 {
            try await scene.delete(step * 50 + 1...step * 50 + 50)
            sent.append(try await scene.engine.push().entities["Task"]?.deleted ?? 0)
            scene.tasks.clock.advance(by: .seconds(300))
        }
        #expect(sent == [50, 50, 50, 0, 0, 0])
        #expect(try scene.pending() == [Self.line(150, of: 300)])
        // After an hour the first ones count no more, but all of the others would be deleted.
        scene.tasks.clock.advance(by: .seconds(3_600))
        #expect(try await scene.engine.push().entities["Task"] == nil)
        #expect(try scene.pending() == [Self.line(150, of: 150)])
        // Of what was pulled meanwhile it is less than half.
        scene.tasks.fake.change { data in
            for number in 301...600 { data["tasks/\(number)"] = ["title": "more"] }
        }
        _ = try await scene.engine.pull()
        #expect(try await scene.engine.push().entities["Task"]?.deleted == 150)
        #expect(try scene.pending().isEmpty)
    }

    @Test func `deletions before the clock was set back count as made now`() async throws {
        let scene = try await DeletionScene(300)
        try await scene.delete(1...150)
        _ = try await scene.engine.push()
        scene.tasks.clock.advance(by: .seconds(-86_400))
        try await scene.delete(151...151)
        #expect(try await scene.engine.push().entities["Task"] == nil)
        #expect(try scene.pending() == [Self.line(1, of: 300)])
        scene.tasks.clock.advance(by: .seconds(3_700))
        #expect(try await scene.engine.push().entities["Task"]?.deleted == 1)
    }

    @Test func `rows that the service has not named do not count`() async throws {
        let scene = try await DeletionScene(10)
        try await scene.tasks.store.write { writer in
            for number in 1...200 {
                _ = try writer.insert("Task", values: ["title": .string("new \(number)")])
            }
            // Deleted before they were sent.
            for number in 13...100 { _ = try writer.delete(RecordLocator("Task#\(number)")) }
        }
        try await scene.delete(1...10)
        let report = try await scene.engine.push()
        #expect(report.entities["Task"] == PushReport.Counts(created: 112))
        #expect(report.localChanges.pendingServiceDeletions.map(\.count) == [10])
    }

    @Test(arguments: [1, 4])
    func `deletions that are made while a push is running do not exceed the limits`(
        concurrency: Int
    ) async throws {
        let tasks = try TaskService(.rest)
        tasks.fake.change { data in
            for number in 3...400 { data["tasks/\(number)"] = ["title": "a"] }
        }
        let transport = DeviceTransport(tasks.fake)
        let engine = try tasks.engine(over: transport) { $0.concurrency = concurrency }
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            for number in 1...20 { _ = try writer.delete(RecordLocator("Task:\(number)")) }
        }
        transport.before(5) {
            try await tasks.store.write { writer in
                for number in 21...400 { _ = try writer.delete(RecordLocator("Task:\(number)")) }
            }
        }
        let report = try await engine.push()
        #expect((tasks.fake.data[objects: "tasks"] ?? []).count >= 200)
        #expect(report.localChanges.pendingServiceDeletions.map(\.entity) == ["Task"])
        _ = try await engine.push()
        #expect((tasks.fake.data[objects: "tasks"] ?? []).count >= 200)
    }

    @Test(arguments: TaskService.Dialect.allCases)
    func `every kind of service is protected`(dialect: TaskService.Dialect) async throws {
        let tasks = try TaskService(dialect)
        let key = dialect == .parse ? "objectId" : "id"
        tasks.fake.change { data in
            for number in 3...12 {
                let name = dialect.hasTextKeys ? "k\(number)" : "\(number)"
                let value = dialect.hasTextKeys ? FakeJSON.string(name) : .number(name)
                data["tasks/\(name)"] = FakeJSON.object([.init(key, value)])
            }
        }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.writer.write { db in try db.execute(sql: "DELETE FROM Task") }
        let report = try await engine.push()
        #expect(
            report.localChanges.pendingServiceDeletions == [
                PendingServiceDeletion(entity: "Task", count: 12, known: 12)
            ]
        )
        #expect(tasks.fake.audit.isEmpty)
        _ = try await engine.push(with: PushOptions(deletionGuard: nil))
        #expect((tasks.fake.data[objects: "tasks"] ?? []).isEmpty)
    }

    @Test func `a list that accepts no deletions needs no approval`() async throws {
        let scene = try await DeletionScene(12)
        var tasks = scene.tasks
        for index in tasks.resources.indices { tasks.resources[index].push.delete = nil }
        let engine = try tasks.engine()
        try await scene.delete(1...12)
        let report = try await engine.push()
        #expect(report.localChanges.pendingServiceDeletions.isEmpty)
        #expect(report.localChanges.unpushed.map(\.count) == [12])
    }

    @Test func `planned requests are marked, and change nothing`() async throws {
        let scene = try await DeletionScene(12)
        try await scene.delete(1...12)
        let planned = try await scene.engine.plannedRequests()
        #expect(planned.count == 12)
        #expect(
            planned.allSatisfy { $0.needsApproval && $0.description.contains("awaits approval") }
        )
        #expect(try scene.pending().isEmpty)
        let all = try await scene.engine.plannedRequests(with: PushOptions(deletionGuard: nil))
        #expect(all.allSatisfy { !$0.needsApproval })
    }

    @Test func `a schedule does not try again until they are decided about`() async throws {
        let tasks = try TaskService(.rest)
        tasks.fake.change { data in
            for number in 3...12 { data["tasks/\(number)"] = ["title": "a"] }
        }
        let agenda = Agenda(tasks.clock)
        let log = RunLog(agenda)
        let engine = try tasks.engine(environment: agenda.environment, onEvent: log.record)
        _ = try await engine.pull()
        _ = log.take()
        agenda.waking(at: 10) {
            try await tasks.store.write { writer in
                for number in 1...12 { _ = try writer.delete(RecordLocator("Task:\(number)")) }
            }
        }
        agenda.waking(at: 20_000) {
            try await tasks.store.write { writer in
                _ = try Outbox(tasks.store).approveDeletions(writer.db, of: "Task")
            }
            // Of another process, which wakes the schedule by a row.
            try await tasks.add("new")
        }
        try await agenda.run(30_000) {
            try await engine.run(.every(.seconds(86_400)))
        }
        let lines = log.take()
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.last?.contains("12 deleted") == true, "\(lines)")
    }

    @Test func `the most that a guard permits is what it permits`() {
        let guards = [
            DeletionGuard(), DeletionGuard(share: 0, rows: 0, fullDeletionThreshold: 1),
            DeletionGuard(share: 1, rows: 0), DeletionGuard(share: 0.1, rows: 5),
            DeletionGuard(share: 2, rows: -1, fullDeletionThreshold: 0),
            DeletionGuard(share: .nan, rows: 3), DeletionGuard(share: 0.5, rows: .max),
        ]
        for deletionGuard in guards {
            for total in [0, 1, 2, 9, 10, 11, 99, 100, 101, 199, 200, 201, 1_000] {
                let most = deletionGuard.most(of: total)
                let permitted = (0...total + 20).filter { deletionGuard.permits($0, of: total) }
                #expect(most == permitted.max() ?? 0, "\(deletionGuard) of \(total)")
            }
        }
    }
}
