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
///    them. Those of its first wave are sent: their requests are stored, sent concurrently, and
///    their outcomes recorded.
/// 4. The next plan of the page contains what the outcomes have made possible. The outbox is read
///    again until nothing is left that can be sent now.
/// 5. What was rejected is sent once more if another change may have freed its unique value.
struct OutboxPush {
    let run: RunContext
    let resources: PushResources

    /// The changes that this run has tried to send, with the number of attempts.
    private(set) var attempts: [Int64: Int] = [:]

    /// The requests of changes whose objects have to be read before the next attempt, because they
    /// were changed at the service meanwhile.
    private(set) var stale: [Int64: StoredRequest] = [:]

    /// The lists that accept no changes now, with the reason.
    private(set) var stopped: [String: RemoteError] = [:]

    /// The lists among them to which requests have failed: without changes that were not sent, that
    /// is shown by those that are uncertain.
    private var failing: Set<String> = []

    /// The requests of the run.
    var requests: ConcurrentRequests

    /// The changes that the service has rejected in this run.
    private var rejected = RejectedChanges()

    /// What the service accepts in a list, by its path.
    var acceptance: [String: ListAcceptance] = [:]

    var report = PushReport()

    /// How many changes are frozen in one transaction, which waits for the disk.
    private static let group = 100

    init(run: RunContext, resources: PushResources) {
        self.run = run
        self.resources = resources
        requests = ConcurrentRequests(limit: run.limits.concurrency)
    }

    /// Sends what can be sent.
    ///
    /// - Returns: What was done.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    mutating func perform() async throws -> PushReport {
        let start = run.environment.now()
        let changes = try await run.write { [run] db in
            let capture = try Capture.of(db, run.store.layout)
            try capture?.collect()
            let writer = OutboxWriter(db: db, environment: run.environment)
            try writer.begin()
            try capture?.forgetReplaced()
            return try writer.count
        }
        run.emit(.pushing(changes: changes))
        defer { for event in rejected.events { run.emit(event) } }
        try await reconcileByQuery()
        try await sendAll()
        while try await retryRejected() { try await sendAll() }
        report.left = try await run.store.writer.read { [run] db in
            try UnpushedChanges.of(db, in: run.store)
        }
        report.failures = stopped.filter { path, _ in !failing.contains(path) || isPending(path) }
        report.duration = run.environment.duration(since: start)
        return report
    }

    // MARK: Sending

    /// Sends the changes of the outbox until none is left that can be sent now.
    private mutating func sendAll() async throws {
        while !requests.isEnded {
            let pass = try await sendPages(considering: Self.predecessors)
            if pass.isSent { continue }
            // Many changes that all wait for each other.
            guard pass.isTruncated, try await sendPages(considering: .max).isSent else { break }
        }
    }

    /// How many changes are planned with those of a page, because these wait for them.
    private static let predecessors = 2_000

    /// Reads the outbox once, page by page, and sends the changes that can be sent now.
    ///
    /// - Parameter limit: How many changes are planned with those of a page at most.
    /// - Returns: Whether there were such changes, and whether a page was planned without all
    ///   changes that its own wait for.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    private mutating func sendPages(
        considering limit: Int
    ) async throws -> (isSent: Bool, isTruncated: Bool) {
        var (start, isSent, isTruncated): (Int64, Bool, Bool) = (0, false, false)
        while !requests.isEnded, let page = try await page(after: start, considering: limit) {
            var current: PlannedPage? = page
            while !requests.isEnded, let wave = current?.wave, !wave.isEmpty {
                try Task.checkCancellation()
                isSent = true
                for (path, changes) in try await leastAttempted(wave) {
                    try await send(changes, to: path)
                }
                current = try await self.page(after: start, to: page.end, considering: limit)
            }
            isTruncated = isTruncated || current?.isTruncated ?? false
            start = page.end
        }
        return (isSent, isTruncated)
    }

    /// Returns the changes of a wave with those first that were attempted the least.
    ///
    /// A request at which the service fails, or stops responding, may end the run: every run would
    /// end there, and never send the others. Changes that were attempted equally often are sent
    /// before the objects of others are read.
    private func leastAttempted(
        _ wave: [(path: String, changes: [PlannedChange])]
    ) async throws -> [(path: String, changes: [PlannedChange])] {
        let numbers = wave.flatMap { $0.changes.map(\.number) }
        let attempts = try await run.store.writer.read { db in
            try StoredAttempts.read(db, of: numbers)
        }
        guard attempts.hasRepeated else { return wave }
        func count(_ change: PlannedChange) -> Int { attempts.count(change.number) }
        return wave.flatMap { path, changes in
            Dictionary(grouping: changes, by: count).map { (count: $0, path: path, changes: $1) }
        }
        .sorted { ($0.count, $0.path) < ($1.count, $1.path) }
        .map { ($0.path, $0.changes) }
    }

    /// Lets rejected changes be sent once more.
    ///
    /// - Returns: Whether there are any.
    private mutating func retryRejected() async throws -> Bool {
        guard !requests.isEnded else { return false }
        // So few that what is rejected once more does not look like a list that rejects everything.
        let limit = max(1, run.limits.http.consecutiveRejections - 1)
        let again = rejected.takeRetries(atMost: limit) { [resources, stopped] change in
            resources.resource(of: change.row.entity).map { stopped[$0.path] == nil } ?? false
        }
        guard !again.isEmpty else { return false }
        acceptance = [:]
        try await run.write { [run] db in
            let writer = OutboxWriter(db: db, environment: run.environment)
            for change in again { try writer.retry(change.number) }
        }
        for change in again {
            attempts[change.number] = nil
            report.forgetRejection(of: change)
        }
        return true
    }

    /// Sends changes to a list, a group after the other.
    private mutating func send(_ changes: [PlannedChange], to path: String) async throws {
        for start in stride(from: 0, to: changes.count, by: Self.group)
        where !requests.isEnded && stopped[path] == nil {
            let end = min(start + Self.group, changes.count)
            try await sendGroup(Array(changes[start..<end]), to: path)
        }
    }

    /// Reads the objects of changes where that is necessary, stores their requests, sends them, and
    /// records what became of them.
    private mutating func sendGroup(_ changes: [PlannedChange], to path: String) async throws {
        // First: what fails below must not be planned again in this run, which would not end.
        for change in changes { attempts[change.number, default: 0] += 1 }
        let findings = try await read(changes.map(\.number), of: path)
        for read in findings.values {
            if case .ended(let end) = read.finding { note(end, of: read.change) }
            if let event = read.event { run.emit(event) }
        }
        stopIfEnded(path)
        guard stopped[path] == nil, !requests.isEnded else { return }
        let found = changes.filter { findings[$0.number]?.finding.isReady ?? true }
        let objects = findings.compactMapValues { read in
            read.finding.known?.known(toAttempt: attempts[read.change.number] ?? 1)
        }
        let ready = try await uploadFiles(of: found)
        let frozen = try await freeze(ready, objects)
        guard !frozen.isEmpty else { return stopIfFailing(path) }
        let results = await send(frozen, to: path)
        let sent = Set(results.map(\.frozen.change.number))
        let unsent = frozen.map(\.change).filter { !sent.contains($0.number) }
        try await record(results, unsent: unsent)
        if results.contains(where: \.isCancelled) { throw CancellationError() }
    }

    /// Sends stored requests, each by itself or several in one.
    private mutating func send(_ frozen: [FrozenChange], to path: String) async -> [SentChange] {
        var acceptance = acceptance(of: path)
        var results: [SentChange] = []
        var open = FrozenBatch.batches(of: frozen, upTo: acceptance.batchLimit)
        while !open.isEmpty {
            let sent = await requests.perform(open) { [run] batch, _ in
                await batch.send(by: run)
            } judge: { [limit = run.limits.concurrency] sent in
                acceptance.verdict(on: sent, concurrency: limit)
            }
            results += sent.flatMap(\.results)
            // Nothing in it was processed: it is sent again in smaller parts.
            open = sent.filter(\.isTooLarge).flatMap { sent in
                FrozenBatch.batches(of: sent.batch.changes, upTo: acceptance.batchLimit)
            }
        }
        self.acceptance[path] = acceptance
        stopIfEnded(path)
        stopIfFailing(path)
        return results
    }

    /// Returns what the service has accepted in a list so far.
    func acceptance(of path: String) -> ListAcceptance {
        acceptance[path] ?? ListAcceptance(limit: run.limits.http.consecutiveRejections)
    }

    /// Sends no more changes to a list if it is given up, or the run has ended, and reports why.
    mutating func stopIfEnded(_ path: String) {
        let acceptance = acceptance(of: path)
        if acceptance.isGivenUp { stopped[path] = stopped[path] ?? acceptance.error }
        if requests.isEnded { stopIfFailing(path) }
    }

    /// Sends no more changes to a list if the last requests have failed, and reports why.
    private mutating func stopIfFailing(_ path: String) {
        guard stopped[path] == nil, let failure = requests.failure else { return }
        stopped[path] = failure
        failing.insert(path)
    }

    /// Returns whether changes of a list are left that were not sent.
    private func isPending(_ path: String) -> Bool {
        report.left.contains { left in
            left.state == .pending && resources.resource(of: left.entity)?.path == path
        }
    }

    func builder(_ db: Database) throws -> RequestBuilder {
        RequestBuilder(
            reader: try StoreReader.prepare(db, in: run.store),
            importer: run.importer,
            remote: run.remote,
            resources: resources,
            environment: run.environment
        )
    }

    /// Stores the requests of changes, so that they survive the process before they are sent.
    private func freeze(
        _ changes: [PlannedChange],
        _ objects: [Int64: KnownObject]
    ) async throws -> [FrozenChange] {
        guard !changes.isEmpty else { return [] }
        return try await run.writeDurably { [self] db in
            let writer = OutboxWriter(db: db, environment: run.environment)
            let builder = try builder(db)
            let attempts = try StoredAttempts.read(db, of: changes.map(\.number))
            let current = Dictionary(
                try builder.reader.capturedChanges(changes.map(\.number)).map { ($0.number, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            return try changes.compactMap { planned in
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
                switch try builder.build(change, omitting: planned.omitted, knowing: object) {
                case .unchanged:
                    // It was edited back to what the service has.
                    try writer.acknowledge(change.number)
                    return nil
                case .blocked(let reason):
                    try writer.postpone(change.number, because: .init(reason: reason))
                    return nil
                case .request(let request):
                    guard try writer.freeze(change.number, request) else { return nil }
                    var frozen = FrozenChange(change: change, request: request, resource: resource)
                    frozen.isRepeated = isRepeated(request, of: change.number)
                    return frozen
                }
            }
        }
    }

    /// Returns whether a request is the last of those that are sent in one run although the service
    /// finds them outdated, and is the same as the one before.
    private func isRepeated(_ request: StoredRequest, of change: Int64) -> Bool {
        guard let earlier = stale[change] else { return false }
        return attempts[change, default: 0] >= Self.maximumAttempts
            && request.asksForSame(as: earlier)
    }

    // MARK: Outcomes

    /// Records outcomes in one transaction, which merges the responses into the rows.
    ///
    /// - Parameters:
    ///   - results: The outcomes.
    ///   - unsent: The changes whose requests were not sent after the failure of an earlier one.
    /// - Throws: `DatabaseError`; ``SyncError/Code/leaseLost``.
    private mutating func record(
        _ results: [SentChange],
        unsent: [CapturedChange]
    ) async throws {
        let run = run
        // Not in this task: if it is cancelled, its transactions throw, and outcomes would be lost.
        let recorded = try await Task {
            try await run.write { db in
                for change in unsent {
                    try OutboxWriter(db: db, environment: run.environment).takeBack(change)
                }
                let recorder = OutcomeRecorder(
                    run: run,
                    reader: try StoreReader.prepare(db, in: run.store)
                )
                return try results.map { result in
                    let end = try recorder.record(result)
                    return Recorded(
                        frozen: result.frozen,
                        end: end,
                        event: try SyncEvent(end, of: result.frozen.change, db, in: run.store)
                    )
                }
            }
        }.value
        for recorded in recorded {
            note(recorded.end, of: recorded.frozen.change)
            if case .stale = recorded.end {
                stale[recorded.frozen.change.number] = recorded.frozen.request
            }
        }
        let events = rejected.add(recorded.map { ($0.frozen.change, $0.end, $0.event) })
        for event in events { run.emit(event) }
    }

    /// An outcome that was recorded.
    private struct Recorded: Sendable {
        let frozen: FrozenChange
        let end: PushedEnd

        /// The event after the transaction.
        let event: SyncEvent?
    }

    mutating func note(_ end: PushedEnd, of change: CapturedChange) {
        let path = path(of: change)
        stale[change.number] = nil
        switch end {
        // It does not exist any more.
        case .acknowledged, .overruled: attempts[change.number] = nil
        case .stopped(let error): stopped[path] = error
        case .unreachable(let error):
            stopped[path] = error
            requests.end(because: error)
        case .rejected, .uncertain, .conflicted, .stale, .postponed: break
        }
        report.count(end, of: change)
    }

    private func path(of change: CapturedChange) -> String {
        resources.resource(of: change.row.entity)?.path ?? change.row.entity
    }
}
