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
    private let turbulence: InterceptingTransport
    private let mortality = CrashingCommits()
    private let trace = Trace()

    /// The report of the last pull; nil if it threw an error.
    private var lastReport: SyncReport?

    /// The identity of the process that pulls.
    private var process = ProcessIdentity(host: "here", number: 1, started: 1)

    /// Whether the clock of the service was ever set back.
    private var isClockTurned = false

    /// Whether the service has reported a wrong number of objects.
    private var hasMiscounted = false

    /// The keys of objects that were changed while a list was being read, so that it is undefined
    /// whether the pull has seen the change.
    private var restless: Set<String> = []

    init(_ schedule: Schedule) throws {
        self.schedule = schedule
        mirror = try Mirror(
            schedule.dialect,
            notes: schedule.setting.notes,
            page: schedule.setting.page,
            seed: schedule.seed,
            isWatched: false
        )
        turbulence = InterceptingTransport(mirror.fake, laterPage: schedule.dialect.laterPage)
        mirror.store.writer.add(transactionObserver: mortality, extent: .databaseLifetime)
    }

    /// Executes all steps, ends all faults, checks the final state, and returns the trace.
    func run() async throws -> String {
        do {
            for step in schedule.steps {
                trace.note("# \(step)")
                try await perform(step)
            }
            trace.note("# the service behaves")
            try await settle()
        } catch {
            throw Counterexample("\(error)\nTrace:\n\(story)")
        }
        return story
    }

    private var story: String {
        let requests = mirror.fake.requests.map(\.description).joined(separator: "\n")
        return [trace.text, "# requests", requests].joined(separator: "\n")
    }

    /// The maximum number of pulls until the store is in sync, once nothing changes any more.
    private static let patience = 3

    private func settle() async throws {
        mirror.fake.behave()
        turbulence.calm()
        _ = mortality.revive()
        mirror.clock.advance(by: .seconds(600))
        try await fitOnePage()
        // A wrong count may have hidden a deletion that nothing else reports.
        let isLost = isClockTurned || hasMiscounted && mirror.dialect.reliesOnCount
        // These pulls send the requests that scheduled edits still wait for.
        for _ in 0..<4 { try await pullAndAccept(isFull: isLost) }
        try await fitOnePage()
        for _ in 0..<Self.patience {
            try await pullAndAccept()
            if try mirror.local() == mirror.remote { break }
        }
        try same(try mirror.local(), mirror.remote, "The store is not like the service.")
        let settled = try await engine().report(options(isFull: false))
        guard settled.total.changedRows == 0, settled.pendingDeletions.isEmpty else {
            throw Counterexample("A pull of what was there already changed rows.")
        }
        let pages = settled.resources.values.map(\.pages).reduce(0, +)
        guard pages == 0 || mirror.dialect.readsWhenQuiet else {
            throw Counterexample("A pull of what was there already read \(pages) pages.")
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
            throw Counterexample("A list was taken for whole that has another page.")
        }
        while notes.count > schedule.setting.page {
            mirror.write(notes.removeLast()["id"]?.string ?? "", nil)
        }
    }

    private func pullAndAccept(isFull: Bool = false) async throws {
        try await pull(isFull: isFull)
        try await decide(isAccepted: true)
    }

    // MARK: Steps

    private func perform(_ step: Schedule.Step) async throws {
        switch step {
        case .write(let key, let text): try write(key, text)
        case .remove(let key): try write(key, nil)
        case .wait(let milliseconds): mirror.clock.advance(by: .milliseconds(milliseconds))
        case .misbehave(let fault, let times): mirror.fake.misbehave(fault, times: times)
        case .meanwhile(let requests, let key, let text): meanwhile(requests, [(key, text)])
        case .exchange(let requests, let gone, let come, let text):
            meanwhile(requests, [(gone, nil), (come, text)])
        case .flush(let keys):
            mirror.fake.flush()
            for key in keys { try write(key, "again") }
        case .purge: mirror.fake.purgeTombstones()
        case .skew(let seconds):
            isClockTurned = isClockTurned || .seconds(seconds) < mirror.fake.clockSkew
            mirror.fake.clockSkew = .seconds(seconds)
        case .losePlaces(let times, let status): turbulence.losePlaces(times, status: status)
        case .die(let commits, let isElsewhere):
            try await pull(isFull: false, until: commits)
            if isElsewhere { process.host += "!" }
        case .cancel(let requests):
            turbulence.before(requests) { withUnsafeCurrentTask { $0?.cancel() } }
            try await pull(isFull: false)
        case .rival(let requests, let isPatient):
            try rival(requests, isPatient: isPatient)
            try await pull(isFull: false)
        case .miscount(let errors): turbulence.miscount(by: errors)
        case .decide(let isAccepted): try await decide(isAccepted: isAccepted)
        case .pull(let isFull): try await pull(isFull: isFull)
        }
    }

    /// Changes an object.
    ///
    /// While a list is interrupted, it is undefined whether its pages contained the change.
    private func write(_ key: String, _ text: String?) throws {
        let lists = try SyncStatus.of(mirror.store).resources
        if lists.contains(where: { $0.nextPage != nil }) { restless.insert(key) }
        mirror.write(key, text)
    }

    private func meanwhile(_ requests: Int, _ changes: [(key: String, text: String?)]) {
        restless.formUnion(changes.map(\.key))
        mirror.fake.meanwhile(after: requests) { [mirror, trace] data in
            for change in changes { mirror.put(change.key, change.text, in: &data) }
            trace.noteChange()
        }
    }

    private func rival(_ requests: Int, isPatient: Bool) throws {
        let other = try engine(over: mirror.fake, as: process.number + 1_000)
        let options = options(isFull: false)
        turbulence.before(requests) { [clock = mirror.clock, trace] in
            if isPatient { clock.advance(by: .seconds(200)) }
            do {
                trace.note("the rival: \(Self.outcome(try await other.report(options)))")
            } catch let error as SyncError {
                trace.note("the rival: \(error.message)")
            }
            trace.noteChange()
        }
    }

    private func decide(isAccepted: Bool) async throws {
        let importer = Importer(mirror.store)
        try await mirror.store.writer.write { [trace] db in
            for sweep in try importer.pendingDeletions(db) {
                trace.note("\(sweep.resource): \(sweep.rows) rows")
                if isAccepted {
                    _ = try importer.approveDeletion(db, sweep.resource)
                } else {
                    try importer.rejectDeletion(db, sweep.resource)
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
        return try mirror.engine(over: transport ?? turbulence, environment) { limits in
            limits.http.idleTimeout = .seconds(30)
            limits.http.bodyInMemory = schedule.setting.bodyInMemory
            limits.rowsInTransaction = schedule.setting.rows
        }
    }

    private func options(isFull: Bool) -> PullOptions {
        var options = PullOptions()
        options.isFull = isFull
        let isGuarded = schedule.setting.isGuarded
        options.deletionGuard = isGuarded ? DeletionGuard(share: 0.4, rows: 2, all: 3) : nil
        return options
    }

    private func pull(isFull: Bool, until commits: Int? = nil) async throws {
        let before = try Moment(mirror, trace)
        if let commits { mortality.die(after: commits) }
        var report: SyncReport?
        do {
            report = try await engine().report(options(isFull: isFull))
        } catch is CrashingCommits.Death {
            trace.note("died")
        } catch is CancellationError {
            trace.note("cancelled")
        } catch let error as SyncError {
            trace.note(error.message)
        }
        if mortality.revive() { process.number += 1 }
        lastReport = report
        if turbulence.takeMiscounted() {
            hasMiscounted = true
            trace.noteChange()
        }
        let after = try Moment(mirror, trace)
        let complaints = try await mirror.store.writer.read { db in try Store.complaints(db) }
        try same(complaints.joined(separator: "\n"), "", "The store is in disorder.")
        trace.note("pull: \(report.map(Self.outcome) ?? "—")")
        trace.note(after.local)
        try after.check(behind: before, restless: restless, isOrderTrue: isOrderTrue)
        if let report, isOrderTrue { try after.check(report, behind: before) }
    }

    /// Whether the change stamps of the service are in chronological order.
    private var isOrderTrue: Bool { !(isClockTurned && mirror.dialect.trustsClock) }

    private static func outcome(_ report: SyncReport) -> String {
        report.resources.sorted { $0.key < $1.key }.map { path, resource in
            let failure = resource.failure.map { ", \($0)" } ?? ""
            return "\(path) \(resource.ending), \(resource.pages) pages\(failure)"
        }
        .joined(separator: "; ")
    }
}

/// The contents of the service and of the store at one moment.
private struct Moment {
    let local: String
    let remote: String
    let changes: Int
    let isOpen: Bool
    let hasParked: Bool

    init(_ mirror: Mirror, _ trace: Trace) throws {
        local = try mirror.local()
        remote = mirror.remote
        changes = trace.changes
        let status = try SyncStatus.of(mirror.store)
        isOpen = status.resources.contains { $0.nextPage != nil }
        hasParked = !status.pendingDeletions.isEmpty
    }

    private static func keys(_ lines: String) -> Set<Substring> {
        Set(lines.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    }

    /// Checks that no row was deleted whose object the service contained all the time.
    func check(behind before: Moment, restless: Set<String>, isOrderTrue: Bool) throws {
        guard isOrderTrue else { return }
        let there = Self.keys(before.remote).intersection(Self.keys(remote))
        let lost = there.intersection(Self.keys(before.local)).subtracting(Self.keys(local))
            .filter { !restless.contains(String($0)) }
        guard lost.isEmpty else {
            throw Counterexample("Rows went that the service has: \(lost.sorted())")
        }
    }

    /// Checks that a complete pull, during which nothing changed, leaves the store in sync.
    func check(_ report: SyncReport, behind before: Moment) throws {
        guard report.isComplete, changes == before.changes, !before.isOpen, !before.hasParked,
            !hasParked
        else { return }
        try same(local, remote, "A pull of a quiet service left the store another.")
    }
}

/// The events of a simulation, one per line.
private final class Trace: Sendable {
    private let state = Mutex<(lines: [String], changes: Int)>(([], 0))

    var text: String { state.withLock { $0.lines.joined(separator: "\n") } }

    /// The number of changes that were made between two requests.
    var changes: Int { state.withLock { $0.changes } }

    func note(_ line: String) {
        state.withLock { $0.lines.append(line) }
    }

    func noteChange() {
        state.withLock { $0.changes += 1 }
    }
}
