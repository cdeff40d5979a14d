import GRDB
import TidemarkModel
import TidemarkStore

/// What the policies of an app decide about the properties that both sides have changed.
extension ObjectImport {
    /// Returns what the policy for a property decides.
    func decision(
        about conflict: PropertyConflict,
        of row: Int64,
        by resolver: ConflictResolver
    ) throws -> ConflictDecision {
        let name = name(ofSlot: conflict.slot)
        let policy = resolver.policies.policy(for: name, of: entity.name)
        switch policy.rule {
        case .remote: return ConflictDecision(.remote, by: policy)
        case .local: return ConflictDecision(.local, by: policy)
        case .manual: return ConflictDecision(.open, by: policy)
        case .latest(let attribute):
            let isLocal = try isLocalLater(by: attribute, of: row)
            return ConflictDecision(isLocal ? .local : .remote, by: policy)
        case .custom(let body):
            guard let layout = entity.plan.entity.attribute(name) else {
                return ConflictDecision(.remote, by: policy)
            }
            let type = layout.attribute.type
            let versions = ValueConflict(
                row: RowReference(entity.name, row),
                attribute: name,
                base: Value(conflict.base, type: type),
                local: Value(conflict.local, type: type),
                remote: Value(conflict.remote ?? .null, type: type)
            )
            do {
                let value = try run.writer
                    .checked(body(versions), for: layout, of: entity.plan.entity)
                return ConflictDecision(.computed(value.databaseValue), by: policy)
            } catch let error as DatabaseError {
                throw error
            } catch {
                // It would fail in each run, and keep everything else from being synced.
                record(
                    "The conflict awaits a decision: its policy has failed. \(error)",
                    path: name
                )
                return ConflictDecision(.open, by: policy)
            }
        }
    }

    /// Returns whether the row has a later value of an attribute than the object.
    func isLocalLater(by attribute: String, of row: Int64) throws -> Bool {
        guard let layout = entity.plan.entity.attribute(attribute),
            let slot = entity.plan.slots.firstIndex(where: { $0.column == layout.column })
        else { return false }
        let column = column(ofSlot: slot)
        let remote = frame.isGiven[slot] ? frame.values[slot].databaseValue : .null
        guard !remote.isNull else { return false }
        // SQLite compares values of equal types as the model orders them.
        return try Bool.fetchOne(
            run.writer.db,
            sql: """
                SELECT \(column.quotedDatabaseIdentifier) > ? \
                FROM \(entity.rows.statements.tableName) WHERE _id = ?
                """,
            arguments: [remote, row]
        ) ?? false
    }
}
