import TidemarkModel
import TidemarkStore

/// Objects that are not written: those that may be any row, and those whose row must not be
/// changed.
extension ImportRun {
    /// Records that the document has an object whose row is unknown.
    func noteNameless(_ entity: EntityImport) {
        isNameless = true
        if !entity.plan.key.isEmpty { namelessTables.insert(entity.plan.entity.table) }
    }

    /// Returns whether the row of an object may be written: inserted if it does not exist,
    /// otherwise updated.
    func mayWrite(
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Bool {
        let operations = context.operations.intersection([.insert, .update])
        // With both or neither of the operations the row need not be searched for.
        guard operations == .insert || operations == .update else { return !operations.isEmpty }
        let isThere =
            switch context.row {
            case .byKey: try entity.compare(byKey: frame, context) != nil
            case .number, .place, .candidate: true
            case .new: false
            }
        return operations == (isThere ? .update : .insert)
    }
}
