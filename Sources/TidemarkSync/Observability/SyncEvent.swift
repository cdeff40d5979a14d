public import TidemarkImport

/// An event of a running pull, such as for a progress indicator.
///
/// ```swift
/// let pull = engine.startPull()
/// for await case .page(let resource, let done, let expected) in pull.events {
///     print(resource, done, expected ?? done)
/// }
/// print(try await pull.value)
/// ```
public enum SyncEvent: Sendable {
    /// A pull begins. The resources are identified by their paths.
    case started(resources: [String])

    /// A page of a resource is in the store.
    ///
    /// - `done`: The number of objects of the resource so far.
    /// - `expected`: The total number of objects; nil if the service does not report it.
    case page(resource: String, done: Int, expected: Int?)

    /// A request is tried again after a delay.
    case retrying(after: Duration, why: String)

    /// A pull would delete more rows than the guard permits. The rows are kept until the deletion
    /// is approved.
    case deletionPending(PendingDeletion)

    /// A resource was pulled to its end.
    case applied(resource: String, ImportReport.Counts)

    /// A resource could not be pulled to its end. The other resources continue.
    case failed(resource: String, any Error)

    /// The pull has ended.
    case finished(SyncReport)

    /// An error has stopped the pull. The call that started the pull throws it.
    case stopped(any Error)
}
