public import TidemarkModel
public import TidemarkStore

public import struct Foundation.Date

/// A local change of a row that the service does not have yet, as an app shows it.
///
/// However often a row was edited since the service had it, what differs is one change. A row has
/// at most two: one whose request was sent and whose outcome is not known, and one with the edits
/// after it. List the changes with an ``Outbox``.
///
/// ```swift
/// func badge(for change: LocalChange) -> String? {
///     switch change.state {
///     case .pending, .inFlight: nil
///     case .uncertain: "The service may have this already."
///     case .rejected: change.attempts.reason
///     case .conflicted: "Another device has changed this, too."
///     }
/// }
/// ```
public struct LocalChange: Sendable, Hashable {
    /// What the change does to the object at the service.
    public typealias Kind = LocalChangeKind

    /// What becomes of the change next.
    public typealias State = LocalChangeState

    /// The row, which does not exist any more if it was deleted.
    public let row: RowReference

    /// The primary key of the object, as the service knows it; nil if it has not named it yet.
    public let key: RecordKey?

    /// What the change does.
    public let kind: Kind

    /// What becomes of it next.
    public let state: State

    /// The attributes and relationships that differ from what the service has; empty for a creation
    /// and a deletion.
    public let properties: [String]

    /// When a push has first found the change; nil before the first push after the edit.
    public let since: Date?

    /// What is known about its requests.
    public let attempts: Attempts

    /// The row whose change has to be sent before this one; nil if nothing is in the way.
    ///
    /// The change of that row cannot be sent now: it was rejected, its outcome is unknown, or its
    /// next attempt is due later. It is the change's own row if a former request of the row is
    /// uncertain. The methods of ``Outbox`` that list changes find it; it is nil in events.
    public let blockedBy: RowReference?

    /// The requests of a change so far.
    public struct Attempts: Sendable, Hashable {
        /// The number of requests that were sent.
        public let count: Int

        /// When the next one may be sent; nil for the next push.
        public let next: Date?

        /// The status of the last response.
        public let status: Int?

        /// Why the last request was not successful, as a clause: what the service says, or what
        /// has failed.
        public let reason: String?

        /// What the service says about attributes, by their names in the model, or as the service
        /// names them if the model has none.
        public let fieldErrors: [String: [String]]

        /// Whether the change is a deletion that awaits approval: see
        /// ``PushOptions/deletionGuard``.
        public let needsApproval: Bool
    }
}

extension LocalChange {
    init(
        _ change: CapturedChange,
        _ attempts: Attempts?,
        blockedBy: RowReference? = nil,
        reader: StoreReader
    ) throws {
        row = change.row
        let entity = try reader.layout.entity(change.row.entity)
        key = try reader.knownKey(of: change, entity).map(RecordKey.init)
        kind = change.kind
        state = change.state
        properties =
            try change.kind == .update ? reader.changedProperties(of: change).sorted() : []
        since = change.since
        self.attempts = attempts ?? .none
        self.blockedBy = blockedBy
    }
}

extension LocalChange.Attempts {
    /// Those of a change that was not sent yet.
    fileprivate static let none = Self(
        count: 0,
        next: nil,
        status: nil,
        reason: nil,
        fieldErrors: [:],
        needsApproval: false
    )
}
