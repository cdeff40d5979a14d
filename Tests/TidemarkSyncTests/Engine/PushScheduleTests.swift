import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Schedules that push after local changes, and try again by themselves.
@Suite(.timeLimit(.minutes(10)))
struct PushScheduleTests {
    /// A store that is in sync with a service of tasks, and the steps of a test.
    private struct Scene: Sendable {
        let tasks: TaskService
        let network: SwitchableTransport
        let transport: DeviceTransport
        let agenda: Agenda
        let log: RunLog
        let engine: SyncEngine

        init(at path: String? = nil, over base: (any Transport)? = nil) async throws {
            tasks = try TaskService(.rest, at: path)
            transport = DeviceTransport(tasks.fake)
            network = SwitchableTransport(AnyTransport(base ?? transport))
            agenda = Agenda(tasks.clock)
            log = RunLog(agenda)
            engine = try tasks.engine(
                over: network,
                environment: agenda.environment,
                onEvent: log.record
            )
            _ = try await engine.pull()
            _ = log.take()
            network.reset()
        }

        func edit(_ task: Int, _ title: String) async throws {
            try await tasks.store.write { writer in
                _ = try writer.update(tasks.task(task), values: ["title": .string(title)])
            }
        }

        func edit(_ row: RecordLocator, _ title: String) async throws {
            try await tasks.store.write { writer in
                _ = try writer.update(row, values: ["title": .string(title)])
            }
        }

        func insert(_ title: String) async throws {
            try await tasks.store.write { writer in
                _ = try writer.insert("Task", values: ["title": .string(title)])
            }
        }

        /// Runs a schedule, and returns its runs.
        func run(_ schedule: SyncSchedule, until seconds: Int) async throws -> [String] {
            try await agenda.run(seconds) { try await engine.run(schedule) }
            return log.take()
        }

        /// Runs a schedule that syncs once, and returns what runs between two syncs.
        func runBetweenSyncs(
            until seconds: Int,
            _ change: (inout SyncSchedule) -> Void = { _ in }
        ) async throws -> [String] {
            var schedule = SyncSchedule.every(.seconds(86_400))
            change(&schedule)
            var runs = try await run(schedule, until: seconds)
            #expect(runs.removeFirst() == "0 sync")
            return runs
        }

        /// Disconnects the network after the first sync.
        func disconnect() {
            agenda.at(1) {
                network.disconnect()
                network.reset()
            }
        }
    }

    // MARK: Local changes

    @Test func `a local change is pushed after two seconds`() async throws {
        let scene = try await Scene()
        scene.agenda.waking(at: 5) { try await scene.edit(1, "mine") }
        #expect(try await scene.runBetweenSyncs(until: 600) == ["7 push, 1 updated"])
        #expect(scene.tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `a thousand edits in quick succession lead to one push`() async throws {
        let scene = try await Scene()
        scene.agenda.waking(at: 5) {
            for number in 1...1_000 { try await scene.edit(1 + number % 2, "\(number)") }
        }
        scene.agenda.at(6) { try await scene.edit(1, "last") }
        #expect(try await scene.runBetweenSyncs(until: 600) == ["9 push, 2 updated"])
        #expect(scene.tasks.object(1) == #""title":"last","done":false"#)
    }

    @Test func `edits that never pause are not postponed indefinitely`() async throws {
        let scene = try await Scene()
        scene.agenda.waking(at: 5) { try await scene.edit(1, "first") }
        for second in 6...24 {
            scene.agenda.at(second) { try await scene.edit(1, "edit \(second)") }
        }
        #expect(try await scene.runBetweenSyncs(until: 600) == ["25 push, 1 updated"])
        #expect(scene.tasks.object(1) == #""title":"edit 24","done":false"#)
    }

    @Test func `an edit while a sync pulls is pushed by the same sync`() async throws {
        let scene = try await Scene()
        // The first request of a sync without local changes is that of a list.
        scene.transport.before(1) {
            try scene.tasks.store.write { writer in
                _ = try writer.update(scene.tasks.task(1), values: ["title": .string("mine")])
            }
        }
        let runs = try await scene.run(.every(.seconds(300)), until: 310)
        #expect(runs == ["0 sync, 1 updated", "300 sync"])
        #expect(scene.tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `an edit of a row that is being sent is sent as well`() async throws {
        let scene = try await Scene()
        scene.agenda.waking(at: 5) {
            try await scene.edit(1, "mine")
            // Its object is read before it is changed.
            scene.transport.before(2) {
                try scene.tasks.store.write { writer in
                    _ = try writer.update(scene.tasks.task(1), values: ["title": .string("newer")])
                }
            }
        }
        #expect(try await scene.runBetweenSyncs(until: 600) == ["7 push, 2 updated"])
        #expect(scene.tasks.object(1) == #""title":"newer","done":false"#)
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `a rejected change that is corrected during the push is sent by the next one`()
        async throws
    {
        let scene = try await Scene()
        let project = RecordLocator("Project", key: RecordKey([.integer(1)]))
        scene.transport.add([.status(422)])
        scene.agenda.waking(at: 5) {
            try await scene.tasks.store.write { writer in
                _ = try writer.update(project, values: ["name": .string("Work")])
                _ = try writer.update(scene.tasks.task(1), values: ["title": .string("mine")])
            }
            // The project is read and sent, then the task.
            scene.transport.before(3) {
                try scene.tasks.store.write { writer in
                    _ = try writer.update(project, values: ["name": .string("Garden")])
                }
            }
        }
        #expect(
            try await scene.runBetweenSyncs(until: 600) == [
                "7 push, 1 updated, 1 rejected", "9 push, 1 updated",
            ]
        )
        #expect(scene.tasks.fake["projects/1"]?["name"] == "Garden")
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `an edit of another connection is pushed after the next poll`() async throws {
        let folder = try Folder()
        let path = folder.filePath("tasks.db")
        let scene = try await Scene(at: path)
        let other = try DatabaseQueue(path: path)
        scene.agenda.at(11) {
            try await other.write { db in
                try db.execute(sql: "UPDATE Task SET title = 'mine' WHERE id = 1")
            }
        }
        // The store is asked every five seconds.
        #expect(try await scene.runBetweenSyncs(until: 60) == ["17 push, 1 updated"])
        #expect(scene.tasks.object(1) == #""title":"mine","done":false"#)
    }

    @Test func `what a pull imports is not pushed`() async throws {
        let scene = try await Scene()
        scene.agenda.at(100) { scene.tasks.edit(1, ["title": "theirs"]) }
        let runs = try await scene.run(.every(.seconds(300)), until: 601)
        #expect(runs == ["0 sync", "300 sync", "600 sync"])
        #expect(try scene.tasks.row(1) == "done: false, title: theirs")
    }

    @Test func `without a debounce for local changes they wait for the next sync`() async throws {
        let scene = try await Scene()
        var schedule = SyncSchedule.every(.seconds(300))
        schedule.pushDebounce = nil
        scene.agenda.waking(at: 5) { try await scene.edit(1, "mine") }
        #expect(try await scene.run(schedule, until: 301) == ["0 sync", "300 sync, 1 updated"])
    }

    @Test func `a request starts a sync at once, and restarts the interval`()
        async throws
    {
        let scene = try await Scene()
        scene.agenda.waking(at: 5) { try await scene.edit(1, "mine") }
        scene.agenda.waking(at: 100) { await scene.engine.requestSync() }
        let runs = try await scene.run(.every(.seconds(300)), until: 401)
        #expect(runs == ["0 sync", "7 push, 1 updated", "100 sync", "400 sync"])
    }

    // MARK: A service that is not available

    @Test func `changes made offline are sent when the service is back, without another edit`()
        async throws
    {
        let scene = try await Scene()
        scene.disconnect()
        scene.agenda.waking(at: 5) { for title in "abc" { try await scene.insert("\(title)") } }
        scene.agenda.at(200) { scene.network.connect() }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        #expect(
            runs == [
                "7 push, 1 postponed, unreachable",
                "22 push, 1 postponed, unreachable",
                "52 push, 1 postponed, unreachable",
                "112 push, 1 postponed, unreachable",
                "232 push, 3 created",
            ]
        )
        // While there is no connection, a push costs one request.
        #expect(scene.network.requests == 4 + 3)
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `pauses without a connection grow to five minutes`() async throws {
        let scene = try await Scene()
        scene.disconnect()
        scene.agenda.waking(at: 5) { try await scene.insert("offline") }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        let times = runs.compactMap { $0.split(separator: " ").first }
        // The shortest pauses are half of the longest ones.
        #expect(times == ["7", "22", "52", "112", "232", "382", "532", "682", "832", "982"])
    }

    @Test func `offline only a new change is tried at once, with one request`() async throws {
        let scene = try await Scene()
        scene.disconnect()
        scene.agenda.waking(at: 5) { try await scene.insert("first") }
        let first = RecordLocator(RowReference("Task", 3))
        for second in [9, 12, 15] {
            scene.agenda.waking(at: second) { try await scene.edit(first, "edit \(second)") }
        }
        scene.agenda.waking(at: 18) { try await scene.insert("second") }
        scene.agenda.at(30) { scene.network.connect() }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        #expect(
            runs == [
                "7 push, 1 postponed, unreachable", "20 push, 1 postponed, unreachable",
                "22 push, 1 postponed, unreachable", "52 push, 2 created",
            ]
        )
        #expect(scene.network.requests == 3 + 2)
    }

    @Test func `a change that the service has postponed is sent when it is due, and not earlier`()
        async throws
    {
        let scene = try await Scene()
        scene.transport.add([.status(503, retryAfter: .seconds(40))])
        scene.agenda.waking(at: 5) { try await scene.insert("new") }
        scene.agenda.waking(at: 10) {
            try await scene.edit(RecordLocator(RowReference("Task", 3)), "newer")
        }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        #expect(runs == ["7 push, 1 postponed, 503", "47 push, 1 created"])
        #expect(scene.tasks.object(3) == #""title":"newer""#)
    }

    @Test func `a schedule that pushes by syncs alone sends postponed changes when they are due`()
        async throws
    {
        let scene = try await Scene()
        scene.transport.add([.status(503, retryAfter: .seconds(40))])
        scene.agenda.waking(at: 5) { try await scene.insert("new") }
        // A push of the app itself, which the schedule has not started.
        scene.agenda.waking(at: 10) { _ = try await scene.engine.push() }
        let runs = try await scene.runBetweenSyncs(until: 1_000) { $0.pushDebounce = nil }
        #expect(runs == ["10 push, 1 postponed, 503", "50 push, 1 created"])
    }

    @Test func `a creation whose response was lost is settled by a sync, and sent once`()
        async throws
    {
        let scene = try await Scene()
        scene.transport.add([.lostResponse])
        scene.agenda.waking(at: 5) { try await scene.insert("new") }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        #expect(runs == ["7 push, 1 uncertain", "22 sync, 1 created"])
        #expect(scene.tasks.fake.audit.map(\.kind.rawValue) == ["create"])
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `an update whose response was lost is settled by a push`() async throws {
        let scene = try await Scene()
        scene.transport.add([.lostResponse])
        scene.agenda.waking(at: 5) { try await scene.edit(1, "mine") }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        #expect(
            runs == [
                "7 push, 1 uncertain", "22 push, 1 updated",
            ]
        )
        #expect(scene.tasks.fake.audit.map(\.kind.rawValue) == ["update"])
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `edits of what a rejected change blocks send nothing until it is corrected`()
        async throws
    {
        let scene = try await Scene()
        scene.transport.add([.status(422)])
        let project = RecordLocator(RowReference("Project", 2))
        scene.agenda.waking(at: 5) {
            try await scene.tasks.store.write { writer in
                let project = try writer.insert("Project", values: ["name": .string("Work")])
                _ = try writer.insert(
                    "Task",
                    values: ["title": .string("dig")],
                    links: ["project": [RecordLocator(project)]]
                )
            }
        }
        scene.agenda.waking(at: 10) {
            try await scene.edit(RecordLocator(RowReference("Task", 3)), "dig deep")
        }
        scene.agenda.waking(at: 20) {
            try await scene.tasks.store.write { writer in
                _ = try writer.update(project, values: ["name": .string("Garden")])
            }
        }
        #expect(
            try await scene.runBetweenSyncs(until: 10_000) == [
                "7 push, 1 rejected", "22 push, 2 created",
            ]
        )
        #expect(try scene.tasks.changes().isEmpty)
    }

    @Test func `while another process uses the store, edits do not start a push after the other`()
        async throws
    {
        let scene = try await Scene()
        let time = scene.tasks.clock.now.timeIntervalSince1970
        scene.agenda.waking(at: 5) {
            try await scene.tasks.store.writer.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO _tidemark_lease (_id, token, host, process, started, expires) \
                        VALUES (1, 'other', 'localhost', 2, 0, ?); \
                        UPDATE Task SET title = 'mine' WHERE id = 1
                        """,
                    arguments: [time + 1_000]
                )
            }
            try await scene.edit(2, "mine, too")
        }
        for second in [9, 12, 15] {
            scene.agenda.waking(at: second) { try await scene.edit(1, "edit \(second)") }
        }
        scene.agenda.waking(at: 19) {
            try await scene.tasks.store.writer.write { db in
                try db.execute(sql: "DELETE FROM _tidemark_lease")
            }
        }
        let runs = try await scene.runBetweenSyncs(until: 1_000)
        #expect(runs == ["7 stopped: busy", "22 push, 2 updated"])
    }

    @Test func `a schedule that is cancelled plans no run, and observes nothing`() async throws {
        let scene = try await Scene()
        #expect(try await scene.run(.every(.seconds(300)), until: 5) == ["0 sync"])
        let sleeps = scene.tasks.clock.now
        try await scene.edit(1, "mine")
        #expect(scene.log.take().isEmpty)
        #expect(scene.tasks.clock.now == sleeps)
        let status = try SyncStatus.of(scene.tasks.store, environment: scene.agenda.environment)
        #expect(status.next == nil)
        #expect(try scene.tasks.changes() == ["Task#1 update, pending"])
    }
}
