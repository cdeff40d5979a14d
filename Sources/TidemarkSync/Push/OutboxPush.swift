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
/// 2. A ``PushPlan`` orders the changes. Those of its first wave are sent: their requests are
///    stored, sent concurrently, and their outcomes recorded.
/// 3. The next plan contains what the outcomes have made possible, until nothing is left that can
///    be sent now.
struct OutboxPush {
    let run: RunContext
    let resources: PushResources

    /// The changes that this run has tried to send, with the number of attempts.
    private var attempts: [Int64: Int] = [:]

    /// The changes whose objects have to be read before the next attempt, because they were changed
    /// at the service meanwhile.
    private(set) var stale: Set<Int64> = []

    /// The lists that accept no changes now, with the reason.
    private var stopped: [String: RemoteError] = [:]

    /// The requests of the run.
    var requests: ConcurrentRequests

    /// The rejections of each list, by its path.
    private var rejections: [String: RejectionCount] = [:]

    private(set) var report = PushReport()

    /// How many changes are frozen in one transaction, which waits for the disk.
    private static let group = 100

    /// After how many rejections in succession a list is given up in this run.
    private static let rejections = 25

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
        try await run.write { [run] db in
            try Capture.of(db, run.store.layout)?.collect()
            try OutboxWriter(db: db, environment: run.environment).begin()
        }
        while !requests.isEnded {
            try Task.checkCancellation()
            let wave = try await nextWave()
            guard !wave.isEmpty else { break }
            for (path, changes) in wave { try await send(changes, to: path) }
        }
        report.failures = stopped
        return report
    }

    // MARK: Planning

    /// Plans the changes that are left, and returns those that can be sent first, by the path of
    /// their list.
    private func nextWave() async throws -> [(path: String, changes: [PlannedChange])] {
        let (planned, paths) = try await run.store.writer.read { [self] db in
            let reader = try StoreReader.prepare(db, in: run.store)
            let requests = try StoredAttempts.read(db)
            let changes = try reader.capturedChanges()
            let paths = changes.map { ($0.number, resources.resource(of: $0.row.entity)?.path) }
            return (
                try changes.map { try plan($0, requests, reader: reader) },
                Dictionary(paths, uniquingKeysWith: { first, _ in first })
            )
        }
        let wave = PushPlan(planned).waves.first ?? []
        return Dictionary(grouping: wave) { paths[$0.number].flatMap(\.self) ?? "" }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func plan(
        _ change: CapturedChange,
        _ requests: StoredAttempts,
        reader: StoreReader
    ) throws -> PlannedChange {
        let references = try reader.references(of: change)
        var planned = PlannedChange(
            number: change.number,
            row: PlannedChange.Row(change, in: reader.layout),
            kind: PlannedChange.Kind(change.kind)
        )
        planned.references = references.linked
        planned.released = references.released
        planned.isSendable = isSendable(change, requests)
        return planned
    }

    private func isSendable(_ change: CapturedChange, _ requests: StoredAttempts) -> Bool {
        guard let resource = resources.resource(of: change.row.entity),
            stopped[resource.path] == nil,
            requests.isDue(change.number, at: run.environment.now())
        else { return false }
        let made = attempts[change.number] ?? 0
        guard made == 0 || stale.contains(change.number) && made < Self.attempts else {
            return false
        }
        return change.state == .pending || change.isReconciledByReading(in: resource.push)
    }

    /// How often a change is sent in one run whose object changes at the service again and again.
    private static let attempts = 3

    // MARK: Sending

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
        let findings = try await read(changes.map(\.number))
        for (change, finding) in findings.values { note(finding, about: change) }
        let ready = changes.filter { findings[$0.number]?.finding.isReady ?? true }
        let frozen = try await freeze(ready, findings.compactMapValues(\.finding.known))
        guard !frozen.isEmpty else { return }
        var rejections = rejections[path] ?? RejectionCount(limit: Self.rejections)
        let results = await requests.perform(frozen) { [run] change in
            await change.send(by: run)
        } judge: { [limit = run.limits.concurrency] sent in
            sent.verdict(counting: &rejections, limit: limit)
        }
        self.rejections[path] = rejections
        if rejections.isExceeded {
            stopped[path] = RemoteError(
                .clientError,
                "The service has rejected \(Self.rejections) changes in succession.",
                hint: "Correct them, or the path of the list. The others were not sent."
            )
        }
        let sent = Set(results.map(\.frozen.change.number))
        let unsent = frozen.map(\.change.number).filter { !sent.contains($0) }
        try await record(results, unsent: unsent)
        if results.contains(where: \.isCancelled) { throw CancellationError() }
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
            let current = Dictionary(
                try builder.reader.capturedChanges(changes.map(\.number)).map { ($0.number, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            return try changes.compactMap { planned in
                guard let change = current[planned.number],
                    let resource = resources.resource(of: change.row.entity)
                else { return nil }
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
                    return FrozenChange(change: change, request: request, resource: resource)
                }
            }
        }
    }

    // MARK: Outcomes

    /// Records outcomes in one transaction, which merges the responses into the rows.
    ///
    /// - Parameters:
    ///   - results: The outcomes.
    ///   - unsent: The changes whose requests were not sent after the failure of an earlier one.
    /// - Throws: `DatabaseError`; ``SyncError/Code/leaseLost``.
    private mutating func record(_ results: [SentChange], unsent: [Int64]) async throws {
        let run = run
        // Not in this task: if it is cancelled, its transactions throw, and outcomes would be lost.
        let recorded = try await Task {
            try await run.write { db in
                for number in unsent {
                    try OutboxWriter(db: db, environment: run.environment).takeBack(number)
                }
                return try results.map { result in
                    (result.frozen.change, try OutcomeRecorder(db: db, run: run).record(result))
                }
            }
        }.value
        for (change, end) in recorded { note(end, of: change) }
    }

    /// Reports what reading an object has decided.
    private mutating func note(_ finding: Finding, about change: CapturedChange) {
        switch finding {
        case .ready: break
        case .ended(let end): note(end, of: change)
        }
    }

    private mutating func note(_ end: PushedEnd, of change: CapturedChange) {
        let path = resources.resource(of: change.row.entity)?.path ?? change.row.entity
        stale.remove(change.number)
        switch end {
        case .stale: stale.insert(change.number)
        case .stopped(let error): stopped[path] = error
        case .unreachable(let error):
            stopped[path] = error
            requests.end()
        case .acknowledged, .rejected, .uncertain, .conflicted, .postponed: break
        }
        report.count(end, of: change)
    }
}

/// A change whose request is stored.
struct FrozenChange: Sendable {
    let change: CapturedChange
    let request: StoredRequest
    let resource: RemoteResource

    var style: PushStyle { resource.push }

    /// Sends the request once.
    func send(by run: RunContext) async -> SentChange {
        var write = WriteRequest(.init(request.method) ?? .post, url: request.url)
        write.body = request.body
        write.condition = request.condition
        write.idempotencyKey = request.idempotencyKey
        if style.body.wrapper == .resource { write.contentType = "application/vnd.api+json" }
        do {
            let response = try await run.remote.write(write, style: style)
            let outcome = WriteOutcome(response, to: .init(change.kind), style: style)
            return SentChange(
                frozen: self,
                result: .success(outcome),
                status: response.status.code
            )
        } catch {
            return SentChange(frozen: self, result: .failure(error), status: nil)
        }
    }
}

/// A change whose request was sent, with what came back.
struct SentChange: Sendable {
    let frozen: FrozenChange
    let result: Result<WriteOutcome, any Error>

    /// The status of the response; nil without one.
    let status: Int?

    /// Whether the task was cancelled while the request was sent.
    var isCancelled: Bool {
        if case .failure(let error) = result { error is CancellationError } else { false }
    }
}

extension SentChange {
    /// Returns what the outcome means for the changes after it.
    fileprivate func verdict(
        counting rejections: inout RejectionCount,
        limit: Int
    ) -> ConcurrentRequests.Verdict {
        switch result {
        case .failure(let error):
            let isLast = isCancelled || (error as? RemoteError)?.code == .unreachable
            return isLast ? .end : .next(atMost: limit)
        case .success(.denied(.credentials)): return .end
        case .success(.denied): return .stop
        case .success(.rejected): rejections.record(isRejected: true)
        case .success: rejections.record(isRejected: false)
        }
        return rejections.isExceeded ? .stop : .next(atMost: rejections.allowance)
    }
}

/// When changes may be sent again.
struct StoredAttempts {
    fileprivate let next: [Int64: Double]

    static func read(_ db: Database) throws -> StoredAttempts {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT change, nextAttempt FROM _tidemark_request WHERE nextAttempt IS NOT NULL"
        )
        return StoredAttempts(
            next: Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        )
    }

    func isDue(_ change: Int64, at time: Date) -> Bool {
        next[change].map { $0 <= time.timeIntervalSince1970 } ?? true
    }
}
