import GRDB
import HTTPTypes
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// One run that sends the local changes of a store.
///
/// 1. Local creations are collected, and requests of a run that was killed become uncertain.
/// 2. Objects of creations whose outcome is unknown are looked for, if the service can select them.
/// 3. The outbox is read in pages, each with what its changes wait for, and a ``PushPlan`` orders
///    them. Those of its first wave are sent in groups: their requests are stored, sent
///    concurrently, and their outcomes recorded. While one group is sent, another is stored or
///    recorded.
/// 4. The next plan of the page contains what the outcomes have made possible. The outbox is read
///    again until nothing is left that can be sent now.
/// 5. What was rejected is sent once more if another change may have freed its unique value.
actor OutboxPush {
    let run: RunContext
    let resources: PushResources

    /// What the next plan depends on.
    private(set) var progress = PushProgress()

    /// The lists that are stopped because requests to them have failed: without changes that were
    /// not sent, that is shown by those that are uncertain.
    private var failing: Set<String> = []

    /// Whether the service responds.
    var availability = ServiceAvailability()

    /// The groups of changes that are sent next.
    var queue: ArraySlice<ChangeGroup> = []

    /// The number of requests in flight.
    var inFlight = 0

    /// Groups that are suspended until a request of another one ends.
    var suspended: [CheckedContinuation<Void, Never>] = []

    /// The changes that the service has rejected in this run.
    private var rejected = RejectedChanges()

    /// What the service accepts in a list, by its path.
    var acceptance: [String: ListAcceptance] = [:]

    var report = PushReport()

    init(run: RunContext, resources: PushResources) {
        self.run = run
        self.resources = resources
    }

    /// Sends what can be sent.
    ///
    /// - Returns: What was done.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func perform() async throws -> PushReport {
        let start = run.environment.now()
        let changes = try await run.write { [run] db in
            let capture = try Capture.of(db, run.store.layout)
            try capture?.collect()
            let writer = OutboxWriter(db: db, environment: run.environment)
            try writer.recordWaiting()
            try capture?.forgetReplaced()
            return try writer.count
        }
        run.emit(.pushing(changes: changes))
        defer { for event in rejected.events { run.emit(event) } }
        try await reconcileByQuery()
        try await sendAll()
        while try await retryRejected() { try await sendAll() }
        report.unpushed = try await run.store.writer.read { [run] db in
            try UnpushedChanges.of(db, in: run.store)
        }
        report.failures = progress.stopped.filter { path, _ in
            !failing.contains(path) || isPending(path)
        }
        report.duration = run.environment.duration(since: start)
        return report
    }

    // MARK: Sending

    /// Sends the changes of the outbox until none is left that can be sent now.
    private func sendAll() async throws {
        while !availability.isEnded {
            let pass = try await sendPages(considering: Self.predecessors)
            if pass.isSent { continue }
            // Many changes that all wait for each other.
            guard pass.isTruncated, try await sendPages(considering: .max).isSent else { break }
        }
    }

    /// How many changes are planned with those of a page, because these wait for them.
    private static let predecessors = 2_000

    /// Lets rejected changes be sent once more.
    ///
    /// - Returns: Whether there are any.
    private func retryRejected() async throws -> Bool {
        guard !availability.isEnded else { return false }
        // So few that what is rejected once more does not look like a list that rejects everything.
        let limit = max(1, run.limits.http.consecutiveRejections - 1)
        let again = rejected.takeRetries(atMost: limit) { [resources, progress] change in
            resources.resource(of: change.row.entity)
                .map { progress.stopped[$0.path] == nil } ?? false
        }
        guard !again.isEmpty else { return false }
        acceptance = [:]
        try await run.write { [run] db in
            let writer = OutboxWriter(db: db, environment: run.environment)
            for change in again { try writer.retry(change.number) }
        }
        for change in again {
            progress.attempts[change.number] = nil
            report.forgetRejection(of: change)
        }
        return true
    }

    /// Reads the objects of changes where that is necessary, stores their requests, sends them, and
    /// records what became of them.
    func sendGroup(_ changes: [PlannedChange], to path: String) async throws {
        // First: what fails below must not be planned again in this run, which would not end.
        for change in changes { progress.attempts[change.number, default: 0] += 1 }
        let findings = try await read(changes.map(\.number), of: path)
        for read in findings.values {
            if case .ended(let end) = read.finding { note(end, of: read.change) }
            if let event = read.event { run.emit(event) }
        }
        stopIfEnded(path)
        guard progress.stopped[path] == nil, !availability.isEnded else { return }
        let found = changes.filter { findings[$0.number]?.finding.isReady ?? true }
        let objects = findings.compactMapValues { read in
            read.finding.known?
                .known(toAttempt: progress.attempts[read.change.number] ?? 1)
        }
        let ready = try await uploadFiles(of: found)
        let (frozen, rejected) = try await freeze(ready, objects)
        note(rejected)
        guard !frozen.isEmpty else { return stopIfFailing(path) }
        let results = await send(frozen, to: path)
        let sent = Set(results.map(\.frozen.change.number))
        let unsent = frozen.map(\.change).filter { !sent.contains($0.number) }
        try await record(results, unsent: unsent)
        if results.contains(where: \.isCancelled) { throw CancellationError() }
    }

    /// Sends stored requests, each by itself or several in one.
    private func send(_ frozen: [FrozenChange], to path: String) async -> [SentChange] {
        var left = FrozenChanges(frozen)
        let sent = await perform {
            update(path) { $0.next(of: &left) }
        } send: { [run] batch, _ in
            await batch.send(by: run)
        } judge: { sent in
            // Nothing in it was processed: it is sent again in smaller parts.
            if sent.isTooLarge { left.insert(sent.batch) }
            return update(path) { $0.verdict(on: sent) }
        }
        stopIfEnded(path)
        stopIfFailing(path)
        return sent.flatMap(\.results)
    }

    /// Returns what the service has accepted in a list so far.
    func acceptance(of path: String) -> ListAcceptance {
        acceptance[path] ?? ListAcceptance(limit: run.limits.http.consecutiveRejections)
    }

    /// Changes what is known of a list, and returns what the body returns.
    func update<Value>(_ path: String, _ body: (inout ListAcceptance) -> Value) -> Value {
        var acceptance = acceptance(of: path)
        defer { self.acceptance[path] = acceptance }
        return body(&acceptance)
    }

    /// Sends no more changes to a list if it is given up, or the run has ended, and reports why.
    func stopIfEnded(_ path: String) {
        let acceptance = acceptance(of: path)
        if acceptance.isGivenUp {
            progress.stopped[path] = progress.stopped[path] ?? acceptance.error
        }
        if availability.isEnded { stopIfFailing(path) }
    }

    /// Sends no more changes to a list if the last requests have failed, and reports why.
    private func stopIfFailing(_ path: String) {
        guard progress.stopped[path] == nil, let failure = availability.failure else { return }
        progress.stopped[path] = failure
        failing.insert(path)
    }

    /// Returns whether changes of a list are left that were not sent.
    private func isPending(_ path: String) -> Bool {
        report.unpushed.contains { left in
            left.state == .pending && resources.resource(of: left.entity)?.path == path
        }
    }

    nonisolated func builder(_ db: Database) throws -> RequestBuilder {
        RequestBuilder(
            reader: try StoreReader.prepare(db, in: run.store),
            importer: run.importer,
            remote: run.remote,
            resources: resources,
            environment: run.environment
        )
    }

    /// Stores the requests of changes, so that they survive the process before they are sent.
    ///
    /// - Returns: The requests, and the changes for which none can be made.
    private func freeze(
        _ changes: [PlannedChange],
        _ objects: [Int64: KnownObject]
    ) async throws -> (frozen: [FrozenChange], rejected: [Recorded]) {
        guard !changes.isEmpty else { return ([], []) }
        return try await run.writeDurably { [self, progress] db in
            let writer = OutboxWriter(db: db, environment: run.environment)
            var rejected: [Recorded] = []
            let builder = try builder(db)
            let attempts = try StoredAttempts.read(db, of: changes.map(\.number))
            let current = Dictionary(
                try builder.reader.capturedChanges(changes.map(\.number)).map { ($0.number, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let frozen: [FrozenChange] = try changes.compactMap { planned in
                guard let change = current[planned.number],
                    let resource = resources.resource(of: change.row.entity)
                else { return nil }
                if change.state == .uncertain {
                    // Its outcome is not known after all: it is not sent again blindly.
                    guard attempts.mayResend(change, in: resource.push, at: run.environment.now())
                    else { return nil }
                    return try writer.resend(change.number).map {
                        FrozenChange(change: change, request: $0, resource: resource)
                    }
                }
                let object = objects[change.number]
                let built: RequestBuilder.Built
                do {
                    built = try builder.build(change, omitting: planned.omitted, knowing: object)
                } catch let error as any UnwritableChange {
                    // Such as a number that JSON cannot express. It must not keep others back.
                    try writer.reject(change.number, because: .init(reason: error.message))
                    let event = try SyncEvent(.rejected, of: change, db, in: run.store)
                    rejected.append(Recorded(change: change, end: .rejected, event: event))
                    return nil
                }
                switch built {
                case .unchanged:
                    // It was edited back to what the service has.
                    try writer.acknowledge(change)
                    return nil
                case .blocked(let reason):
                    try writer.postpone(change.number, because: .init(reason: reason))
                    return nil
                case .request(let request):
                    guard try writer.freeze(change.number, request) else { return nil }
                    var frozen = FrozenChange(change: change, request: request, resource: resource)
                    frozen.isRepeated = progress.isRepeated(request, of: change.number)
                    return frozen
                }
            }
            return (frozen, rejected)
        }
    }

    // MARK: Outcomes

    /// Records outcomes in one transaction, which merges the responses into the rows.
    ///
    /// - Parameters:
    ///   - results: The outcomes.
    ///   - unsent: The changes whose requests were not sent after the failure of an earlier one.
    /// - Throws: `DatabaseError`; ``SyncError/Code/leaseLost``.
    private func record(
        _ results: [SentChange],
        unsent: [CapturedChange]
    ) async throws {
        let (run, isOutage) = (run, availability.isOutage)
        // Not in this task: if it is cancelled, its transactions throw, and outcomes would be lost.
        let recorded = try await Task {
            try await run.merge { db in
                for change in unsent {
                    try OutboxWriter(db: db, environment: run.environment).takeBack(change)
                }
                let recorder = OutcomeRecorder(
                    run: run,
                    reader: try StoreReader.prepare(db, in: run.store),
                    isOutage: isOutage
                )
                return try results.map { result in
                    let end = try recorder.record(result)
                    return Recorded(
                        change: result.frozen.change,
                        request: result.frozen.request,
                        end: end,
                        event: try SyncEvent(end, of: result.frozen.change, db, in: run.store)
                    )
                }
            }
        }.value
        note(recorded)
    }

    /// Reports outcomes that were recorded.
    private func note(_ recorded: [Recorded]) {
        for recorded in recorded {
            note(recorded.end, of: recorded.change)
            if case .stale = recorded.end {
                progress.stale[recorded.change.number] = recorded.request
            }
        }
        let events = rejected.add(recorded.map { ($0.change, $0.end, $0.event) })
        for event in events { run.emit(event) }
    }

    /// An outcome that was recorded.
    private struct Recorded: Sendable {
        let change: CapturedChange

        /// The request that was sent; nil if none could be made.
        var request: StoredRequest?

        let end: PushedEnd

        /// The event after the transaction.
        let event: SyncEvent?
    }

    func note(_ end: PushedEnd, of change: CapturedChange) {
        let path = path(of: change)
        progress.stale[change.number] = nil
        switch end {
        // It does not exist any more.
        case .acknowledged, .overruled: progress.attempts[change.number] = nil
        case .stopped(let error), .intercepted(let error): progress.stopped[path] = error
        case .unreachable(let error):
            progress.stopped[path] = error
            availability.end(because: error)
        case .rejected, .uncertain, .conflicted, .stale, .postponed: break
        }
        report.count(end, of: change)
    }

    private func path(of change: CapturedChange) -> String {
        resources.resource(of: change.row.entity)?.path ?? change.row.entity
    }
}
