import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Rejection of rows that break a rule of the model or of the store.
///
/// All other rows are written.
extension ImportRun {
    /// Rejects a row because of one of its values.
    func refuse(
        _ message: String,
        _ slot: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        try report(invalid: message, slot, node, entity, frame)
        skip(entity)
    }

    /// Reports an object that is not stored and counts it as skipped, or throws if the policy is to
    /// abort.
    func refuse(
        _ message: String,
        _ path: String?,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame?
    ) throws {
        try report(invalid: message, path, node, entity, frame)
        skip(entity)
    }

    /// Runs `body`, which writes a row, and rejects the row if it violates a constraint of the
    /// database.
    ///
    /// If another row has a unique value of the row, the item is postponed instead: the other row
    /// may get another value or be deleted.
    ///
    /// - Parameters:
    ///   - node: The object.
    ///   - entity: The entity of the object.
    ///   - frame: The members of the object.
    ///   - row: The row number; nil for a row to be inserted.
    ///   - body: Writes the row.
    /// - Returns: Whether the row was written.
    /// - Throws: An error that ends the import.
    @discardableResult
    func refusing(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ row: Int64?,
        _ body: () throws -> Void
    ) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            if error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE, postponement.request() {
                try claim(entity, frame, row)
                return false
            }
            let rule = error.message ?? "a constraint"
            try refuse("The row breaks a rule of the store: \(rule).", nil, node, entity, frame)
            return false
        }
    }

    private func claim(_ entity: EntityImport, _ frame: ObjectFrame, _ row: Int64?) throws {
        guard let claims, let item = postponement.current else { return }
        let slots = entity.plan.slots
        try claims.add(item, entity.plan.entity.table, row) { column in
            guard let slot = slots.firstIndex(where: { $0.column == column }) else { return nil }
            if frame.isGiven[slot] { return frame.values[slot] }
            return row == nil ? entity.defaultValue(slot) : nil
        } place: { column in
            slots.first { $0.column == column }?.position
        }
    }

    func skip(_ entity: EntityImport) {
        log.skip(entity.plan.entity.name)
    }

    /// Returns the row of the object in a to-one relationship; nil if the relationship has a
    /// reference instead.
    func embeddedRow(
        _ node: JSONNode,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int
    ) -> Int64? {
        let objects = Int(frame.links[place].objects)
        guard objects >= 0, node.node(at: objects).kind == .object,
            case .one(let link) = frame.links[place].pending
        else { return nil }
        if case .link(let number) = link { return number }
        guard let slot = relationship.slot, frame.isGiven[slot],
            case .integer(let number) = frame.values[slot]
        else { return nil }
        return number
    }

    /// Stores the reference from a child to its parent as unresolved, if there is an inverse
    /// relationship.
    ///
    /// In a to-many relationship it is added to the child's other parents.
    func holdParent(
        _ key: [StoredValue],
        _ relationship: RelationshipPlan,
        _ destination: EntityImport,
        of child: Int64
    ) throws {
        guard let inverse = relationship.inverse.map({ destination.relationships[$0] }) else {
            return
        }
        if inverse.isToMany {
            return try writer.setUnresolved(
                inverse.layout,
                of: child,
                keys: [key],
                isAddition: true
            )
        }
        // A link that the child had before would be a second parent.
        for linked in try reader.linked(inverse.layout, of: child) {
            try writer.unlink(inverse.layout, of: child, from: linked)
        }
        try writer.setUnresolved(inverse.layout, of: child, keys: [key])
    }
}
