import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The entity of an object, and rows that are moved to another entity.
extension ImportRun {
    /// Returns the entity that an object names: this entity or one that inherits from it.
    ///
    /// Nil if the object names none.
    func namedEntity(_ node: JSONNode, _ entity: EntityImport) throws -> EntityImport? {
        guard let place = entity.entityReading?.place(in: node) else { return nil }
        return try self.entity(place)
    }

    func noteUnknownEntity(
        _ node: JSONNode,
        _ discriminator: Discriminator,
        _ entity: EntityImport
    ) {
        guard node.kind == .object, let value = node.node(at: discriminator.path),
            value.kind != .null
        else { return }
        note(
            "The value is not the name of \(entity.plan.entity.name) or of one of its sub-entities.",
            discriminator.path,
            entity,
            nil,
            node,
            value
        )
    }

    /// Adds the default values that a row needs when it is moved to this entity, for attributes
    /// that its old entity lacks.
    ///
    /// - Returns: The first slot that requires a value and gets none.
    func completeRetyped(
        _ found: inout EntityImport.Comparison,
        from old: EntityLayout,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) -> Int? {
        let added = Set(entity.plan.entity.columnsMissing(in: old))
        for slot in 0..<entity.plan.attributeCount
        where added.contains(entity.plan.slots[slot].column) && !frame.isGiven[slot] {
            let value = entity.defaultValue(slot)
            if !value.isNull {
                frame.set(slot, value)
                found.differing.insert(slot)
            } else if entity.plan.slots[slot].isRequired {
                return slot
            }
        }
        return nil
    }

    /// Moves a row to another entity, and records that for the report.
    ///
    /// Children that only its old entity can have are treated as if a list had removed them.
    func retype(
        _ found: EntityImport.Comparison,
        from old: EntityLayout,
        _ entity: EntityImport
    ) throws {
        let lost = try writer.retype(found.number, from: old, to: entity.plan.entity)
        for (relationship, rows) in lost
        where options.operations.contains(.deleteRelationships)
            && relationship.relationship.orphans != .unlink
        {
            guard case .inverse = relationship.storage else { continue }
            for row in rows { leftOut(of: relationship.identifier).insert(row) }
        }
        noteRetyped(found.number, from: old)
    }

    /// Records the entity of a row at the start of the transaction.
    private func noteRetyped(_ row: Int64, from old: EntityLayout) {
        let isKnown = retyped.contains { index, rows in
            layout.entities[index].table == old.table && rows.contains(row)
        }
        guard !isKnown, let index = layout.index(of: old.name) else { return }
        marks(\.retyped, in: index).insert(row)
    }
}
