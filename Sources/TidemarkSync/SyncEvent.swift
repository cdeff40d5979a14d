public import TidemarkImport

/// What happens while a pull runs, for those who show it.
public enum SyncEvent: Sendable {
    /// A page of a resource is in the store.
    ///
    /// - `done`: how many objects of the resource have come so far.
    /// - `expected`: how many there will be, if the service tells.
    case page(resource: String, done: Int, expected: Int?)

    /// A request is tried again.
    case retrying(after: Duration, why: String)

    /// More rows would be deleted than is believed without being asked: they stay until somebody
    /// decides.
    case parked(ParkedSweep)

    /// A resource was pulled to its end.
    case finished(resource: String, ImportReport.Counts)
}
