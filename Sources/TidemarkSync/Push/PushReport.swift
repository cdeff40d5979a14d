import TidemarkModel
package import TidemarkRemote
import TidemarkStore

/// What a push has done with local changes.
package struct PushReport: Sendable {
    /// The changes of one entity.
    package struct Counts: Sendable, Hashable {
        /// The numbers of objects that were created, updated and deleted at the service.
        package var created = 0
        package var updated = 0
        package var deleted = 0

        /// The number of changes that the service has rejected.
        package var rejected = 0

        /// The number of changes of which it is unknown whether they were applied.
        package var uncertain = 0

        /// The number of changes that contradict one of the service, and await a decision.
        package var conflicted = 0

        /// The number of changes that will be sent again later.
        package var postponed = 0
    }

    /// The changes by entity.
    package internal(set) var entities: [String: Counts] = [:]

    /// The number of creations that are sent again, because their lists do not contain the objects.
    package internal(set) var reopened = 0

    /// Why lists accepted no changes, by the path of the resource.
    package internal(set) var failures: [String: RemoteError] = [:]

    /// Whether anything was sent to the service and accepted.
    package var hasPushed: Bool {
        entities.values.contains { $0.created + $0.updated + $0.deleted > 0 }
    }

    /// Adds what a second push of the same run has done.
    mutating func add(_ other: PushReport) {
        for (entity, counts) in other.entities {
            var sum = entities[entity] ?? Counts()
            sum.created += counts.created
            sum.updated += counts.updated
            sum.deleted += counts.deleted
            sum.rejected += counts.rejected
            sum.conflicted += counts.conflicted
            sum.uncertain += counts.uncertain
            sum.postponed += counts.postponed
            entities[entity] = sum
        }
        failures = other.failures
    }

    /// Counts a change.
    mutating func count(_ end: PushedEnd, of change: CapturedChange) {
        var counts = entities[change.row.entity] ?? Counts()
        switch end {
        case .acknowledged where change.kind == .create: counts.created += 1
        case .acknowledged where change.kind == .update: counts.updated += 1
        case .acknowledged: counts.deleted += 1
        case .rejected: counts.rejected += 1
        case .uncertain: counts.uncertain += 1
        case .conflicted: counts.conflicted += 1
        case .postponed, .stopped, .unreachable: counts.postponed += 1
        // It is sent again in the same run.
        case .stale: return
        }
        entities[change.row.entity] = counts
    }
}

/// What became of a change in an attempt to send it.
enum PushedEnd: Sendable {
    /// The service has it, and the change is removed.
    case acknowledged
    case rejected
    case uncertain
    /// It contradicts a change of the service, and awaits a decision.
    case conflicted
    /// The object has changed since it was read.
    case stale
    /// It is sent again later.
    case postponed
    /// Its list accepts no changes now.
    case stopped(RemoteError)
    /// The service accepts no changes now: it cannot be reached, or rejects the credentials.
    case unreachable(RemoteError)
}
