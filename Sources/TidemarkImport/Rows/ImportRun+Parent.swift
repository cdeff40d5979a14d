import GRDB
import TidemarkModel
import TidemarkStore

/// Lists that have the children of one row.
extension ImportRun {
    /// The link from the items of a walk's list to the row whose children they are; nil for a list
    /// of an entity.
    func parentLink(_ walk: Walk, _ entity: EntityImport) -> ObjectContext.ParentLink? {
        guard case .children(let parent) = walk.scope,
            let place = relationship(to: parent, of: entity)
        else { return nil }
        return ObjectContext.ParentLink(relationship: place, number: parent.row)
    }

    private func relationship(to parent: ListParent, of entity: EntityImport) -> Int? {
        entity.relationships.firstIndex {
            $0.layout.relationship.name == parent.relationship && !$0.isToMany
        }
    }

    /// Checks that the row is stored whose children a list has: another process may have deleted
    /// it while the list was on its way.
    ///
    /// - Throws: ``ImportError/Code/parentDeleted``.
    func expect(_ parent: ListParent, of entity: EntityImport) throws {
        guard let place = relationship(to: parent, of: entity) else { return }
        let destination = layout.entities[entity.relationships[place].layout.destination]
        let name = layout.tables[destination.table].name.quotedDatabaseIdentifier
        let find = try writer.statement("SELECT 1 FROM \(name) WHERE _id = ?")
        find.bind(parent.row, at: 1)
        defer { find.reset() }
        guard try find.step() else {
            throw ImportError(
                .parentDeleted,
                "The \(destination.name) whose list was read is not stored any more."
            )
        }
    }

    /// The stored rows whose parent is a row.
    func children(of parent: ListParent, _ entity: EntityImport) throws -> [Int64] {
        guard let place = relationship(to: parent, of: entity) else { return [] }
        return try writer.owners(
            of: entity.relationships[place].layout,
            pointingAt: parent.row
        )
    }

    /// The stored children of a row that its list did not name, in the order of their numbers.
    func unnamedChildren(of parent: ListParent, _ entity: EntityImport) throws -> [Int64] {
        try children(of: parent, entity)
            .filter { row in
                try !entity.seen.contains(row) && reader.hasKey(row, of: entity.plan.entity)
            }
            .sorted()
    }

    /// Reports an item that names another parent than the row whose list it is in.
    ///
    /// The list wins: what is deleted, and within what a key is unique, depends on where an object
    /// was found.
    func noteOtherParent(_ parent: ObjectContext.ParentLink, _ task: ObjectTask) throws {
        let (entity, frame) = (task.entity, task.frame)
        guard let number = parent.number, !frame.links[parent.relationship].isAbsent else { return }
        let relationship = entity.relationships[parent.relationship]
        let named = try toOne(task.node, relationship, entity, frame, parent.relationship)
        switch named {
        case .row(number), .untouched, .null, .fill: return
        case .embedded(let object):
            let destination = try self.entity(relationship.layout.destination)
            let row = try self.row(of: object, destination)
            guard row != .unclear, row != .row(number) else { return }
        case .row, .missing: break
        }
        note(
            "The object names another parent than the one whose list it is in: it is linked to the "
                + "list's.",
            relationship.path,
            entity,
            frame,
            task.node
        )
    }

    /// The row that has the key of an object, whose other members are not read.
    private func row(of object: JSONNode, _ entity: EntityImport) throws -> EmbeddedRow {
        for (place, part) in entity.plan.keyParts.enumerated() {
            guard let slot = part.slot, let value = entity.reading.value(of: slot, in: object),
                case .value(let stored) = entity.coerceKeyPart(place, value, into: arena)
            else { return .unclear }
            keyParts[place] = stored
        }
        return try entity.number(ofKey: keyParts).map(EmbeddedRow.row) ?? .missing
    }

    private enum EmbeddedRow: Equatable {
        case row(Int64)
        case missing
        case unclear
    }
}
