import TidemarkImport
import TidemarkRemote

extension SyncEngine {
    /// Asks the service again about the rows of a pending deletion, and deletes those that it still
    /// does not have.
    ///
    /// Call it when a person has seen what a pull kept (``SyncReport/pendingDeletions``). The keys
    /// of the list are read, or the whole list where the service has no list of keys; rows that are
    /// missing in addition are subject to the guard as in any pull. Where no deletion is pending,
    /// the list is only read and compared.
    ///
    /// ```swift
    /// for pending in report.pendingDeletions where !pending.isRejected && isConfirmed(pending) {
    ///     let report = try await engine.approveDeletion(of: pending.resource)
    ///     print(report.total.entities[pending.entity]?.deleted ?? 0)
    /// }
    /// ```
    ///
    /// `Importer.approveDeletion` deletes them without asking the service.
    ///
    /// - Parameters:
    ///   - resource: The path of the list.
    ///   - options: How the list is read: the options of the pull that kept the rows.
    /// - Returns: What was read and deleted; a list that could not be read to its end has deleted
    ///   nothing, and its failure is in the report.
    /// - Throws: What ``pull(_:)`` throws; ``SyncError/Code/unknownResource`` where the engine does
    ///   not have the list.
    public func approveDeletion(
        of resource: String,
        _ options: PullOptions = PullOptions()
    ) async throws -> SyncReport {
        guard resources.contains(where: { $0.path == resource }) else {
            throw SyncError(
                .unknownResource,
                "No list has the path \(resource).",
                hint: "Known: \(resources.map(\.path).sorted().joined(separator: ", "))."
            )
        }
        var options = options
        options.approvedDeletion = resource
        return try await pull(options)
    }
}
