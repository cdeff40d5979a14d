public import TidemarkImport

/// What happens while a pull runs, for those who show it.
///
/// ```swift
/// let pull = engine.startPull()
/// for await case .page(let resource, let done, let expected) in pull.events {
///     print(resource, done, expected ?? done)
/// }
/// print(try await pull.value)
/// ```
public enum SyncEvent: Sendable {
    /// A pull begins, of resources with these paths.
    case started(resources: [String])

    /// A page of a resource is in the store.
    ///
    /// - `done`: how many objects of the resource have come so far.
    /// - `expected`: how many there will be, if the service tells.
    case page(resource: String, done: Int, expected: Int?)

    /// A request is tried again.
    case retrying(after: Duration, why: String)

    /// More rows would be deleted than the guard permits: they are kept until the deletion is
    /// approved.
    case deletionPending(PendingDeletion)

    /// A resource was pulled to its end.
    case applied(resource: String, ImportReport.Counts)

    /// A resource could not be pulled to its end; the others go on.
    case failed(resource: String, any Error)

    /// The pull has come to its end.
    case finished(SyncReport)

    /// The pull was ended by an error, which its caller gets.
    case stopped(any Error)
}
