import TidemarkModel
import TidemarkStore

/// Objects that are told and not written: those that may be any row, and those whose row may not
/// be touched.
extension ImportRun {
    /// Notes that the document has an object of which it is not known which row it is.
    func noteNameless(_ entity: EntityImport) {
        isNameless = true
        if !entity.plan.key.isEmpty { namelessTables.insert(entity.plan.entity.table) }
    }

    /// Whether the row of an object may be written: inserted where there is none, else updated.
    func mayWrite(
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Bool {
        let operations = context.operations.intersection([.insert, .update])
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
