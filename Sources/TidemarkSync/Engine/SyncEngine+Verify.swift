import GRDB
public import TidemarkImport
import TidemarkModel
import TidemarkRemote
package import TidemarkStore

extension SyncEngine {
    /// Compares the store with the service, row by row, and changes nothing.
    ///
    /// Everything is read, whatever is known of it, into a copy of the store. Rows that came to the
    /// service since the last pull differ too. Other processes may pull into the store meanwhile.
    ///
    /// A row of the service's lists differs also in a value that no list contains any more, or that
    /// an import cannot accept: a pull leaves it as it is. Rows that no list contains are compared
    /// only where a list decides which rows there are. Attributes and relationships of the app's
    /// own are no differences if the model marks them as not exportable.
    ///
    /// What lists leave out is judged only when all of them were read to their ends: with
    /// `entities`, another list may contain it.
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
    ///   - onEvent: Told how far the reading is; the engine's own events tell nothing of it, and
    ///     the log and the metrics as much as of a ``rehearsal(onEvent:)``.
    /// - Returns: The rows that differ, and how the service was read.
    /// - Throws: What ``pull(_:)`` throws, but for another process that pulls into the store.
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

    /// Compares the store with the service, as it stands in a copy that nobody writes to.
    package func verify(
        resting copy: Store,
        only entities: Set<String>?,
        importing: ImportOptions,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) async throws -> SyncVerification {
        var options = PullOptions()
        options.entities = entities
        options.isFull = true
        options.importing = importing
        options.importing.operations = .all
        options.deletionGuard = nil
        let readsAll = resources.allSatisfy { entities?.contains($0.entity) ?? true }
        let coverage = readsAll ? try importer.emptyCoverage() : nil
        let rehearsal = try rehearsal(
            on: copy.temporaryCopy(),
            recording: coverage,
            onEvent: onEvent
        )
        let report = try await rehearsal.report(of: options)
        let pulled = rehearsal.importer.store
        return SyncVerification(
            differences: try copy.differences(
                from: pulled,
                coveredBy: report.hasReadAllLists ? coverage : nil,
                limit: limits.diagnostics
            ),
            missingLinks: try await pulled.writer.read { [limits] db in
                try pulled.missingLinks(db, limit: limits.diagnostics)
            },
            report: report
        )
    }

    /// An engine that does the same to a copy of the store, gone with it: its reports and events
    /// tell what would happen.
    ///
    /// ```swift
    /// let report = try await engine.rehearsal().pull()
    /// ```
    ///
    /// What it does is its own: nobody who pulls into the store meanwhile is in its way, its
    /// reports count its own requests, and its own ``events()`` tell its events. In the log they
    /// have the metadata `rehearsal`. Of the metrics it moves those of requests, which the service
    /// had to answer, and none of pulls and rows, for nothing has come into the store.
    ///
    /// - Parameter onEvent: Told what happens while the copy is pulled into, in its course.
    /// - Returns: The engine.
    /// - Throws: `DatabaseError`.
    public nonisolated func rehearsal(
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws -> SyncEngine {
        try rehearsal(on: importer.store.temporaryCopy(), onEvent: onEvent)
    }

    private nonisolated func rehearsal(
        on copy: Store,
        recording coverage: StoreCoverage? = nil,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) throws -> SyncEngine {
        try copy.forgetRuns()
        return SyncEngine(
            self,
            on: copy,
            recording: coverage,
            telling: observers.ofRehearsal(onEvent: onEvent)
        )
    }
}

extension SyncReport {
    /// Whether every list was read, that of each parent among them.
    fileprivate var hasReadAllLists: Bool {
        isComplete
            && !resources.values.contains { resource in
                resource.warnings.contains { $0.code == .listsNotFound }
            }
    }
}
