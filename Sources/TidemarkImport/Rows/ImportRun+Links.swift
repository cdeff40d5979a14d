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
            noteAbandoned(linked, relationship)
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
            for linked in try reader.linked(relationship.layout, of: written.number) {
                try writer.unlink(relationship.layout, of: written.number, from: linked)
            }
        }
        try writer.hold(relationship.layout, of: written.number, keys: [key])
    }
}
