import TidemarkModel
import TidemarkStore

extension Outbox {
    /// Returns the rows whose changes other changes wait for, by the number of the waiting change.
    ///
    /// - Parameters:
    ///   - all: All changes, also those that were not collected.
    ///   - reader: Reads the store.
    /// - Returns: The rows; those of changes that cannot be sent now.
    /// - Throws: `DatabaseError`.
    func blocked(
        among all: [CapturedChange],
        reader: StoreReader
    ) throws -> [Int64: RowReference] {
        guard !all.isEmpty else { return [:] }
        let attempts = try StoredAttempts.read(reader.db)
        let now = environment.now()
        let sendable = Set(
            all.lazy.filter { $0.state == .pending && attempts.isDue($0.number, at: now) }
                .map(\.number)
        )
        // Then nothing is in the way, and what each change refers to need not be read.
        guard sendable.count < all.count else { return [:] }
        let plan = PushPlan(
            try all.map { change in
                try PlannedChange(
                    change,
                    isSendable: sendable.contains(change.number),
                    reader: reader
                )
            }
        )
        let rows = Dictionary(
            all.map { (PlannedChange.Row($0, in: store.layout), $0.row) },
            uniquingKeysWith: { first, _ in first }
        )
        return plan.blocked.compactMapValues { rows[$0] }
    }
}
