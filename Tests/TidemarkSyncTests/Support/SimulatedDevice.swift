import GRDB
import Synchronization
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

import struct Foundation.Date

@testable import TidemarkSync

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

    /// How many seconds the clocks of the devices are ahead.
    private static let skews: [Double] = [0, 40, -3_000, 90_000, -0.5]

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

    /// Discards one of the changes that were certainly not applied.
    func discard(_ index: Int) throws {
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        let changes = try tasks.store.read { reader in
            let all = try outbox.changes(reader.db, of: "Task")
            let sent = Set(all.filter(\.state.isSent).map(\.row))
            return all.filter { !sent.contains($0.row) }
        }
        guard !changes.isEmpty else { return }
        let row = changes[index % changes.count].row
        try tasks.store.write { writer in
            _ = try outbox.discard(writer.db, RecordLocator(row))
        }
        state.withLock { $0.journal[row.number] = nil }
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

    /// Runs an engine, and adds to the trace what it has done.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - trace: The trace.
    ///   - isOther: Whether another process runs it, next to that of the device.
    /// - Throws: What no run may throw.
    func run(_ run: Run, _ trace: TraceLog, asOtherProcess isOther: Bool = false) async throws {
        let before = tasks.fake.audit.count
        var line: String
        do {
            line = try await perform(run, asOtherProcess: isOther)
        } catch is CrashingCommits.Crash {
            line = "crashed"
        } catch is CancellationError {
            line = "cancelled"
        } catch let error as SyncError {
            line = error.message
        } catch let error as SyncFailure {
            line = "nothing: \(error)"
        }
        if !isOther, crashes.restart() { state.withLock { $0.process += 1 } }
        line += ", \(tasks.fake.audit.count - before) effects"
        trace.append("\(number) \(run.rawValue): \(line)")
        for change in try tasks.changes() { trace.append("    \(change)") }
    }

    private func perform(_ run: Run, asOtherProcess isOther: Bool) async throws -> String {
        let engine = try engine(asOtherProcess: isOther)
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

    private func engine(asOtherProcess isOther: Bool) throws -> SyncEngine {
        let running = state.withLock { $0.process } + Int64(number) * 1_000
        let process = isOther ? running + 500 : running
        var environment = tasks.clock.environment
        environment.process = { ProcessIdentity(host: "here", number: process, started: 1) }
        environment.isRunning = { $0.number == running }
        let (now, skew) = (environment.now, Self.skews[number % Self.skews.count])
        environment.now = { now().addingTimeInterval(skew) }
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

    /// Decides about creations that an object of the service resembles, as a user does who looks at
    /// both: their due dates say which device has created them.
    func decideDoubtfulCreations() throws {
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        let doubtful = try tasks.store.read { reader in
            try outbox.changes(reader.db, of: "Task", in: .uncertain).filter {
                $0.attempts.reason?.contains("resembles") == true
            }
        }
        for change in doubtful {
            try tasks.store.write { writer in
                let row = RecordLocator(change.row)
                let isThere = try Bool.fetchOne(
                    writer.db,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM Task o JOIN Task n USING (dueOn) \
                        WHERE o._id = ? AND n._id <> o._id)
                        """,
                    arguments: [change.row.number]
                )
                if isThere == true {
                    _ = try outbox.discard(writer.db, row, mode: .includingUncertain)
                } else {
                    _ = try outbox.retry(writer.db, [row], mode: .includingUncertain)
                }
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
