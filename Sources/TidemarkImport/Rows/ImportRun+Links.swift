import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Gives a row the one link that it can have.
    func writeLink(
        _ link: ObjectFrame.PendingLink,
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ written: Written
    ) throws {
        switch link {
        case .fill:
            // The object is imported first.
            return
        case .release:
            try release(relationship, written)
        case .unlink:
            try release(relationship, written)
            let linked = try reader.linked(relationship.layout, of: written.number)
            for row in linked {
                try writer.unlink(relationship.layout, of: written.number, from: row)
            }
            try noteAbandoned(linked, relationship)
        case .link(let other):
            try release(relationship, written)
            try noteReplaced(relationship, of: written, except: other)
            try writer.link(relationship.layout, of: written.number, to: other)
        case .hold:
            let key = UnsafeBufferPointer(
                start: frame.missingKeys + relationship.firstPart,
                count: relationship.keyPartCount
            )
            try hold(Array(key), relationship, written)
        }
    }

    // MARK: Rows without a key

    /// Tracks the rows that lose their link when the differing references of a row are written.
    func noteReplaced(_ found: EntityImport.Comparison, _ entity: EntityImport) throws {
        guard try writer.hasKeylessRows() else { return }
        for relationship in entity.relationships where !relationship.leadsToKeyless {
            guard let slot = relationship.slot, found.differing.contains(slot) else { continue }
            try noteAbandoned(reader.linked(relationship.layout, of: found.number), relationship)
        }
    }

    /// Tracks the row that loses its link when another is linked in its place.
    private func noteReplaced(
        _ relationship: RelationshipPlan,
        of written: Written,
        except other: Int64
    ) throws {
        guard !written.isNew, !relationship.leadsToKeyless, try writer.hasKeylessRows() else {
            return
        }
        let linked = try reader.linked(relationship.layout, of: written.number)
        try noteAbandoned(linked.filter { $0 != other }, relationship)
    }

    /// Tracks rows without a key that lose their link: nothing else could lead to them.
    ///
    /// They are deleted in the end unless another row contains them. Of entities with a key they
    /// keep their place in lists, and only those are deleted that an import made.
    func noteAbandoned(_ rows: [Int64], _ relationship: RelationshipPlan) throws {
        guard !rows.isEmpty, !relationship.keepsOrphans else { return }
        let identifier = relationship.layout.identifier
        guard !relationship.leadsToKeyless else {
            for row in rows { leftOut(of: identifier).insert(row) }
            return
        }
        guard !relationship.isToMany else { return }
        let destination = try entity(relationship.layout.destination)
        for row in rows
        where try writer.isKeyless(row, in: table(of: relationship)) && isDraft(row, destination) {
            leftOut(of: identifier).insert(row)
        }
    }

    /// The table of the rows that a relationship leads to, by its place in the layout.
    func table(of relationship: RelationshipPlan) -> Int {
        layout.entities[relationship.layout.destination].table
    }

    // MARK: Unresolved references

    func release(_ relationship: RelationshipPlan, _ written: Written) throws {
        if !written.isNew {
            try writer.release(relationship.layout, of: written.number)
        }
    }

    private func hold(
        _ key: [StoredValue],
        _ relationship: RelationshipPlan,
        _ written: Written
    ) throws {
        if relationship.slot == nil, options.unresolved == .hold, !written.isNew {
            let linked = try reader.linked(relationship.layout, of: written.number)
            for row in linked {
                try writer.unlink(relationship.layout, of: written.number, from: row)
            }
            try noteAbandoned(linked, relationship)
        }
        try writer.hold(relationship.layout, of: written.number, keys: [key])
    }
}
