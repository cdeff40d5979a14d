import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

extension SyncEngine {
    /// Pulls the resources that the options select, several at a time, while holding the lease.
    func pullResources(_ options: PullOptions) async throws -> SyncReport {
        let chosen = resources.filter { resource in
            if let approved = options.approvedDeletion { return resource.path == approved }
            return options.entities?.contains(resource.entity) ?? true
        }
        observers.tell(.started(resources: chosen.map(\.path)))
        do {
            let report = try await TraceSpan("tidemark.pull", observers.attributes).around {
                try await pull(chosen, options)
            }
            observers.tell(.finished(report))
            return report
        } catch {
            observers.tell(.stopped(error))
            throw error
        }
    }

    private func pull(_ chosen: [RemoteResource], _ options: PullOptions) async throws -> SyncReport
    {
        guard !chosen.isEmpty else { throw SyncError.nothingToPull(options.entities) }
        let before = traffic.total
        let start = environment.now()
        var report = try await holdingLease { lease in
            let stored = try await importer.store.writer.read { [importer] db in
                try importer.storedRows(db)
            }
            return try await pull(chosen, setting(options, lease, stored))
        }
        let after = traffic.total
        report.requests = after.requests - before.requests
        report.bytes = after.bytes - before.bytes
        report.duration = environment.duration(since: start)
        return report
    }

    private func holdingLease(
        _ body: (Lease) async throws -> SyncReport
    ) async throws -> SyncReport {
        let lease = try await takeLease()
        let outcome: Result<SyncReport, any Error>
        do {
            outcome = .success(try await body(lease))
        } catch {
            outcome = .failure(error)
        }
        // A cancelled task could not release the lease, because the transaction would throw.
        let store = importer.store
        try await Task { try await store.writeRepeatable { db in try lease.release(db) } }.value
        return try outcome.get()
    }

    private func takeLease() async throws -> Lease {
        let binding = ServiceBinding(access.service, account: account)
        return try await importer.store.writeRepeatable { [environment, limits] db in
            try binding.bind(db)
            return try Lease.acquire(db, environment, silence: limits.idleTimeout)
        }
    }

    private func pull(_ chosen: [RemoteResource], _ setting: PullContext) async throws -> SyncReport
    {
        var report = SyncReport()
        let paths = Set(chosen.map(\.path))
        let lists = order.lists.filter { paths.contains($0.path) }
        try await withThrowingTaskGroup(of: (String, SyncReport.ResourceReport).self) { group in
            var waiting = lists.makeIterator()
            for _ in 0..<min(max(1, limits.concurrency), lists.count) {
                if let resource = waiting.next() {
                    group.addTask { (resource.path, try await self.pull(resource, setting)) }
                }
            }
            while let (path, outcome) = try await group.next() {
                report.resources[path] = outcome
                if let resource = waiting.next() {
                    group.addTask { (resource.path, try await self.pull(resource, setting)) }
                }
            }
        }
        // After all other lists: the stored parents determine which child lists exist.
        for nested in order.nested where paths.contains(nested.resource.path) {
            report.resources[nested.resource.path] = try await pull(nested, after: report, setting)
        }
        let importer = importer
        let store = importer.store
        let listed = Set(resources.map(\.entity))
        report.unresolvedReferences = try await store.writer.read { db in
            try UnresolvedReferences.all(in: store, db, listed: listed)
        }
        report.pendingDeletions = try await store.writer.read { db in
            try importer.pendingDeletions(db)
        }
        return report
    }

    private func setting(
        _ options: PullOptions,
        _ lease: Lease,
        _ stored: StoredRows
    ) -> PullContext {
        let (store, environment) = (importer.store, environment)
        @Sendable func live(for wait: Duration) async throws {
            try await store.writeRepeatable { db in try lease.renew(db, environment, for: wait) }
        }
        var patient = environment
        patient.sleep = { duration in
            // The lease must not expire while a request waits for its retry.
            try await live(for: duration)
            try await environment.sleep(duration)
        }
        var access = access
        access.transport = LeaseHeartbeatTransport(access.transport, environment) {
            try await live(for: .zero)
        }
        return PullContext(
            importer: importer,
            remote: access.remote(in: patient, countedBy: traffic, toldTo: observers),
            limits: limits,
            environment: environment,
            lease: lease,
            turns: WriteFairness(environment, limits),
            options: options,
            kinds: kinds,
            stored: stored,
            sweptLists: Dictionary(
                resources.filter { $0.style.deletes != .none }.map { ($0.path, $0.entity) }
            ) { first, _ in first },
            tell: observers.tell
        )
    }

    /// The entity of each object type.
    ///
    /// Where objects name their type, this includes entities without a resource, whose objects may
    /// be embedded or included.
    private var kinds: [String: String] {
        var kinds = Dictionary(resources.map { ($0.type, $0.entity) }) { first, _ in first }
        guard resources.contains(where: { $0.style.objects.kind != nil }) else { return kinds }
        let model = importer.store.model
        let listed = Set(resources.map(\.entity))
        for entity in model.entities where !entity.isAbstract && !listed.contains(entity.name) {
            guard !model.primaryKey(of: entity).isEmpty else { continue }
            for type in entity.typeNames() where kinds[type] == nil { kinds[type] = entity.name }
        }
        return kinds
    }

    /// Pulls one resource.
    private nonisolated func pull(
        _ resource: RemoteResource,
        _ setting: PullContext
    ) async throws -> SyncReport.ResourceReport {
        let reading = try setting.fingerprint(of: resource)
        let report = try await pull(resource, nil, read: reading, setting)
        setting.reportEnd(of: resource, report)
        return report
    }

    /// Pulls one list: that of a resource, or that of one parent's children.
    nonisolated func pull(
        _ resource: RemoteResource,
        _ child: ChildList?,
        read reading: String,
        _ setting: PullContext
    ) async throws -> SyncReport.ResourceReport {
        let (state, pending) = try await setting.write { [importer] db in
            let walk = ImportSession(
                resource.path,
                into: resource.entity,
                options: setting.options.importing,
                run: "",
                scope: child.map { .children(of: $0.parent) } ?? .entity
            )
            var state = try self.state(of: resource, read: reading, db)
            if let parent = child?.parent {
                state.parent = state.parent ?? .init(resource: parent.session, row: parent.row)
                state.parent?.row = parent.row
            }
            return (state, try importer.pendingRowCount(db, by: walk))
        }
        var run = ResourcePull(resource, setting, state, of: child, hasPendingDeletion: pending > 0)
        return try await TraceSpan("tidemark.resource", ["resource": resource.path]).around {
            try await run.run()
        }
    }

    /// Returns the stored state of a resource.
    ///
    /// If the resource was last read with another model or configuration, discards its cached pages
    /// and returns a new state.
    nonisolated func state(
        of resource: RemoteResource,
        read reading: String,
        _ db: Database
    ) throws -> ResourceState {
        let state = ResourceState(
            path: resource.path,
            entity: resource.entity,
            generation: importer.store.generation,
            reading: reading
        )
        if let known = try ResourceState.of(resource.path, db), known.isRead(like: state) {
            return known
        }
        try PageCacheEntry.forgetAll(db, in: resource.path)
        return state
    }
}

extension PullContext {
    /// Reports the end of a resource's pull.
    func reportEnd(of resource: RemoteResource, _ report: SyncReport.ResourceReport) {
        if let failure = report.failure, report.ending == .failed {
            tell(.failed(resource: resource.path, failure))
        } else {
            let counts = report.imported.entities[resource.entity] ?? .init()
            tell(.applied(resource: resource.path, counts))
        }
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
