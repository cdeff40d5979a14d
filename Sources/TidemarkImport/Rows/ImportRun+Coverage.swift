import TidemarkModel
import TidemarkStore

/// Recording of the values that documents contain, for a verification.
///
/// Callers test ``coverage`` first, so that other imports pay for one branch per object.
extension ImportRun {
    /// Records the values that an object contains; only the row if it was rejected.
    func record(
        _ written: Written,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        in coverage: StoreCoverage
    ) {
        let table = entity.plan.entity.table
        coverage.add(written.number, in: table)
        guard !written.isRefused else { return }
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            coverage.add(entity.plan.slots[slot].column, of: written.number, in: table)
        }
    }

    /// Records the value that an object contains for a to-one relationship that is written after
    /// the row.
    func record(
        _ link: ObjectFrame.PendingLink,
        _ relationship: RelationshipPlan,
        of row: Int64,
        in coverage: StoreCoverage
    ) {
        // A reference in a slot was recorded with the row.
        guard relationship.slot == nil else { return }
        let others: [Int64] = if case .link(let other) = link { [other] } else { [] }
        coverage.add(relationship.layout, of: row, to: others)
    }
}
