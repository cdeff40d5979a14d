import GRDB
import Synchronization
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// The execution of a schedule, which checks invariants after each pull.
final class Simulation {
    let mirror: Mirror
    private let schedule: Schedule
    private let interceptor: InterceptingTransport
    private let crashes = CrashingCommits()
    private let trace = Trace()

    /// The report of the last pull; nil if it threw an error.
    private var lastReport: SyncReport?

    /// The identity of the process that pulls.
    private var process = ProcessIdentity(host: "here", number: 1, started: 1)

    /// Whether the clock of the service was ever set back.
    private var wasClockSetBack = false

    /// Whether the service has reported a wrong number of objects.
    private var hasWrongCount = false

    /// The keys of objects that were changed while a list was being read, so that it is undefined
    /// whether the pull has seen the change.
    private var concurrentlyChanged: Set<String> = []

    init(_ schedule: Schedule) throws {
        self.schedule = schedule
        mirror = try Mirror(
            schedule.dialect,
            notes: schedule.setting.notes,
            page: schedule.setting.page,
            seed: schedule.seed,
            isValidated: false
        )
        interceptor = InterceptingTransport(mirror.fake, laterPage: schedule.dialect.laterPage)
        mirror.store.writer.add(transactionObserver: crashes, extent: .databaseLifetime)
    }

    /// Executes all steps, ends all faults, checks the final state, and returns the trace.
    func run() async throws -> String {
        do {
            for step in schedule.steps {
                trace.append("# \(step)")
                try await perform(step)
            }
            trace.append("# no more faults")
            try await checkConvergence()
        } catch {
            throw Counterexample("\(error)\nTrace:\n\(fullTrace)")
        }
        return fullTrace
    }

    private var fullTrace: String {
        let requests = mirror.fake.requests.map(\.description).joined(separator: "\n")
        return [trace.text, "# requests", requests].joined(separator: "\n")
    }

    /// The maximum number of pulls until the store is in sync, once nothing changes any more.
    private static let maximumPulls = 3

    private func checkConvergence() async throws {
        mirror.fake.removeFaults()
        interceptor.reset()
        _ = crashes.restart()
        mirror.clock.advance(by: .seconds(600))
        try await fitOnePage()
        // A wrong count may have hidden a deletion that nothing else reports.
        let needsFullPull = wasClockSetBack || hasWrongCount && mirror.dialect.dependsOnCount
        // These pulls send the requests that scheduled changes still wait for.
        for _ in 0..<4 { try await pullAndApprove(isFull: needsFullPull) }
        try await fitOnePage()
        for _ in 0..<Self.maximumPulls {
            try await pullAndApprove()
            if try mirror.local() == mirror.remote { break }
        }
        try same(try mirror.local(), mirror.remote, "The store differs from the service.")
        let unchanged = try await engine().report(options(isFull: false))
        guard unchanged.total.changedRows == 0, unchanged.pendingDeletions.isEmpty else {
            throw Counterexample("A pull of an unchanged service changed rows.")
        }
        let pages = unchanged.resources.values.map(\.pages).reduce(0, +)
        guard pages == 0 || mirror.dialect.readsUnchangedLists else {
            throw Counterexample("A pull of an unchanged service read \(pages) pages.")
        }
        let verification = try await engine().verify()
        guard verification.matches else {
            throw Counterexample("The store differs from the service: \(verification)")
        }
    }

    /// Removes notes until they fit on the one page that is read, after checking that a longer list
    /// fails.
    private func fitOnePage() async throws {
        var notes = mirror.fake.data[objects: "notes"] ?? []
        guard mirror.dialect == .unfollowed, notes.count > schedule.setting.page else { return }
        try await pull(isFull: true)
        if let report = lastReport, report.isComplete {
            throw Counterexample("A list with a further page was considered complete.")
        }
        while notes.count > schedule.setting.page {
            mirror.write(notes.removeLast()["id"]?.string ?? "", nil)
        }
    }

    private func pullAndApprove(isFull: Bool = false) async throws {
        try await pull(isFull: isFull)
        try await decide(isApproved: true)
    }

    // MARK: Steps

    private func perform(_ step: Schedule.Step) async throws {
        switch step {
        case .write(let key, let text): try write(key, text)
        case .remove(let key): try write(key, nil)
        case .wait(let milliseconds): mirror.clock.advance(by: .milliseconds(milliseconds))
        case .inject(let fault, let times): mirror.fake.inject(fault, times: times)
        case .scheduleChange(let requests, let key, let text):
            scheduleChange(requests, [(key, text)])
        case .exchange(let requests, let removed, let inserted, let text):
            scheduleChange(requests, [(removed, nil), (inserted, text)])
        case .reset(let keys):
            mirror.fake.reset()
            for key in keys { try write(key, "again") }
        case .purge: mirror.fake.purgeTombstones()
        case .skew(let seconds):
            wasClockSetBack = wasClockSetBack || .seconds(seconds) < mirror.fake.clockSkew
            mirror.fake.clockSkew = .seconds(seconds)
        case .rejectPositions(let times, let status):
            interceptor.rejectPositions(times, status: status)
        case .crash(let commits, let onOtherHost):
            try await pull(isFull: false, until: commits)
            if onOtherHost { process.host += "!" }
        case .cancel(let requests):
            interceptor.before(requests) { withUnsafeCurrentTask { $0?.cancel() } }
            try await pull(isFull: false)
        case .concurrentPull(let requests, let afterLeaseExpiry):
            try concurrentPull(requests, afterLeaseExpiry: afterLeaseExpiry)
            try await pull(isFull: false)
        case .changeCounts(let errors): interceptor.addCountErrors(errors)
        case .decide(let isApproved): try await decide(isApproved: isApproved)
        case .pull(let isFull): try await pull(isFull: isFull)
        }
    }

    /// Changes an object.
    ///
    /// While a list is interrupted, it is undefined whether its pages contained the change.
    private func write(_ key: String, _ text: String?) throws {
        let lists = try SyncStatus.of(mirror.store).resources
        if lists.contains(where: { $0.nextPage != nil }) { concurrentlyChanged.insert(key) }
        mirror.write(key, text)
    }

    private func scheduleChange(_ requests: Int, _ changes: [(key: String, text: String?)]) {
        concurrentlyChanged.formUnion(changes.map(\.key))
        mirror.fake.scheduleChange(after: requests) { [mirror, trace] data in
            for change in changes { mirror.put(change.key, change.text, in: &data) }
            trace.recordChange()
        }
    }

    private func concurrentPull(_ requests: Int, afterLeaseExpiry: Bool) throws {
        let other = try engine(over: mirror.fake, as: process.number + 1_000)
        let options = options(isFull: false)
        interceptor.before(requests) { [clock = mirror.clock, trace] in
            if afterLeaseExpiry { clock.advance(by: .seconds(200)) }
            do {
                trace.append("concurrent run: \(Self.outcome(try await other.report(options)))")
            } catch let error as SyncError {
                trace.append("concurrent run: \(error.message)")
            }
            trace.recordChange()
        }
    }

    private func decide(isApproved: Bool) async throws {
        let importer = Importer(mirror.store)
        try await mirror.store.writer.write { [trace] db in
            for deletion in try importer.pendingDeletions(db) {
                trace.append("\(deletion.resource): \(deletion.rowCount) rows")
                if isApproved {
                    _ = try importer.approveDeletion(db, deletion.resource)
                } else {
                    try importer.rejectDeletion(db, deletion.resource)
                }
            }
        }
    }

    // MARK: Pulls

    private func engine(
        over transport: (any Transport)? = nil,
        as number: Int64? = nil
    ) throws -> SyncEngine {
        var environment = mirror.clock.environment
        var own = process
        if let number { own.number = number }
        environment.process = { [own] in own }
        environment.isRunning = { [now = process.number] in $0.number % 1_000 == now % 1_000 }
        return try mirror.engine(over: transport ?? interceptor, environment) { limits in
            limits.http.idleTimeout = .seconds(30)
            limits.http.bodyInMemory = schedule.setting.bodyInMemory
            limits.rowsInTransaction = schedule.setting.rows
        }
    }

    private func options(isFull: Bool) -> PullOptions {
        var options = PullOptions()
        options.isFull = isFull
        let isGuarded = schedule.setting.isGuarded
        options.deletionGuard =
            isGuarded ? DeletionGuard(share: 0.4, rows: 2, fullDeletionThreshold: 3) : nil
        return options
    }

    private func pull(isFull: Bool, until commits: Int? = nil) async throws {
        let before = try Snapshot(mirror, trace)
        if let commits { crashes.crash(after: commits) }
        var report: SyncReport?
        do {
            report = try await engine().report(options(isFull: isFull))
        } catch is CrashingCommits.Crash {
            trace.append("crashed")
        } catch is CancellationError {
            trace.append("cancelled")
        } catch let error as SyncError {
            trace.append(error.message)
        }
        if crashes.restart() { process.number += 1 }
        lastReport = report
        if interceptor.takeHasWrongCount() {
            hasWrongCount = true
            trace.recordChange()
        }
        let after = try Snapshot(mirror, trace)
        let integrityErrors = try await mirror.store.writer.read { db in
            try Store.integrityErrors(db)
        }
        try same(integrityErrors.joined(separator: "\n"), "", "The store is corrupt.")
        trace.append("pull: \(report.map(Self.outcome) ?? "—")")
        trace.append(after.local)
        try after.check(
            since: before,
            concurrentlyChanged: concurrentlyChanged,
            isOrderReliable: isOrderReliable
        )
        if let report, isOrderReliable { try after.check(report, since: before) }
    }

    /// Whether the change stamps of the service are in chronological order.
    private var isOrderReliable: Bool { !(wasClockSetBack && mirror.dialect.dependsOnClock) }

    private static func outcome(_ report: SyncReport) -> String {
        report.resources.sorted { $0.key < $1.key }.map { path, resource in
            let failure = resource.failure.map { ", \($0)" } ?? ""
            return "\(path) \(resource.ending), \(resource.pages) pages\(failure)"
        }
        .joined(separator: "; ")
    }
}

/// The contents of the service and of the store at one time.
private struct Snapshot {
    let local: String
    let remote: String
    let changes: Int
    let isInterrupted: Bool
    let hasPendingDeletions: Bool

    init(_ mirror: Mirror, _ trace: Trace) throws {
        local = try mirror.local()
        remote = mirror.remote
        changes = trace.changes
        let status = try SyncStatus.of(mirror.store)
        isInterrupted = status.resources.contains { $0.nextPage != nil }
        hasPendingDeletions = !status.pendingDeletions.isEmpty
    }

    private static func keys(_ lines: String) -> Set<Substring> {
        Set(lines.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    }

    /// Checks that no row was deleted whose object the service contained before and after.
    func check(
        since before: Snapshot,
        concurrentlyChanged: Set<String>,
        isOrderReliable: Bool
    ) throws {
        guard isOrderReliable else { return }
        let retained = Self.keys(before.remote).intersection(Self.keys(remote))
        let missing = retained.intersection(Self.keys(before.local)).subtracting(Self.keys(local))
            .filter { !concurrentlyChanged.contains(String($0)) }
        guard missing.isEmpty else {
            throw Counterexample("Rows of existing objects were deleted: \(missing.sorted())")
        }
    }

    /// Checks that a complete pull, during which nothing changed, leaves the store in sync.
    func check(_ report: SyncReport, since before: Snapshot) throws {
        guard report.isComplete, changes == before.changes, !before.isInterrupted,
            !before.hasPendingDeletions,
            !hasPendingDeletions
        else { return }
        try same(local, remote, "A complete pull of an unchanged service left a difference.")
    }
}

/// The events of a simulation, one per line.
private final class Trace: Sendable {
    private let state = Mutex<(lines: [String], changes: Int)>(([], 0))

    var text: String { state.withLock { $0.lines.joined(separator: "\n") } }

    /// The number of changes that were made between two requests.
    var changes: Int { state.withLock { $0.changes } }

    func append(_ line: String) {
        state.withLock { $0.lines.append(line) }
    }

    func recordChange() {
        state.withLock { $0.changes += 1 }
    }
}
