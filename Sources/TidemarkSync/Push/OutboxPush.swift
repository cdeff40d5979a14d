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
///    them. Those that wait for nothing are sent in groups: their requests are stored, sent
///    concurrently, and their outcomes recorded. While one group is sent, another is stored or
///    recorded.
/// 4. The plan finds what the outcomes have made possible. The outbox is read again until nothing
///    is left that can be sent now.
/// 5. What was rejected is sent once more if another change may have freed its unique value.
actor OutboxPush {
    let run: RunContext
    let resources: PushResources

    /// How many deletions may still be sent without approval.
    let allowance: Locked<DeletionAllowance>

    /// What the next plan depends on.
    var progress = PushProgress()

    /// The changes that were read and not sent yet.
    var plan: PagedPlan

    /// Whether the service responds.
    var availability = ServiceAvailability()

    /// The changes that are sent next.
    var queue = ChangeQueue()

    /// The number of requests in flight.
    var inFlight = 0

    /// Groups that are suspended until a request of another one ends.
    var suspended: [CheckedContinuation<Void, Never>] = []

    /// The changes that the service has rejected in this run.
    var rejected = RejectedChanges()

    /// What the service accepts in a list, by its path.
    var acceptance: [String: ListAcceptance] = [:]

    var report = PushReport()

    init(run: RunContext, resources: PushResources, options: PushOptions, mostWaiting: Int) {
        self.run = run
        self.resources = resources
        allowance = Locked(DeletionAllowance(guardedBy: options.deletionGuard))
        plan = PagedPlan(mostWaiting: mostWaiting)
    }

    /// Sends what can be sent.
    ///
    /// - Returns: What was done.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func perform() async throws -> PushReport {
        let start = run.environment.now()
        let changes = try await run.write { [self] db in
            let capture = try Capture.of(db, run.store.layout)
            try capture?.collect()
            let writer = OutboxWriter(db: db, environment: run.environment)
            try writer.recordWaiting()
            try writer.explainUnsent(accepts: resources.accepts)
            try capture?.forgetReplaced()
            try checkDeletions(db)
            return try writer.count
        }
        run.emit(.pushing(changes: changes))
        defer { for event in rejected.events { run.emit(event) } }
        try await reconcileByQuery()
        try await sendAll()
        while try await retryRejected() { try await sendAll() }
        try await resolveDoubts()
        report = try await run.store.writer.read { [self, report] db in
            var report = report
            let outbox = Outbox(run.store, environment: run.environment)
            report.localChanges = try .of(db, in: run.store, outbox: outbox)
            return report
        }
        for pending in report.localChanges.pendingServiceDeletions {
            run.emit(.serviceDeletionPending(pending))
        }
        report.failures = progress.stopped.filter { path, _ in
            !progress.failing.contains(path) || isPending(path)
        }
        report.duration = run.environment.duration(since: start)
        return report
    }

    // MARK: Sending

    /// Sends the changes of the outbox until none is left that can be sent now.
    private func sendAll() async throws {
        while !availability.isEnded {
            let pass = try await sendPages(holding: plan.mostWaiting)
            if pass.isSent { continue }
            // Many changes that all wait for each other.
            if pass.isTruncated, try await sendPages(holding: .max).isSent { continue }
            // What new objects wait for cannot be sent now.
            guard plan.changes.waitsForLinks else { break }
            plan.owesLinks = true
            defer { plan.owesLinks = false }
            guard try await sendPages(holding: plan.mostWaiting).isSent else { break }
        }
    }

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
            read.finding.known?.known(
                toAttempt: progress.attempts[read.change.number] ?? 1,
                in: resources.resource(of: read.change.row.entity)?.push
            )
        }
        let ready = try await uploadFiles(of: found)
        let (frozen, rejected, settled) = try await freeze(ready, objects)
        note(rejected)
        for number in settled { plan.finish(number) }
        guard !frozen.isEmpty else { return stopIfFailing(path) }
        if frozen.contains(where: \.earlier.showsFailingVersion) {
            run.emit(.versionsFail(resource: path))
        }
        let start = run.environment.now()
        let results = await send(frozen, to: path)
        queue.pace.record(results.count, in: run.environment.duration(since: start))
        let started = results.filter { $0.obstacle == nil }
        let sent = Set(started.map(\.frozen.change.number))
        let unsent = frozen.map(\.change).filter { !sent.contains($0.number) }
        try await remember(try await record(started, unsent: unsent))
        // They are read, and sent once more.
        plan.changes.add(changes.filter { progress.maySendAgain($0.number) })
        if let obstacle = results.lazy.compactMap(\.obstacle).first { throw obstacle.reason }
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
        progress.failing.insert(path)
    }

    /// Returns whether changes of a list are left that were not sent.
    private func isPending(_ path: String) -> Bool {
        report.localChanges.unpushed.contains { left in
            left.state == .pending && resources.resource(of: left.entity)?.path == path
        }
    }

    nonisolated func builder(
        _ db: Database,
        references: ReferenceForms = ReferenceForms()
    ) throws -> RequestBuilder {
        RequestBuilder(
            reader: try StoreReader.prepare(db, in: run.store),
            importer: run.importer,
            remote: run.remote,
            resources: resources,
            environment: run.environment,
            references: references
        )
    }

    /// Stores the requests of changes, so that they survive the process before they are sent.
    ///
    /// - Returns: The requests, the changes for which none can be made, and those that do not exist
    ///   any more.
    private func freeze(
        _ changes: [PlannedChange],
        _ objects: [Int64: KnownObject]
    ) async throws -> (frozen: [FrozenChange], rejected: [Recorded], settled: [Int64]) {
        guard !changes.isEmpty else { return ([], [], []) }
        return try await run.writeDurably { [self, progress] db in
            let writer = OutboxWriter(db: db, environment: run.environment)
            var rejected: [Recorded] = []
            var settled: [Int64] = []
            let builder = try builder(db, references: progress.references)
            let attempts = try StoredAttempts.read(db, of: changes.map(\.number))
            let current = Dictionary(
                try builder.reader.capturedChanges(changes.map(\.number)).map { ($0.number, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let frozen: [FrozenChange] = try changes.compactMap { planned in
                guard let change = current[planned.number] else {
                    settled.append(planned.number)
                    return nil
                }
                guard resources.accepts(change.row.entity) else { return nil }
                if change.state == .uncertain {
                    guard let resource = resources.resource(of: change.row.entity) else {
                        return nil
                    }
                    // Its outcome is not known after all: it is not sent again blindly.
                    guard attempts.mayResend(change, in: resource.push, at: run.environment.now())
                    else { return nil }
                    return try resend(change, in: resource, by: builder, recording: writer)
                }
                guard try mayDelete(change, after: attempts, in: db) else { return nil }
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
                    settled.append(change.number)
                    return nil
                case .blocked(let reason):
                    try writer.postpone(change.number, because: .init(reason: reason))
                    return nil
                case .request(let sent):
                    return try store(
                        sent,
                        of: change,
                        to: path(of: change),
                        by: builder,
                        recording: writer,
                        after: progress
                    )
                }
            }
            return (frozen, rejected, settled)
        }
    }
}
