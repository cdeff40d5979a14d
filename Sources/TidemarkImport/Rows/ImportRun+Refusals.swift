import GRDB
import TidemarkModel
import TidemarkStore

/// Rows that break a rule of the model or of the store: only they stay out.
extension ImportRun {
    /// Refuses a row because of one of its values.
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

    /// Reports an object that is not stored and counts it as skipped, or ends the import where the
    /// options say so.
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

    /// Refuses the row, and only it, when it breaks a rule of the database; false then.
    ///
    /// When another row has a value that must be unique, it is not refused yet: that row may get
    /// another value, or go.
    ///
    /// - Parameters:
    ///   - node: the object.
    ///   - entity: its entity.
    ///   - frame: what it says.
    ///   - row: its row; nil when it is to be inserted.
    ///   - body: writes the row.
    /// - Returns: whether it was written.
    /// - Throws: what ends the import.
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

    /// The row of the object that stands in a to-one relationship; nil where a reference does.
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

    /// Holds a child's reference to its parent, where it has one; in a list of its parents it waits
    /// beside the others.
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
            return try writer.hold(inverse.layout, of: child, keys: [key], isAddition: true)
        }
        for linked in try reader.linked(inverse.layout, of: child) {
            try writer.unlink(inverse.layout, of: child, from: linked)
        }
        try writer.hold(inverse.layout, of: child, keys: [key])
    }
}
