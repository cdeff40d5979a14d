import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The entity that an object names.
extension ImportRun {
    /// Returns the entity that an object names: this entity or one that inherits from it.
    ///
    /// Nil if the object names none.
    func entity(namedBy node: JSONNode, in entity: EntityImport) throws -> EntityImport? {
        try entity.discriminator?.index(in: node).map(self.entity)
    }

    func reportUnknownEntity(
        of node: JSONNode,
        by discriminator: Discriminator,
        in entity: EntityImport
    ) {
        guard node.kind == .object, let value = node.node(at: JSONPath(discriminator.path)),
            value.kind != .null
        else { return }
        let message =
            "The value is not the name of \(entity.name) or of one of its sub-entities."
        log.record(message, entity: entity.name, path: discriminator.path) {
            (entity.keyText(of: node), excerpt(value))
        }
    }
}

/// Rows that are moved to another entity.
extension ObjectImport {
    /// Adds the default values that a row needs when it is moved to this entity, for attributes
    /// that its old entity lacks.
    ///
    /// - Parameters:
    ///   - found: The row.
    ///   - old: Its old entity.
    /// - Returns: The first slot that requires a value and gets none.
    func completeRetyped(
        _ found: inout EntityRows.Comparison,
        from old: EntityLayout
    ) -> Int? {
        let added = Set(entity.plan.entity.columnsMissing(in: old))
        for slot in 0..<entity.plan.attributeCount
        where added.contains(entity.plan.slots[slot].column) && !frame.isGiven[slot] {
            let value = entity.rows.rules.defaults[slot]
            if !value.isNull {
                frame.set(value, slot: slot)
                found.differing.insert(slot)
            } else if entity.plan.slots[slot].isRequired {
                return slot
            }
        }
        return nil
    }

    /// Moves a row to this entity, and records that for the report.
    ///
    /// Children that only its old entity can have are deleted if the deletion of the row would
    /// delete them, or if they have no key without it. Other children are unlinked: no list has
    /// shown that the service deleted them.
    func retype(_ row: Int64, from old: EntityLayout) throws {
        let lost = try run.writer.retype(row, from: old, to: entity.plan.entity)
        for (relationship, rows) in lost
        where run.options.permitted.contains(.deleteRelationships)
            && relationship.relationship.orphans != .unlink
        {
            guard case .inverse = relationship.storage,
                relationship.relationship.deleteRule == .cascade
                    || run.layout.entities[relationship.destination].key.isEmpty
                    || run.layout.isParentInKey(relationship)
            else { continue }
            run.recordRemoved(rows, from: relationship)
        }
        // The entity at the start of the transaction counts, however often the row is moved.
        let isKnown = entity.progress.retyped.values.contains { $0.contains(row) }
        guard !isKnown, let index = run.layout.index(of: old.name) else { return }
        let rows = entity.progress.retyped[index] ?? RowSet()
        rows.insert(row)
        entity.progress.retyped[index] = rows
    }
}
