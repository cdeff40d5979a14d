import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

extension SyncEngine {
    /// Pulls resources, and reports the state of the store afterwards.
    func pull(
        _ chosen: [RemoteResource],
        with options: PullOptions,
        in run: RunContext
    ) async throws -> SyncReport {
        let start = environment.now()
        let uncertain = try await uncertainCreations()
        let isDoubtful = try await mayLackEdits()
        var options = options
        if isDoubtful, options.deletionGuard != nil {
            // A row that its list lacks may be one that was inserted, or whose key was edited.
            options.deletionGuard = DeletionGuard(share: 0, rows: 0, fullDeletionThreshold: 1)
        }
        var report = try await pullAll(chosen, in: context(of: options, in: run))
        try await chooseSides(in: run)
        try await decideUnlisted(after: &report, since: start, in: run)
        try await addConfirmed(among: uncertain, to: &report, in: run)
        try await confirmAcknowledged(after: &report, since: start, in: run)
        try await addStoredState(to: &report)
        if isDoubtful {
            let edits = try await compared(by: report, in: run)
            report.pushed.localChanges.unrecorded = edits
        }
        return report
    }

    /// Chooses with which rows links are recorded from now on, by what the lists have shown.
    ///
    /// Not before the next run: a local change of an order would not be recorded until then.
    private func chooseSides(in run: RunContext) async throws {
        guard let capture = CaptureInstallation(for: configuration.resources, by: importer) else {
            return
        }
        try await run.write { db in
            if try Capture.isInstalled(db) { try capture.chooseSides(db) }
        }
    }

    /// Returns whether rows may differ from the service because of edits that were not recorded.
    private func mayLackEdits() async throws -> Bool {
        try await importer.store.writer.read { [store = importer.store] db in
            try StoreReader.prepare(db, in: store).doubtedEdits != nil
        }
    }

    /// Returns what the comparison of all rows with the service has shown, and ends it if all lists
    /// were read, and the objects of the rows that they lack because they lag.
    private func compared(
        by report: SyncReport,
        in run: RunContext
    ) async throws -> UnrecordedEdits? {
        let isComplete = configuration.resources.allSatisfy {
            report.resources[$0.path]?.isComplete == true
        }
        return try await run.write { [store = importer.store] db in
            try isComplete && !AcknowledgedChanges(db, store.layout).areRowsUnread
                ? Capture.of(db, store.layout)?.settleUnrecorded()
                : StoreReader.prepare(db, in: store).doubtedEdits
        }
    }

    /// Returns the resources that the options select.
    func selectedResources(_ options: PullOptions) -> [RemoteResource] {
        configuration.resources.filter { resource in
            if let approved = options.approvedDeletion { return resource.path == approved }
            return options.only?.contains(resource.entity) ?? true
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
        let (importer, environment) = (importer, environment)
        let listed = Set(configuration.resources.map(\.entity))
        (report.unresolvedReferences, report.pendingDeletions, report.pushed.localChanges) =
            try await importer.store.writer.read { db in
                let store = importer.store
                let outbox = Outbox(store, environment: environment)
                return (
                    try UnresolvedReferences.all(in: store, db, listed: listed),
                    try importer.pendingDeletions(db), try .of(db, in: store, outbox: outbox)
                )
            }
    }

    /// Returns what the pulls of all resources share.
    private func context(
        of options: PullOptions,
        in run: RunContext
    ) async throws -> PullContext {
        let stored = try await importer.store.writer.read { [importer] db in
            try importer.storedRows(db)
        }
        return PullContext(
            run: run,
            options: options,
            entitiesByType: entitiesByType,
            stored: stored,
            decidingLists: Dictionary(
                configuration.resources.filter { $0.style.deletes != .none }
                    .map { ($0.path, $0.entity) }
            ) { first, _ in first }
        )
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
    static func nothingToPull(_ entities: Set<String>?) -> SyncError {
        let names = entities.map { " for \($0.sorted().joined(separator: ", "))" } ?? ""
        return SyncError(
            .nothingToPull,
            "There is nothing to pull: no resource is configured\(names).",
            hint: "Give the engine a resource for each list of the service."
        )
    }
}
