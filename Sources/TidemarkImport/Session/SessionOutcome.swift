/// The outcome of ``Importer/finish(_:_:guardedBy:isApproved:isProof:)``.
package enum SessionOutcome: Sendable, Hashable {
    /// The session has ended; rows that the list did not contain were deleted.
    case finished(ImportReport)

    /// The session has ended, but its deletions exceed the guard: the rows are kept until the
    /// deletion is approved.
    case pending(ImportReport, PendingDeletion)

    /// Rows would be deleted without proof that the service has deleted them: the session stays
    /// open, and nothing was deleted.
    case unproved

    /// The numbers of changed rows, and diagnostics.
    ///
    /// Empty for ``unproved``.
    package var report: ImportReport {
        switch self {
        case .finished(let report), .pending(let report, _): report
        case .unproved: ImportReport()
        }
    }
}
