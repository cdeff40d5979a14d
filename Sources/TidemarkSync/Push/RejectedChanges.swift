import TidemarkStore

/// The changes that the service has rejected in one run, of which some are sent once more.
///
/// If one project gives up a name and another one takes it, the order in which they are sent
/// decides whether the second is rejected. It is sent again after the first.
struct RejectedChanges: Sendable {
    /// A change that was sent.
    typealias Outcome = (change: CapturedChange, end: PushedEnd, event: SyncEvent?)

    /// Those after which no other change of their entity was accepted.
    private var waiting: [Outcome] = []

    /// Those after which another change of their entity was accepted.
    private var due: [Outcome] = []

    /// The numbers of those that were sent once more.
    private var retried: Set<Int64> = []

    /// Records the outcomes of changes that were sent concurrently, in any order.
    ///
    /// - Returns: The events, without those of rejections that may not be the last word.
    mutating func add(_ outcomes: [Outcome]) -> [SyncEvent] {
        var events: [SyncEvent] = []
        for outcome in outcomes {
            if case .rejected = outcome.end, !retried.contains(outcome.change.number) {
                waiting.append(outcome)
            } else if let event = outcome.event {
                events.append(event)
            }
        }
        for case (let change, .acknowledged, _) in outcomes {
            due += waiting.filter { $0.change.row.entity == change.row.entity }
            waiting.removeAll { $0.change.row.entity == change.row.entity }
        }
        return events
    }

    /// Takes the changes that are sent once more, each of them only once.
    ///
    /// - Parameters:
    ///   - limit: How many are taken at most.
    ///   - isSendable: Returns whether a change may be sent now.
    /// - Returns: The changes.
    mutating func takeRetries(
        atMost limit: Int,
        _ isSendable: (CapturedChange) -> Bool
    ) -> [CapturedChange] {
        let changes = Array(due.map(\.change).filter(isSendable).prefix(limit))
        retried.formUnion(changes.map(\.number))
        waiting += due.filter { !retried.contains($0.change.number) }
        due = []
        return changes
    }

    /// The events of the rejections that are left at the end of the run.
    var events: [SyncEvent] { (waiting + due).compactMap(\.event) }
}
