import TidemarkModel
import TidemarkStore

/// Which values the documents contain, recorded where a verification compares them.
///
/// Each caller tests ``coverage`` first: other imports pay for one branch per object.
extension ImportRun {
    /// Records what an object contains of its row; only the row where that was refused.
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

    /// Records what an object contains of a to-one relationship that is written after the row.
    func record(
        _ link: ObjectFrame.PendingLink,
        _ relationship: RelationshipPlan,
        of row: Int64,
        in coverage: StoreCoverage
    ) {
        // A reference in a slot is recorded with the row.
        guard relationship.slot == nil else { return }
        let others: [Int64] = if case .link(let other) = link { [other] } else { [] }
        coverage.add(relationship.layout, of: row, to: others)
    }
}
