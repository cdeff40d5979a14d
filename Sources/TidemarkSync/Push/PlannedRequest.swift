public import TidemarkStore

public import struct Foundation.URL

/// A request that the next push would send.
///
/// ``SyncEngine/plannedRequests()`` returns them in the order in which they would be sent.
///
/// ```swift
/// for request in try await engine.plannedRequests() where request.kind == .delete {
///     print(request)    // DELETE https://api.example.com/tasks/7  Task#12: delete
/// }
/// ```
public struct PlannedRequest: Sendable, Hashable, CustomStringConvertible {
    /// The row.
    public let row: RowReference

    /// What the request does to its object.
    public let kind: LocalChange.Kind

    /// The attributes and relationships that have changed; empty for a creation and a deletion.
    public let properties: [String]

    /// The method, such as `PATCH`.
    public let method: String

    /// The URL, without the query that the service is configured with.
    public let url: URL

    /// Whether the object is read first, so that the change of another client is noticed.
    ///
    /// The request then contains what differs from what was read.
    public let isReadFirst: Bool

    /// The body; nil for a request without one.
    ///
    /// `«Project#3»` is a key that the service has not chosen yet. A key that this client chooses
    /// is another one each time until the change is sent.
    public let body: String?

    /// The request in one line.
    public var description: String {
        let about = properties.isEmpty ? kind.rawValue : properties.joined(separator: ",")
        let parts = [
            "\(method) \(url.absoluteString)\(isReadFirst ? " (after it is read)" : "")",
            "\(row): \(about)", body,
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
    }
}
