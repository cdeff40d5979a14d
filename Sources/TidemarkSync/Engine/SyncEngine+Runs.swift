import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The runs of an engine: one at a time, and each under a lease.
extension SyncEngine {
    /// Starts a run, or joins the running one if it was requested in the same way.
    ///
    /// - Parameters:
    ///   - request: The work.
    ///   - follower: Receives the events of the run.
    /// - Returns: What was done, even if no resource could be pulled.
    /// - Throws: Errors that ``pull(with:)`` throws, except ``SyncFailure``.
    func report(
        of request: RunRequest,
        to follower: AsyncStream<SyncEvent>.Continuation? = nil
    ) async throws -> SyncReport {
        while let other = running {
            let joining = other.request == request ? follower : nil
            let number = joining.map(telemetry.followers.add)
            defer { if let number { telemetry.followers.remove(number) } }
            let result = try await other.task.resultUnlessCancelled()
            // Any waiting call may resume before the call that started the run.
            if running?.task == other.task { running = nil }
            // The cancellation of another call is not a result of this one: it starts its own run.
            if other.request == request, !result.isCancelled,
                try await !isLeft(by: result, of: request)
            {
                return try result.get()
            }
        }
        let number = follower.map(telemetry.followers.add)
        defer { if let number { telemetry.followers.remove(number) } }
        let task = Task { try await perform(request) }
        running = (request, task)
        defer { if running?.task == task { running = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns whether a run that a call has joined did not see all local changes that were made
    /// before the call.
    private func isLeft(
        by result: Result<SyncReport, any Error>,
        of request: RunRequest
    ) async throws -> Bool {
        guard case .success = result, request.pushes else { return false }
        return try await pushableChanges().hasNew
    }

    /// Performs a run, and reports its beginning and end.
    private func perform(_ request: RunRequest) async throws -> SyncReport {
        switch request {
        case .pull(let options):
            let chosen = selectedResources(options)
            let start = SyncEvent.started(resources: chosen.map(\.path))
            return try await perform(start, as: "tidemark.pull") {
                guard !chosen.isEmpty else { throw SyncError.nothingToPull(options.only) }
                return try await withLease { try await pull(chosen, with: options, in: $0) }
            }
        case .sync(let options, let pushing):
            try expectNoDryRun()
            let chosen = selectedResources(options)
            let start = SyncEvent.started(resources: chosen.map(\.path))
            return try await perform(start, as: "tidemark.sync") {
                if chosen.isEmpty, options.only != nil {
                    throw SyncError.nothingToPull(options.only)
                }
                return try await withLease {
                    try await sync(chosen, with: options, pushing: pushing, in: $0)
                }
            }
        case .push(let options):
            try expectNoDryRun()
            // It pulls no resource: its own event is `pushing`.
            return try await perform(nil, as: "tidemark.push") {
                try await withLease { try await push(with: options, in: $0) }
            }
        case .adopt(let adoption):
            try expectNoDryRun()
            // Neither a pull nor a push ends, whatever becomes of it.
            return try await withLease { try await adopt(adoption, in: $0) }
        }
    }

    private func perform(
        _ start: SyncEvent?,
        as span: String,
        _ body: () async throws -> SyncReport
    ) async throws -> SyncReport {
        if let start { telemetry.emit(start) }
        do {
            let attributes = telemetry.attributes
            let report = try await TraceSpan.run(span, attributes: attributes) {
                try await measured(body)
            }
            telemetry.emit(.finished(report))
            return report
        } catch {
            telemetry.emit(.stopped(error))
            throw error
        }
    }

    private func measured(
        _ body: () async throws -> SyncReport
    ) async throws -> SyncReport {
        let before = traffic.withLock { $0 }
        let start = environment.now()
        var report = try await body()
        let after = traffic.withLock { $0 }
        report.requests = after.requests - before.requests
        report.bytes = after.bytes - before.bytes
        report.duration = environment.duration(since: start)
        return report
    }

    private func withLease(
        _ body: (RunContext) async throws -> SyncReport
    ) async throws -> SyncReport {
        let conflicts = Conflicts(importer.store)
        let store = importer.store
        // Before the lease, which an error here would leave behind.
        let last = try await store.writer.read { db in try conflicts.last(db) }
        let permits = try await acquireLease()
        let outcome: Result<SyncReport, any Error>
        do {
            outcome = .success(try await body(context(with: permits)))
        } catch {
            outcome = .failure(error)
        }
        // A cancelled task could not release the lease, because the transaction would throw.
        let new = try await Task { [limits, environment] in
            try await store.transaction(durability: .relaxed) { db in
                try permits.release(db)
                // An error here must not undo the release.
                return Result {
                    let new = try conflicts.list(db, after: last)
                    if !new.isEmpty, let capture = try Capture.of(db, store.layout) {
                        try capture.deleteOldConflicts(keeping: limits, at: environment.now())
                    }
                    return new
                }
            }
        }.value
        for conflict in try new.get() { telemetry.emit(.conflict(conflict)) }
        return try outcome.get()
    }

    /// Checks that changes may be sent: the transport of a dry run leads to the real service.
    private func expectNoDryRun() throws {
        guard isDryRun else { return }
        throw SyncError(
            .dryRun,
            "A dry run sends no changes to the service.",
            hint: "plannedRequests() returns the requests of a push."
        )
    }

    /// What the transaction that acquires a lease has found.
    private struct Acquired: Sendable {
        let permits: RequestPermits
        let stored: RequestPermits.Extension

        /// The edits that may not have been recorded, if that was found out now.
        let unrecorded: UnrecordedEdits?
        let file: StoreFileRecord?

        /// How many creations another copy of the store may have sent; nil without another copy.
        let doubted: Int?
    }

    private func acquireLease() async throws -> RequestPermits {
        let binding = ServiceBinding(configuration.service, account: configuration.account)
        let capture = CaptureInstallation(
            for: configuration.resources,
            by: importer
        )
        let store = importer.store
        let acquired = try await store.transaction(durability: .relaxed) {
            [environment, limits] db in
            try binding.bind(db)
            // An engine that was not prepared installs it before its first pull, during which a
            // local edit must not be lost.
            let unrecorded = try capture?.install(db, at: environment.now())
            let lease = try Lease.acquire(db, environment, idleTimeout: limits.http.idleTimeout)
            let isPushing = try Capture.isInstalled(db)
            // A pull needs it, too: it recognizes objects whose creation was sent.
            if isPushing {
                try SendingRuns(db: db, environment: environment).settleEnded()
                try OutboxWriter(db: db, environment: environment).moveFutureTimes()
            }
            let permits = RequestPermits(
                lease,
                in: store,
                by: environment,
                isPushing: isPushing
            )
            let file =
                isPushing
                ? try StoreFileRecord.renew(db, at: store.ownPath, in: environment) : nil
            return Acquired(
                permits: permits,
                stored: try permits.extend(db),
                unrecorded: unrecorded,
                file: file,
                doubted: file?.isCopy == true
                    ? try OutboxWriter(db: db, environment: environment)
                        .doubtCreations(in: store.layout) : nil
            )
        }
        acquired.permits.record(acquired.stored)
        acquired.file?.write(to: environment.stateFolder)
        if let edits = acquired.unrecorded { telemetry.emit(.editsUnrecorded(edits)) }
        if let creations = acquired.doubted { telemetry.emit(.storeCopied(creations: creations)) }
        return acquired.permits
    }

    private func context(with permits: RequestPermits) -> RunContext {
        RunContext(
            importer: importer,
            remote: remote(with: permits),
            limits: limits,
            environment: environment,
            permits: permits,
            fairness: WriteFairness(in: environment, limits: limits),
            assets: assets.folder,
            emit: telemetry.emit
        )
    }

    /// Returns a client that counts requests, and renews the lease while it waits.
    private func remote(with permits: RequestPermits) -> Remote {
        let (store, environment, lease) = (importer.store, environment, permits.lease)
        var retrying = environment
        retrying.sleep = { duration in
            // The lease must not expire while a request waits for its retry.
            _ = try await store.transaction(durability: .relaxed) { db in
                try lease.renew(db, environment, for: duration)
            }
            try await environment.sleep(duration)
        }
        return Remote(
            configuration.service,
            over: LeasedTransport(
                base: MeteredTransport(
                    base: configuration.transport,
                    service: configuration.service,
                    traffic: traffic,
                    telemetry: telemetry,
                    environment: environment
                ),
                permits: permits,
                environment: environment
            ),
            credentials: configuration.credentials,
            environment: retrying,
            limits: limits
        ) { [telemetry] wait, reason in
            telemetry.emit(.retrying(after: wait, reason: reason.message))
        }
    }
}

extension Task where Failure == any Error {
    /// Waits for the result of the task.
    ///
    /// If the waiting task is cancelled, throws `CancellationError`, and this task continues.
    func resultUnlessCancelled() async throws -> Result<Success, Failure> {
        let (results, continuation) = AsyncStream<Result<Success, Failure>>.makeStream()
        Task<Void, Never> {
            continuation.yield(await self.result)
            continuation.finish()
        }
        for await result in results { return result }
        throw Swift.CancellationError()
    }
}

extension Result {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
