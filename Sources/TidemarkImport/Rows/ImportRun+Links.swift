import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Does what remains of an object's relationships when its row is written.
    func writeLinks(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ written: Written,
        _ context: ObjectContext
    ) throws {
        for place in entity.relationships.indices {
            let relationship = entity.relationships[place]
            switch frame.links[place].pending {
            case .none:
                continue
            case .list(let token, let isReferences):
                let list = ListContext(
                    relationship: relationship,
                    parent: written,
                    operations: context.operations.nested,
                    isReferences: isReferences,
                    isAddition: context.parent?.relationship == place
                        || frame.links[place].isRepeated
                )
                if try importList(node.node(at: token), list) {
                    entity.relinked.insert(written.number)
                }
                if !list.isAddition { entity.given[place].insert(written.number) }
            case .one(let link):
                try writeLink(link, relationship, node, frame, written, context)
                // Nothing is asked of a row whose links nobody waits to change.
                if relationship.inverse != nil, try writer.hasAnyHeld() {
                    entity.given[place].insert(written.number)
                }
            }
        }
    }

    /// Gives a row the one link that it can have.
    private func writeLink(
        _ link: ObjectFrame.PendingLink,
        _ relationship: RelationshipPlan,
        _ node: JSONNode,
        _ frame: ObjectFrame,
        _ written: Written,
        _ context: ObjectContext
    ) throws {
        switch link {
        case .fill(let token):
            try release(relationship, written)
            try fill(node.node(at: token), relationship, of: written.number, context)
        case .release:
            try release(relationship, written)
        case .unlink:
            try release(relationship, written)
            for linked in try reader.linked(relationship.layout, of: written.number) {
                try writer.unlink(relationship.layout, of: written.number, from: linked)
            }
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

    private func release(_ relationship: RelationshipPlan, _ written: Written) throws {
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
