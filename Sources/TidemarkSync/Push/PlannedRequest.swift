public import TidemarkStore

public import struct Foundation.URL

/// A request that the next push would send.
///
/// ``SyncEngine/plannedRequests(with:)`` returns them in the order in which they would be sent.
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

    /// Whether the request is a deletion that is not sent before it is approved: see
    /// ``PushOptions/deletionGuard``.
    public let needsApproval: Bool

    /// The body; nil for a request without one.
    ///
    /// `«Project#3»` is a key that the service has not chosen yet. A key that this client chooses
    /// is another one each time until the change is sent.
    public let body: String?

    /// The forms of values in the body, by the name of the member.
    ///
    /// They are those in which the service writes its own objects, as far as JSON itself does not
    /// suggest them: see ``SyncStatus/ResourceStatus/forms``.
    public let forms: [String: String]

    /// The request in one line.
    public var description: String {
        let shown = forms.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let about = properties.isEmpty ? kind.rawValue : properties.joined(separator: ",")
        let notes = [
            isReadFirst ? " (after it is read)" : "", needsApproval ? " (awaits approval)" : "",
        ]
        let parts = [
            "\(method) \(url.absoluteString)\(notes.joined())",
            "\(row): \(about)", body,
            shown.isEmpty ? nil : "(\(shown.joined(separator: ", ")))",
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
    }
}
