import GRDB
import TidemarkModel
import TidemarkStore

/// Rows whose key is unique within a parent that is not stored yet.
///
/// The index on the key does not contain them: the reference to the parent is null.
extension EntityRows {
    /// Finds the row with the key of a frame whose parent was not stored when the row was inserted,
    /// and compares it with the frame.
    ///
    /// The row is found by its unresolved reference to the parent.
    func compareUnresolved(_ frame: ObjectFrame, isTyped: Bool) throws -> Comparison? {
        guard try awaitsParents else { return nil }
        var values: [StoredValue] = []
        func mark(_ value: StoredValue) -> String {
            values.append(value)
            return "?\(values.count)"
        }
        var conditions = plan.key.filter { $0 < plan.attributeCount }
            .map { "\(statements.name(ofSlot: $0)) = \(mark(frame.values[$0]))" }
        let layout = writer.layout
        for relationship in plan.keyRelationships.map({ plan.relationships[$0] }) {
            guard let slot = relationship.slot else { continue }
            let key: String
            var isStored = ""
            if case .integer = frame.values[slot] {
                let parent = layout.entities[relationship.layout.destination]
                let table = layout.tables[parent.table].name.quotedDatabaseIdentifier
                let parts = layout.keyExpressions(of: parent, in: table)
                let number = mark(frame.values[slot])
                key = "(SELECT \(layout.keyExpression(parts)) FROM \(table) WHERE _id = \(number))"
                // A single parent has no row with this key: the index on the key was searched
                // before.
                if plan.keyRelationships.count > 1 {
                    isStored = "\(statements.name(ofSlot: slot)) = \(number) OR "
                }
            } else {
                key = layout.keyExpression(relationship.parts.map { mark(frame.missingKeys[$0]) })
            }
            conditions.append(
                "(\(isStored)\(statements.name(ofSlot: slot)) IS NULL AND EXISTS (SELECT 1 FROM "
                    + "_tidemark_held AS h "
                    + "WHERE h.relationship = '\(relationship.layout.identifier)' "
                    + "AND h.owner = \(statements.tableName)._id AND h.key = \(key)))"
            )
        }
        let find = try writer.statement(
            "SELECT \(statements.columns) FROM \(statements.tableName) WHERE \(conditions.joined(separator: " AND "))"
        )
        for (index, value) in values.enumerated() { find.bind(value, at: index + 1) }
        return try compare(find, with: frame, isTyped: isTyped)
    }

    /// Returns whether the index on the key finds a row with the key of a frame.
    ///
    /// It does not contain rows whose parent is not stored yet.
    func isKeyIndexed(_ frame: ObjectFrame) throws -> Bool {
        try plan.keyRelationships.isEmpty
            || !awaitsParents
                && plan.keyRelationships.allSatisfy { index in
                    plan.relationships[index].slot.map { !frame.values[$0].isNull } ?? false
                }
    }

    /// Whether there are unresolved references to parents within which the key is unique.
    private var awaitsParents: Bool {
        get throws {
            for index in plan.keyRelationships
            where try writer.hasUnresolved(plan.relationships[index].layout) { return true }
            return false
        }
    }
}
