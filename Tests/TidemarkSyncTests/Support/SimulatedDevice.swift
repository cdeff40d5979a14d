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
    let transport: DeviceTransport
    let file: DeviceStore
    private let service: TaskService
    private let policies: ConflictPolicies
    private let crashes: CrashingCommits
    private let state = Mutex(State())

    private struct State {
        var process: Int64 = 1
        var journal = EditJournal()

        /// The journal of the copy of the store.
        var copiedJournal = EditJournal()
    }

    /// What the device has edited.
    var journal: EditJournal {
        get { state.withLock { $0.journal } }
        set { state.withLock { $0.journal = newValue } }
    }

    /// The service, with the store of this device.
    var tasks: TaskService {
        var tasks = service
        tasks.store = file.store
        return tasks
    }

    /// What a device does with the service.
    enum Run: String {
        case push, pull, sync, fullSync
    }

    init(
        _ number: Int,
        _ tasks: TaskService,
        policies: ConflictPolicies = ConflictPolicies(),
        isInFile: Bool = false
    ) throws {
        self.number = number
        service = tasks
        self.policies = policies
        transport = DeviceTransport(tasks.fake)
        let crashes = CrashingCommits()
        self.crashes = crashes
        file = try DeviceStore(tasks.store.model, isInFile: isInFile, observer: crashes)
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
        journal.titles[row.number] = title
        if let project { journal.projects[row.number] = project.number }
    }

    func edit(_ index: Int, title: String) throws {
        guard let row = try row(index, of: "Task") else { return }
        try tasks.store.write { writer in
            _ = try writer.update(RecordLocator(row), values: ["title": .string(title)])
        }
        journal.titles[row.number] = title
    }

    func estimate(_ index: Int, effort: Double) throws {
        guard let row = try row(index, of: "Task") else { return }
        try tasks.store.write { writer in
            _ = try writer.update(RecordLocator(row), values: ["effort": .double(effort)])
        }
        journal.efforts[row.number] = effort
    }

    func clear(_ index: Int) throws {
        guard let row = try row(index, of: "Task") else { return }
        try tasks.store.write { writer in
            _ = try writer.update(RecordLocator(row), values: ["title": .string("")])
        }
        journal.titles[row.number] = nil
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
        journal.projects[row.number] = .some(target?.number)
    }

    func insertProject() throws {
        try tasks.store.write { writer in
            _ = try writer.insert("Project", values: ["name": .string("p\(number)")])
        }
    }

    func delete(_ index: Int, of entity: String) throws {
        guard let row = try row(index, of: entity) else { return }
        let (key, isRecorded) = try tasks.store.write { writer in
            let key = try DatabaseValue.fetchOne(
                writer.db,
                sql: "SELECT id FROM \(entity.quotedDatabaseIdentifier) WHERE _id = ?",
                arguments: [row.number]
            )
            _ = try writer.delete(RecordLocator(row))
            return (key ?? .null, try !Store.captureTriggers(writer.db).isEmpty)
        }
        guard entity == "Task" else { return }
        journal.forget(row.number)
        // A deletion that no trigger has recorded leaves nothing: the row returns.
        if isRecorded, !key.isNull { journal.deletions[row.number] = key }
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
        journal.forget(row.number)
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

    // MARK: The file

    func backUp() throws {
        try file.backUp()
        state.withLock { $0.copiedJournal = $0.journal }
    }

    func restore() throws {
        guard try file.restore() else { return }
        state.withLock { $0.journal = $0.copiedJournal }
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
        // Only rows whose edits may not have been recorded await approval.
        options.deletionGuard = DeletionGuard(rows: .max, fullDeletionThreshold: .max)
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
        environment.fileIdentity = SystemEnvironment.live.fileIdentity
        environment.stateFolder = file.userState.folder
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

    /// Approves the deletion of rows that may have edits that were not recorded.
    func approveDeletions() throws {
        let importer = Importer(tasks.store)
        try tasks.store.write { writer in
            for deletion in try importer.pendingDeletions(writer.db) {
                let rows = try importer.rowsOfPendingDeletion(writer.db, deletion.resource)
                for row in rows where row.entity == "Task" { journal.forget(row.number) }
                _ = try importer.approveDeletion(writer.db, deletion.resource)
            }
        }
    }

    /// Decides about creations that an object of the service resembles, as a user does who looks at
    /// both: their due dates say which device has created them, in the form of the service.
    func decideDoubtfulCreations(by habits: FakeHabits) throws {
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        let doubtful = try tasks.store.read { reader in
            try outbox.changes(reader.db, of: "Task", in: .uncertain).filter {
                $0.attempts.reason?.contains("resembl") == true
            }
        }
        for change in doubtful {
            try tasks.store.write { writer in
                let row = RecordLocator(change.row)
                let number = change.row.number
                let dates = try Row.fetchAll(writer.db, sql: "SELECT _id, dueOn FROM Task")
                let own = dates.first { $0[0] == number }?[1] as String?
                let isThere = dates.contains { row in
                    row[0] != number && row[1] == own.map(habits.normalized)
                }
                if isThere {
                    _ = try outbox.discard(writer.db, row, mode: .includingUncertain)
                    journal.forget(change.row.number)
                } else {
                    _ = try outbox.retry(writer.db, [row], mode: .includingUncertain)
                }
            }
        }
    }
}
