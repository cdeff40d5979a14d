import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Writes the link of a to-one relationship.
    func writeLink(
        _ link: ObjectFrame.PendingLink,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ written: Written
    ) throws {
        switch link {
        case .fill:
            // Handled by `writeLinks(_:)`, because the object has to be imported first.
            return
        case .release:
            try release(relationship, written)
        case .unlink:
            try release(relationship, written)
            try unlink(relationship, written)
        case .link(let other):
            try release(relationship, written)
            try writer.link(relationship.layout, of: written.number, to: other)
        case .hold:
            let key = UnsafeBufferPointer(
                start: frame.missingKeys + relationship.firstPart,
                count: relationship.keyPartCount
            )
            try hold(Array(key), relationship, written)
        }
    }

    private func unlink(_ relationship: RelationshipPlan, _ written: Written) throws {
        for row in try reader.linked(relationship.layout, of: written.number) {
            try writer.unlink(relationship.layout, of: written.number, from: row)
        }
    }

    /// Records the links that differing references are about to replace, so that rows without a key
    /// that lose their last link are deleted.
    func noteReplaced(_ found: EntityImport.Comparison, _ entity: EntityImport) throws {
        for relationship in entity.relationships {
            guard let slot = relationship.slot, found.differing.contains(slot) else { continue }
            try writer.recordReplacedLink(relationship.layout, of: found.number)
        }
    }

    /// The index of the table of a relationship's destination.
    func table(of relationship: RelationshipPlan) -> Int {
        layout.entities[relationship.layout.destination].table
    }

    // MARK: Unresolved references

    func release(_ relationship: RelationshipPlan, _ written: Written) throws {
        if !written.isNew {
            try writer.discardUnresolved(relationship.layout, of: written.number)
        }
    }

    private func hold(
        _ key: [StoredValue],
        _ relationship: RelationshipPlan,
        _ written: Written
    ) throws {
        // A reference in a slot was set to null with the row.
        if relationship.slot == nil, options.unresolved == .hold, !written.isNew {
            try unlink(relationship, written)
        }
        try writer.setUnresolved(relationship.layout, of: written.number, keys: [key])
    }
}
