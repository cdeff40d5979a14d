import GRDB
public import TidemarkImport
import TidemarkModel
import TidemarkRemote
package import TidemarkStore

extension SyncEngine {
    /// Compares the store with the service, row by row, and changes nothing.
    ///
    /// All lists are read completely into a temporary copy of the store, regardless of cursors and
    /// cached pages. Rows that changed at the service since the last pull are reported as well.
    /// Other processes can pull into the store meanwhile.
    ///
    /// A row of the service's lists also differs if it has a value that no list contains any more,
    /// or if the service has a value that an import cannot accept: a pull leaves both unchanged.
    /// Rows that no list contains are compared only where a list decides which rows exist.
    /// Attributes and relationships of the app's own are not compared if the model marks them as
    /// not exportable.
    ///
    /// Local changes that were not pushed do not count: the rows are compared as the service knows
    /// them. Where the service has changed such a row meanwhile, that is reported apart, as
    /// ``SyncVerification/changedOnBothSides``.
    ///
    /// Changes that the service has accepted and not shown yet are listed as
    /// ``SyncVerification/unconfirmed``, with what this reading shows of them; objects with former
    /// values are read by their keys. Nothing is decided about them: the next pull does that.
    ///
    /// Absent values are compared only if all lists were read to their ends. With `entities` they
    /// are not, because another list may contain them.
    ///
    /// ```swift
    /// let verification = try await engine.verify()
    /// for difference in verification.differences.rows {
    ///     print(difference.row, difference.properties)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - entities: The entities whose resources are compared; nil for all.
    ///   - importing: What happens to invalid values and to unresolved references. Pass the options
    ///     of the pulls, or rows with such values differ. Its operations are ignored: everything is
    ///     compared.
    ///   - onEvent: Called with each event of the verification, which the engine's own ``events()``
    ///     do not contain. The log and the metrics are those of a dry run.
    /// - Returns: The rows that differ, and how the service was read. Resources that failed are in
    ///   the report.
    /// - Throws: Errors that ``pull(with:)`` throws, except ``SyncFailure`` and
    ///   ``SyncError/Code/busy``.
    public func verify(
        only entities: Set<String>? = nil,
        importing: ImportOptions = ImportOptions(),
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) async throws -> SyncVerification {
        try await verify(
            resting: importer.store.temporaryCopy(),
            only: entities,
            importing: importing,
            onEvent: onEvent
        )
    }

    /// Compares the service with a copy of the store that no other process writes to.
    package func verify(
        resting copy: Store,
        only entities: Set<String>?,
        importing: ImportOptions,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) async throws -> SyncVerification {
        var options = PullOptions(only: entities)
        options.isFull = true
        options.importing = importing
        options.importing.operations = .all
        // Nothing can await approval in a comparison.
        options.deletionGuard = nil
        // A list that was not read may contain the values that are absent from the others.
        let readsAll = configuration.resources.allSatisfy {
            entities?.contains($0.entity) ?? true
        }
        let coverage = readsAll ? try importer.emptyCoverage() : nil
        // Local changes would be merged with what is read, and hide what the service has.
        let known = try KnownStore.undoingChanges(of: copy, environment: environment)
        let target = try known.store.temporaryCopy()
        // Rows that may have been edited would be kept, and not differ.
        try await target.writer.write { [environment] db in
            _ = try Capture.repair(db, target.layout, at: environment.now())
            _ = try Capture.of(db, target.layout)?.settleUnrecorded()
        }
        var comparing = importer.copy(for: target, recording: coverage)
        // What the service has not taken differs, whatever a policy would make of that.
        comparing.conflicts = ConflictPolicies()
        let waiting = try UnconfirmedChanges.waiting(in: target, limit: limits.diagnostics)
        let dryRun = try dryRunEngine(with: comparing, onEvent: onEvent)
        let report = try await dryRun.report(of: .pull(options))
        let pulled = dryRun.importer.store
        let differences = try known.store.differences(
            from: pulled,
            coveredBy: report.hasReadAllLists ? coverage : nil,
            limit: limits.diagnostics,
            separating: known.isUnpushed
        )
        return SyncVerification(
            differences: differences.others,
            changedOnBothSides: differences.separate,
            missingLinks: try await pulled.read { [limits] db in
                try db.missingLinks(limit: limits.diagnostics)
            },
            unconfirmed: try waiting.shown(in: pulled, by: report),
            unrecorded: try await copy.read { reader in try reader.unrecordedEdits },
            report: report
        )
    }

    /// Creates an engine for a dry run: it works on a temporary copy of the store, which is deleted
    /// with the engine.
    ///
    /// Its reports and events describe what would happen to the store. Use it before a change of
    /// the configuration is applied to a store whose rows matter, such as `deletes` or the deletion
    /// guard.
    ///
    /// ```swift
    /// let report = try await engine.dryRunEngine().pull()
    /// print(report.total.entities["Article"]?.deleted ?? 0, "rows would be deleted.")
    /// ```
    ///
    /// The engine is independent of this one. A process that pulls into the store does not block
    /// it, its reports count its own requests only, and its ``events()`` are its own. Its log
    /// messages have a metadata key that marks a dry run (see `docs/observability.md`). It sends no
    /// changes: ``push(with:)``, ``sync(with:pushing:)`` and ``adopt(_:key:)`` throw
    /// ``SyncError/Code/dryRun``, because the service is the real one, and
    /// ``run(_:with:pushing:)`` only pulls. Of the metrics it records requests, received bytes and
    /// retries, but no pulls and rows, since the store does not change.
    ///
    /// - Parameter onEvent: Called with each event of the engine's pulls.
    /// - Returns: The engine.
    /// - Throws: `DatabaseError` if the store cannot be copied.
    public nonisolated func dryRunEngine(
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws -> SyncEngine {
        let copy = try importer.store.temporaryCopy()
        return try dryRunEngine(with: importer.copy(for: copy), onEvent: onEvent)
    }

    private nonisolated func dryRunEngine(
        with importer: Importer,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) throws -> SyncEngine {
        // The copy contains the lease of a pull that is running on the original.
        try importer.store.forgetRuns()
        return SyncEngine(
            self,
            with: importer,
            reportingTo: telemetry.ofDryRun(onEvent: onEvent)
        )
    }
}

extension SyncReport {
    /// Whether every list was read, including those of all parents.
    fileprivate var hasReadAllLists: Bool {
        isComplete
            && !resources.values.contains { resource in
                resource.warnings.contains { $0.code == .listsNotFound }
            }
    }
}
