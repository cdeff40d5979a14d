/// The rejections of one list, without a success between them.
///
/// A wrong path or wrong permissions must not reject the whole outbox: after some rejections in
/// succession, the list is given up for this run.
struct RejectionCount: Sendable {
    private let limit: Int
    private var inSuccession = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// Whether no more changes are sent to the list in this run.
    var isExceeded: Bool { inSuccession >= limit }

    /// How many changes may be sent to the list before the outcome of one is known.
    var allowance: Int { limit - inSuccession }

    mutating func record(isRejected: Bool) { inSuccession = isRejected ? inSuccession + 1 : 0 }
}
