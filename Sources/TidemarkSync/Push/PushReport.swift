import GRDB
import TidemarkModel
public import TidemarkRemote
public import TidemarkStore

import struct Foundation.Date

/// What a push has done with local changes.
///
/// It is a part of each ``SyncReport``. Changes that are left are in the ``Outbox``, with the
/// reasons.
///
/// ```swift
/// let pushed = try await engine.push()
/// for (entity, counts) in pushed.entities {
///     print(entity, counts.created, counts.updated, counts.deleted, counts.rejected)
/// }
/// for (path, error) in pushed.failures { print(path, error) }
/// ```
public struct PushReport: Sendable {
    /// The changes of one entity.
    public struct Counts: Sendable, Hashable {
        /// The number of objects that were created at the service.
        public internal(set) var created = 0

        /// The number of rows created here that have become those of objects which the service had
        /// already: see ``SyncEvent/adopted(row:key:)``.
        public internal(set) var adopted = 0

        /// The number of objects that were changed at the service.
        public internal(set) var updated = 0

        /// The number of objects that were deleted at the service.
        public internal(set) var deleted = 0

        /// The number of changes that the service has rejected.
        public internal(set) var rejected = 0

        /// The number of changes of which it is unknown whether they were applied.
        public internal(set) var uncertain = 0

        /// The number of changes that contradict one of the service, and await a decision.
        public internal(set) var conflicted = 0

        /// The number of changes that a policy has given up for those of the service; they are in
        /// the records of the conflicts.
        public internal(set) var overruled = 0

        /// The number of changes that will be sent again later.
        public internal(set) var postponed = 0

        /// The number of changes that the service has accepted, and of which it has kept its own
        /// values; they are in the records of the conflicts (`Conflict.Kind.notTaken`).
        public internal(set) var notTaken = 0

        mutating func add(_ other: Counts) {
            created += other.created
            adopted += other.adopted
            updated += other.updated
            deleted += other.deleted
            rejected += other.rejected
            uncertain += other.uncertain
            conflicted += other.conflicted
            overruled += other.overruled
            postponed += other.postponed
            notTaken += other.notTaken
        }

        /// The numbers with the names that metrics have.
        var named: [(outcome: String, changes: Int)] {
            [
                ("created", created), ("adopted", adopted), ("updated", updated),
                ("deleted", deleted),
                ("rejected", rejected), ("uncertain", uncertain), ("conflicted", conflicted),
                ("overruled", overruled), ("postponed", postponed), ("notTaken", notTaken),
            ]
        }
    }

    /// What the service has said about a change that it has accepted.
    public struct Message: Sendable, Hashable, CustomStringConvertible {
        /// The row.
        public let row: RowReference

        /// The messages about the whole object, in one line; nil if all are about members.
        public let text: String?

        /// The messages about members, by the names of the properties.
        ///
        /// A member that the model does not have keeps its name.
        public let fields: [String: [String]]

        /// All messages in one line.
        public var description: String {
            let fields = fields.sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value.joined(separator: " "))" }
            return ((text.map { [$0] } ?? []) + fields).joined(separator: "; ")
        }
    }

    /// The changes by entity.
    public internal(set) var entities: [String: Counts] = [:]

    /// The number of creations that are sent again, because their lists do not contain the objects.
    public internal(set) var reopened = 0

    /// Why lists accepted no changes, by the path of the resource.
    public internal(set) var failures: [String: RemoteError] = [:]

    /// The changes that are left at the end.
    public internal(set) var localChanges = LocalChangeSummary()

    /// Rows of which the service has accepted a change, and whose lists do not show the changed
    /// properties: three complete ones were read since.
    ///
    /// Whether the service has the values is not known, and not looked for any more.
    public internal(set) var notShown: [RowReference] = []

    /// What the service has said about changes that it has accepted: the `errors` next to the
    /// object in a response.
    ///
    /// Messages do not fail a change: the object in the response shows what was taken. At most
    /// `Limits.diagnostics` of each push are listed.
    ///
    /// ```swift
    /// for message in try await engine.push().messages { print(message.row, message) }
    /// ```
    public internal(set) var messages: [Message] = []

    /// The numbers of the changes that were due at the end and not sent, for a schedule.
    var waiting: Set<Int64> = []

    /// How many changes were read to find their order; one that was read twice counts twice.
    var planned = 0

    /// How long the push took; nil if nothing was pushed, as in the report of a pull.
    public internal(set) var duration: Duration?

    /// The changes of all entities together.
    public var total: Counts {
        entities.values.reduce(into: Counts()) { $0.add($1) }
    }

    /// Whether anything was sent to the service and accepted.
    public var hasPushed: Bool {
        entities.values.contains { $0.created + $0.adopted + $0.updated + $0.deleted > 0 }
    }

    /// Adds what the pull, or a second push, of the same run has done.
    mutating func add(_ other: PushReport) {
        for (entity, counts) in other.entities {
            entities[entity, default: Counts()].add(counts)
        }
        reopened += other.reopened
        notShown += other.notShown
        messages += other.messages
        let unrecorded = localChanges.unrecorded
        localChanges = other.localChanges
        localChanges.unrecorded = localChanges.unrecorded ?? unrecorded
        // A pull decides about lost responses, and sends nothing.
        guard let time = other.duration else { return }
        waiting = other.waiting
        planned += other.planned
        duration = (duration ?? .zero) + time
        failures = other.failures
    }

    /// Discards the rejection of a change that is sent once more.
    mutating func forgetRejection(of change: CapturedChange) {
        entities[change.row.entity]?.rejected -= 1
    }

    /// Counts a creation that a list has decided about.
    mutating func countRejected(_ change: LocalChange) {
        entities[change.row.entity, default: Counts()].rejected += 1
    }

    /// Counts a change of which the service has kept its own values.
    mutating func countNotTaken(_ row: RowReference) {
        entities[row.entity, default: Counts()].notTaken += 1
    }

    /// Discards the doubt about a change whose object was read.
    mutating func forgetDoubt(of change: CapturedChange) {
        entities[change.row.entity]?.uncertain -= 1
    }

    /// Counts a change.
    mutating func count(_ end: PushedEnd, of change: CapturedChange) {
        var counts = entities[change.row.entity] ?? Counts()
        switch end {
        case .acknowledged where change.kind == .create: counts.created += 1
        case .acknowledged where change.kind == .update: counts.updated += 1
        case .acknowledged: counts.deleted += 1
        case .adopted: counts.adopted += 1
        case .rejected, .duplicate: counts.rejected += 1
        case .uncertain, .contradicted, .intercepted: counts.uncertain += 1
        case .conflicted: counts.conflicted += 1
        case .postponed, .stopped, .unreachable: counts.postponed += 1
        case .overruled: counts.overruled += 1
        // It is sent again in the same run.
        case .stale, .reference: return
        }
        entities[change.row.entity] = counts
    }
}

/// What became of a change in an attempt to send it.
enum PushedEnd: Sendable {
    /// The service has it, and the change is removed.
    case acknowledged
    /// The object that the service had already is that of the new row.
    case adopted
    /// The service has another value, and a policy has decided for it: nothing is left to send.
    case overruled
    case rejected
    /// The service has accepted a creation, and answered with another row's object: the change is
    /// rejected, and sent again only by its user, because a new object may exist.
    case duplicate
    case uncertain
    /// The response has the status of a success and contradicts it: the object is read in this run.
    case contradicted
    /// It contradicts a change of the service, and awaits a decision.
    case conflicted
    /// The object has changed since it was read.
    case stale
    /// The service has rejected the form of a reference, which is sent in another one.
    case reference(ReferenceForms.Attempt)
    /// It is sent again later.
    case postponed
    /// Its list accepts no changes now.
    case stopped(RemoteError)
    /// What has responded is not the service: whether the service has the request is unknown, and
    /// its list accepts no changes now.
    case intercepted(RemoteError)
    /// The service accepts no changes now: it cannot be reached, or rejects the credentials.
    case unreachable(RemoteError)
}

extension PushedEnd {
    /// Whether nothing more is sent of the change as it is.
    var isFinal: Bool {
        switch self {
        case .acknowledged, .adopted, .overruled, .rejected, .duplicate, .conflicted: true
        case .uncertain, .contradicted, .stale, .reference, .postponed: false
        case .stopped, .intercepted, .unreachable: false
        }
    }
}
