import GRDB
import Synchronization
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// The execution of a schedule on several devices, which checks invariants after each step.
final class PushSimulation {
    private let schedule: PushSchedule
    private let tasks: TaskService
    private let devices: [SimulatedDevice]
    private var trace: [String] = []

    /// The number of titles that were written, each of which is unique.
    private var titles = 0

    init(_ schedule: PushSchedule) throws {
        self.schedule = schedule
        let tasks = try TaskService(schedule.dialect)
        self.tasks = tasks
        devices = try (0..<schedule.devices).map { number in
            var own = tasks
            own.store = try Store.validated(model: tasks.store.model)
            return SimulatedDevice(number, own, policies: Self.policies[schedule.policies])
        }
    }

    private static let policies = [
        ConflictPolicies(),
        ConflictPolicies(default: .localWins, deletes: .localWins),
        ConflictPolicies(default: .latestWins(by: "title"), deletes: .editWins),
        ConflictPolicies(default: .manual, deletes: .manual),
    ]

    /// Executes all steps, ends all faults, checks the final state, and returns the trace.
    func run() async throws -> String {
        do {
            for device in devices { try await device.run(.pull, &trace) }
            for step in schedule.steps {
                trace.append("# \(step)")
                try await perform(step)
                for device in devices { try device.check() }
                try checkCreations()
            }
            trace.append("# no more faults")
            try await checkConvergence()
        } catch {
            throw Counterexample("\(error)\nTrace:\n\(fullTrace)")
        }
        return fullTrace
    }

    private var fullTrace: String {
        (trace + ["# audit"] + tasks.fake.audit.map(\.description)).joined(separator: "\n")
    }

    // MARK: Steps

    private func perform(_ step: PushSchedule.Step) async throws {
        switch step {
        case .insert(let number, let hasProject):
            titles += 1
            try devices[number].insert(title: "t\(titles)", hasProject: hasProject)
        case .edit(let number, let row):
            titles += 1
            try devices[number].edit(row, title: "t\(titles)")
        case .finish(let number, let row): try devices[number].finish(row)
        case .move(let number, let row, let project): try devices[number].move(row, to: project)
        case .delete(let number, let row): try devices[number].delete(row, of: "Task")
        case .insertProject(let number): try devices[number].insertProject()
        case .deleteProject(let number, let row): try devices[number].delete(row, of: "Project")
        case .sync(let number): try await devices[number].run(.sync, &trace)
        case .push(let number): try await devices[number].run(.push, &trace)
        case .pull(let number): try await devices[number].run(.pull, &trace)
        case .inject(let number, let faults): devices[number].transport.add(faults)
        case .editWhileSending(let number, let requests, let row):
            titles += 1
            let (device, title) = (devices[number], "t\(titles)")
            device.transport.before(requests) { try device.edit(row, title: title) }
        case .crash(let number, let commits):
            devices[number].crash(after: commits)
            try await devices[number].run(.sync, &trace)
        case .cancel(let number, let requests):
            devices[number].transport.before(requests) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            try await devices[number].run(.sync, &trace)
        case .wait(let seconds): tasks.clock.advance(by: .seconds(seconds))
        }
    }

    // MARK: Invariants

    /// Checks that no object was created twice, unless it was deleted in between.
    private func checkCreations() throws {
        var markers: [String: String] = [:]
        var living: Set<String> = []
        for effect in tasks.fake.audit {
            let marker = effect.object?["due_on"] ?? effect.object?["dueOn"]
            switch effect.kind {
            case .create:
                guard let marker = marker?.string else { continue }
                guard living.insert(marker).inserted else {
                    throw Counterexample("The object \(marker) was created twice.")
                }
                markers[effect.path] = marker
            case .delete: if let marker = markers[effect.path] { living.remove(marker) }
            case .update: break
            }
        }
    }

    private func checkConvergence() async throws {
        for device in devices { device.endFaults() }
        for _ in 0..<4 {
            for device in devices {
                tasks.clock.advance(by: .seconds(8_000))
                try await device.run(.fullSync, &trace)
                try device.resolveConflicts()
                try device.check()
            }
        }
        for device in devices { try await device.run(.fullSync, &trace) }
        try checkCreations()
        var own = tasks
        own.store = try Store.validated(model: tasks.store.model)
        let fresh = SimulatedDevice(9, own, policies: ConflictPolicies())
        try await fresh.run(.pull, &trace)
        let expected = try fresh.table()
        for device in devices {
            try same(try device.table(), expected, "Device \(device.number) is not in sync.")
            let left = try device.tasks.changes()
            guard left.isEmpty else {
                throw Counterexample("Device \(device.number) has not pushed: \(left)")
            }
            try device.checkJournal(tasks.fake.audit)
        }
    }
}

/// A device that edits rows, and syncs them with the service.
final class SimulatedDevice: Sendable {
    let number: Int
    let tasks: TaskService
    let transport: DeviceTransport
    private let policies: ConflictPolicies
    private let crashes = CrashingCommits()
    private let state = Mutex(State())

    private struct State {
        var process: Int64 = 1

        /// The last title that the device has written to each row that it has not deleted since.
        var journal: [Int64: String] = [:]
    }

    /// What a device does with the service.
    enum Run: String {
        case push, pull, sync, fullSync
    }

    init(_ number: Int, _ tasks: TaskService, policies: ConflictPolicies) {
        self.number = number
        self.tasks = tasks
        self.policies = policies
        transport = DeviceTransport(tasks.fake)
        tasks.store.writer.add(transactionObserver: crashes, extent: .databaseLifetime)
    }

    // MARK: Edits

    func insert(title: String, hasProject: Bool) throws {
        let project = hasProject ? try rows(of: "Project").first : nil
        let row = try tasks.store.write { writer in
            try writer.insert(
                "Task",
                values: ["title": .string(title), "dueOn": .string("m\(number)-\(title)")],
                links: project.map { ["project": [RecordLocator($0)]] } ?? [:]
            )
        }
        state.withLock { $0.journal[row.number] = title }
    }

    func edit(_ index: Int, title: String) throws {
        guard let row = try row(index, of: "Task") else { return }
        try tasks.store.write { writer in
            _ = try writer.update(RecordLocator(row), values: ["title": .string(title)])
        }
        state.withLock { $0.journal[row.number] = title }
    }

    func finish(_ index: Int) throws {
        guard let row = try row(index, of: "Task") else { return }
        try tasks.store.write { writer in
            let isDone = try writer.record(RecordLocator(row))["done"] == .boolean(true)
            _ = try writer.update(RecordLocator(row), values: ["done": .boolean(!isDone)])
        }
    }

    func move(_ index: Int, to project: Int) throws {
        guard let row = try row(index, of: "Task") else { return }
        let projects = try rows(of: "Project")
        let target = project < projects.count ? projects[project] : nil
        try tasks.store.write { writer in
            _ = try writer.update(
                RecordLocator(row),
                values: [:],
                links: ["project": target.map { [RecordLocator($0)] } ?? []]
            )
        }
    }

    func insertProject() throws {
        try tasks.store.write { writer in
            _ = try writer.insert("Project", values: ["name": .string("p\(number)")])
        }
    }

    func delete(_ index: Int, of entity: String) throws {
        guard let row = try row(index, of: entity) else { return }
        try tasks.store.write { writer in _ = try writer.delete(RecordLocator(row)) }
        if entity == "Task" { state.withLock { $0.journal[row.number] = nil } }
    }

    private func rows(of entity: String) throws -> [RowReference] {
        try tasks.store.read { reader in
            try reader.fetch(RecordRequest(entity)).map(\.reference)
                .sorted { $0.number < $1.number }
        }
    }

    private func row(_ index: Int, of entity: String) throws -> RowReference? {
        let rows = try rows(of: entity)
        return rows.isEmpty ? nil : rows[index % rows.count]
    }

    // MARK: Runs

    func crash(after commits: Int) { crashes.crash(after: commits) }

    /// Lets all further requests reach the service, and be answered.
    func endFaults() {
        transport.reset()
        _ = crashes.restart()
    }

    func run(_ run: Run, _ trace: inout [String]) async throws {
        let before = tasks.fake.audit.count
        var line: String
        do {
            line = try await perform(run)
        } catch is CrashingCommits.Crash {
            line = "crashed"
        } catch is CancellationError {
            line = "cancelled"
        } catch let error as SyncError {
            line = error.message
        } catch let error as SyncFailure {
            line = "nothing: \(error)"
        }
        if crashes.restart() { state.withLock { $0.process += 1 } }
        line += ", \(tasks.fake.audit.count - before) effects"
        trace.append("\(number) \(run.rawValue): \(line)")
        trace.append(contentsOf: try tasks.changes().map { "    \($0)" })
    }

    private func perform(_ run: Run) async throws -> String {
        let engine = try engine()
        var options = PullOptions()
        options.deletionGuard = nil
        options.isFull = run == .fullSync
        switch run {
        case .push:
            let pushed = try await engine.push()
            return "\(pushed.total.named.filter { $0.changes > 0 })"
        case .pull:
            let report = try await engine.pull(with: options)
            return "complete \(report.isComplete)"
        case .sync, .fullSync:
            let report = try await engine.sync(with: options)
            return "\(report.pushed.total.named.filter { $0.changes > 0 }), "
                + "complete \(report.isComplete)"
        }
    }

    private func engine() throws -> SyncEngine {
        let process = state.withLock { $0.process } + Int64(number) * 1_000
        var environment = tasks.clock.environment
        environment.process = { ProcessIdentity(host: "here", number: process, started: 1) }
        environment.isRunning = { $0.number == process }
        var limits = Limits.longTimeout
        limits.concurrency = 1
        return try SyncEngine(
            store: tasks.store,
            service: tasks.service,
            resources: tasks.resources,
            transport: transport,
            conflicts: policies,
            environment: environment,
            limits: limits
        )
    }

    /// Decides the open conflicts, every other one for the device.
    func resolveConflicts() throws {
        let conflicts = Conflicts(tasks.store)
        let open = try tasks.store.read { reader in
            try conflicts.list(reader.db, filter: .open).map(\.id)
        }
        for (index, id) in open.enumerated() {
            try tasks.store.write { writer in
                _ = try conflicts.resolve(writer.db, id, taking: index % 2 == 0 ? .local : .remote)
            }
        }
    }

    // MARK: Checks

    /// Checks the tables of the store.
    func check() throws {
        let problems: [String] = try tasks.store.read { reader in
            try Store.integrityErrors(reader.db) + Self.problems(reader.db)
        }
        guard problems.isEmpty else {
            throw Counterexample("Device \(number): \(problems.joined(separator: "; "))")
        }
    }

    private static func problems(_ db: Database) throws -> [String] {
        guard try db.tableExists("_tidemark_change") else { return [] }
        let checks = [
            "a base value without a change": """
            SELECT count(*) FROM _tidemark_base WHERE change NOT IN \
            (SELECT _id FROM _tidemark_change)
            """,
            "a request without a change": """
            SELECT count(*) FROM _tidemark_request WHERE change NOT IN \
            (SELECT _id FROM _tidemark_change)
            """,
            "capture is suppressed": "SELECT count(*) FROM _tidemark_capture WHERE NOT isEnabled",
            "a watermark is too high": """
            SELECT count(*) FROM _tidemark_capture c JOIN sqlite_sequence s \
            ON s.name = c.tree WHERE watermark > seq
            """,
        ]
        return try checks.filter { try Int.fetchOne(db, sql: $0.value) != 0 }.map(\.key).sorted()
    }

    /// The tasks as the service names them.
    func table() throws -> String {
        try tasks.store.read { reader in
            let rows = try Row.fetchAll(
                reader.db,
                sql: """
                    SELECT Task.id, title, done, dueOn, Project.id FROM Task \
                    LEFT JOIN Project ON Task.project = Project._id
                    """
            )
            return rows.map { row in row.map { "\($0.1)" }.joined(separator: " ") }.sorted()
                .joined(separator: "\n")
        }
    }

    /// Checks that each title that the device has written last is somewhere: at the service, or in
    /// the record of a conflict.
    func checkJournal(_ audit: [FakeEffect]) throws {
        let sent = Set(audit.compactMap { $0.object?["title"]?.string })
        let recorded = try tasks.store.read { reader in
            try Set(
                String.fetchAll(
                    reader.db,
                    sql: "SELECT local FROM _tidemark_conflict_value WHERE local IS NOT NULL"
                )
            )
        }
        for (row, title) in state.withLock({ $0.journal }).sorted(by: { $0.key < $1.key })
        where !sent.contains(title) && !recorded.contains(title) {
            throw Counterexample("Device \(number) has lost the title \(title) of Task#\(row).")
        }
    }
}
