import TidemarkImport
import TidemarkRemote

extension SyncEngine {
    /// Requests a list with a pending deletion again, and deletes the rows that the service still
    /// lacks.
    ///
    /// Call this method when a user has confirmed a deletion that a pull reported
    /// (``SyncReport/pendingDeletions``). It reads the keys of the list, or the whole list if the
    /// service has no list of keys. Rows that are missing in addition are subject to the deletion
    /// guard as in any pull. If no deletion is pending, the list is only read and compared.
    ///
    /// <!-- example: func isConfirmed<Deletion>(_ pending: Deletion) -> Bool { true } -->
    /// ```swift
    /// for pending in report.pendingDeletions where !pending.isRejected && isConfirmed(pending) {
    ///     let report = try await engine.approveDeletion(of: pending.resource)
    ///     print(report.total.entities[pending.entity]?.deleted ?? 0)
    /// }
    /// ```
    ///
    /// To delete the rows without requesting the list, call `Importer.approveDeletion`. The
    /// approval is a pull of one resource: it waits for a running pull, and its events are those of
    /// the engine.
    ///
    /// - Parameters:
    ///   - resource: The path of the list, `PendingDeletion.resource`.
    ///   - options: How the list is read. Pass the options of the pull that reported the deletion.
    /// - Returns: What was read and deleted. If the list could not be read to its end, nothing was
    ///   deleted, and the failure is in the report.
    /// - Throws: Errors that ``pull(with:)`` throws; ``SyncError/Code/unknownResource`` if the
    ///   engine has no list with this path.
    public func approveDeletion(
        of resource: String,
        with options: PullOptions = PullOptions()
    ) async throws -> SyncReport {
        guard configuration.resources.contains(where: { $0.path == resource }) else {
            throw SyncError(
                .unknownResource,
                "No list has the path \(resource).",
                hint:
                    "Known: \(configuration.resources.map(\.path).sorted().joined(separator: ", "))."
            )
        }
        var options = options
        options.approvedDeletion = resource
        return try await pull(with: options)
    }
}
