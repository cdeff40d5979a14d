import TidemarkImport
import TidemarkModel
import TidemarkStore

extension SyncEngine {
    /// Compares the store with the service, row by row, and changes nothing.
    ///
    /// Everything is read, whatever is known of it, into a copy of the store that nobody sees; what
    /// then differs is told. Rows that came to the service since the last pull differ too.
    ///
    /// ```swift
    /// let verification = try await engine.verify()
    /// for difference in verification.differences.rows {
    ///     print(difference.row, difference.properties)
    /// }
    /// ```
    ///
    /// - Parameter entities: The entities whose resources are compared; nil for all.
    /// - Returns: The rows that differ, and how the service was read.
    /// - Throws: What ``pull(_:)`` throws.
    public func verify(only entities: Set<String>? = nil) async throws -> SyncVerification {
        var options = PullOptions()
        options.entities = entities
        options.isFull = true
        options.sweepGuard = nil
        let rehearsal = try rehearsal()
        let after = rehearsal.importer.store
        let before = try after.temporaryCopy()
        let report = try await rehearsal.pull(options)
        return SyncVerification(
            differences: try before.differences(from: after, limit: limits.diagnostics),
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
    /// - Returns: The engine.
    /// - Throws: `DatabaseError`.
    public nonisolated func rehearsal() throws -> SyncEngine {
        SyncEngine(self, on: try importer.store.temporaryCopy())
    }
}
