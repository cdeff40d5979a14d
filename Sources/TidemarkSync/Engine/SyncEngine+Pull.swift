import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

extension SyncEngine {
    /// Pulls the resources that the options select, and reports the events.
    func pullSelected(_ options: PullOptions) async throws -> SyncReport {
        let chosen = configuration.resources.filter { resource in
            if let approved = options.approvedDeletion { return resource.path == approved }
            return options.only?.contains(resource.entity) ?? true
        }
        telemetry.emit(.started(resources: chosen.map(\.path)))
        do {
            let attributes = telemetry.attributes
            let report = try await TraceSpan.run("tidemark.pull", attributes: attributes) {
                try await pullMeasured(chosen, with: options)
            }
            telemetry.emit(.finished(report))
            return report
        } catch {
            telemetry.emit(.stopped(error))
            throw error
        }
    }

    private func pullMeasured(
        _ chosen: [RemoteResource],
        with options: PullOptions
    ) async throws -> SyncReport {
        guard !chosen.isEmpty else { throw SyncError.nothingToPull(options.only) }
        let before = traffic.withLock { $0 }
        let start = environment.now()
        var report = try await withLease { lease in
            let context = try await preparedContext(for: options, holding: lease)
            var report = try await pullAll(chosen, in: context)
            try await addStoredState(to: &report)
            return report
        }
        let after = traffic.withLock { $0 }
        report.requests = after.requests - before.requests
        report.bytes = after.bytes - before.bytes
        report.duration = environment.duration(since: start)
        return report
    }

    private func withLease(
        _ body: (Lease) async throws -> SyncReport
    ) async throws -> SyncReport {
        let lease = try await acquireLease()
        let outcome: Result<SyncReport, any Error>
        do {
            outcome = .success(try await body(lease))
        } catch {
            outcome = .failure(error)
        }
        // A cancelled task could not release the lease, because the transaction would throw.
        let store = importer.store
        try await Task {
            try await store.transaction(durability: .relaxed) { db in try lease.release(db) }
        }.value
        return try outcome.get()
    }

    private func acquireLease() async throws -> Lease {
        let binding = ServiceBinding(configuration.service, account: configuration.account)
        return try await importer.store.transaction(durability: .relaxed) {
            [environment, limits] db in
            try binding.bind(db)
            return try Lease.acquire(db, environment, idleTimeout: limits.http.idleTimeout)
        }
    }

    /// Pulls resources, several at a time, and child lists after the resources of their parents.
    private func pullAll(
        _ chosen: [RemoteResource],
        in context: PullContext
    ) async throws -> SyncReport {
        var report = SyncReport()
        let paths = Set(chosen.map(\.path))
        let lists = configuration.order.lists.filter { paths.contains($0.path) }
        try await withThrowingTaskGroup(of: (String, SyncReport.ResourceReport).self) { group in
            var waiting = lists.makeIterator()
            for _ in 0..<min(max(1, limits.concurrency), lists.count) {
                if let resource = waiting.next() {
                    group.addTask { (resource.path, try await context.pullResource(resource)) }
                }
            }
            while let (path, outcome) = try await group.next() {
                report.resources[path] = outcome
                if let resource = waiting.next() {
                    group.addTask { (resource.path, try await context.pullResource(resource)) }
                }
            }
        }
        // After all other lists: the stored parents determine which child lists exist.
        for nested in configuration.order.nested where paths.contains(nested.resource.path) {
            report.resources[nested.resource.path] = try await pullLists(
                of: nested,
                after: report,
                in: context
            )
        }
        return report
    }

    private func addStoredState(to report: inout SyncReport) async throws {
        let importer = importer
        let listed = Set(configuration.resources.map(\.entity))
        (report.unresolvedReferences, report.pendingDeletions) =
            try await importer.store.writer.read { db in
                (
                    try UnresolvedReferences.all(in: importer.store, db, listed: listed),
                    try importer.pendingDeletions(db)
                )
            }
    }

    /// Returns what the pulls of all resources share.
    private func preparedContext(
        for options: PullOptions,
        holding lease: Lease
    ) async throws -> PullContext {
        let stored = try await importer.store.writer.read { [importer] db in
            try importer.storedRows(db)
        }
        return PullContext(
            importer: importer,
            remote: remote(renewing: lease),
            limits: limits,
            environment: environment,
            lease: lease,
            fairness: WriteFairness(in: environment, limits: limits),
            options: options,
            entitiesByType: entitiesByType,
            stored: stored,
            decidingLists: Dictionary(
                configuration.resources.filter { $0.style.deletes != .none }
                    .map { ($0.path, $0.entity) }
            ) { first, _ in first },
            emit: telemetry.emit
        )
    }

    /// Returns a client that counts requests, and renews the lease while it waits.
    private func remote(renewing lease: Lease) -> Remote {
        let (store, environment) = (importer.store, environment)
        @Sendable func renewLease(for wait: Duration) async throws {
            try await store.transaction(durability: .relaxed) { db in
                try lease.renew(db, environment, for: wait)
            }
        }
        var retrying = environment
        retrying.sleep = { duration in
            // The lease must not expire while a request waits for its retry.
            try await renewLease(for: duration)
            try await environment.sleep(duration)
        }
        return Remote(
            configuration.service,
            over: MeteredTransport(
                base: LeaseHeartbeatTransport(
                    base: configuration.transport,
                    environment: environment
                ) {
                    try await renewLease(for: .zero)
                },
                service: configuration.service,
                traffic: traffic,
                telemetry: telemetry,
                environment: environment
            ),
            credentials: configuration.credentials,
            environment: retrying,
            limits: limits
        ) { [telemetry] wait, reason in
            telemetry.emit(.retrying(after: wait, reason: reason.message))
        }
    }

    /// The entity of each object type.
    ///
    /// Where objects name their type, this includes entities without a resource, whose objects may
    /// be embedded or included.
    private var entitiesByType: [String: String] {
        let resources = configuration.resources
        var entities = Dictionary(resources.map { ($0.type, $0.entity) }) { first, _ in first }
        guard resources.contains(where: { $0.style.objects.kind != nil }) else { return entities }
        let model = importer.store.model
        let listed = Set(resources.map(\.entity))
        for entity in model.entities where !entity.isAbstract && !listed.contains(entity.name) {
            guard !model.primaryKey(of: entity).isEmpty else { continue }
            for type in entity.typeNames() where entities[type] == nil {
                entities[type] = entity.name
            }
        }
        return entities
    }
}

extension SyncError {
    fileprivate static func nothingToPull(_ entities: Set<String>?) -> SyncError {
        let names = entities.map { " for \($0.sorted().joined(separator: ", "))" } ?? ""
        return SyncError(
            .nothingToPull,
            "There is nothing to pull: no resource is configured\(names).",
            hint: "Give the engine a resource for each list of the service."
        )
    }
}
