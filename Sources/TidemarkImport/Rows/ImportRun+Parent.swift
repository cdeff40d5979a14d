import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Lists of the children of one row.
extension ImportRun {
    /// Returns the link from the items of a session's list to their parent row; nil for a list of
    /// all rows of an entity.
    func parentLink(_ walk: ImportSession, _ entity: EntityImport) -> ObjectContext.ParentLink? {
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

    /// Checks that the parent row of a list is stored.
    ///
    /// Another process may have deleted it after the list was requested.
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

    /// Returns the stored children of a row.
    func children(of parent: ListParent, _ entity: EntityImport) throws -> [Int64] {
        guard let place = relationship(to: parent, of: entity) else { return [] }
        return try writer.owners(
            of: entity.relationships[place].layout,
            pointingAt: parent.row
        )
    }

    /// Returns the stored children of a row that its list does not contain, sorted by row number.
    func unnamedChildren(of parent: ListParent, _ entity: EntityImport) throws -> [Int64] {
        try children(of: parent, entity)
            .filter { row in
                try !entity.seen.contains(row) && reader.hasKey(row, of: entity.plan.entity)
            }
            .sorted()
    }

    // MARK: Objects that name their parent

    /// Compares the parent that an object names with the row that contains it.
    ///
    /// Both rows are already linked, whatever parent the object names. An object that is embedded
    /// as its parent is stored nevertheless.
    ///
    /// - Returns: Whether the import of a nested object was started.
    func findContainer(
        _ container: Int64,
        _ place: Int,
        _ task: ObjectTask
    ) throws -> Bool {
        guard !namesContainer(container, place, task) else { return false }
        let relationship = task.entity.relationships[place]
        let outcome = try toOne(task.node, relationship, task.entity, task.frame, place)
        switch outcome {
        case .untouched, .null:
            return false
        case .row, .missing:
            noteContainer(outcome, place, task)
            return false
        case .fill(let token):
            let object = task.node.node(at: token)
            try descend(task, .container(place), object, relationship, .number(container))
            return true
        case .embedded(let object):
            try descend(task, .container(place), object, relationship, .byKey)
            return true
        }
    }

    /// Returns whether an object refers to the row that contains it, by the key that the row's own
    /// object has.
    ///
    /// A query for each child of a list would cost as much as finding the child.
    ///
    /// - Returns: False also if the answer requires a query.
    private func namesContainer(_ container: Int64, _ place: Int, _ task: ObjectTask) -> Bool {
        let relationship = task.entity.relationships[place]
        guard depth > 1, relationship.keyPartCount == 1 else { return false }
        let outer = tasks[depth - 2]
        guard outer.written?.number == container, outer.entity.plan.key.count == 1,
            let slot = outer.entity.plan.key.first, slot < outer.entity.plan.attributeCount,
            outer.frame.isGiven[slot]
        else { return false }
        let source = task.frame.links[place]
        let token =
            source.objects >= 0 ? source.objects : task.frame.references[relationship.firstPart]
        let value = task.node.node(at: Int(token))
        guard value.kind == .number || value.kind == .string,
            !relationship.nullValues.contains(value, in: arena),
            case .value(let key) = outer.entity.coerceKey(slot, value, into: arena)
        else { return false }
        return key.isSame(as: outer.frame.values[slot])
    }

    /// Logs an object that names another parent than the row whose list contains it.
    ///
    /// The list is decisive, because deletions, and the scope within which a key is unique, depend
    /// on the list in which an object was found.
    func noteContainer(_ named: ToOne, _ place: Int, _ task: ObjectTask) {
        if case .row(let number) = named, number == task.context.parent?.number { return }
        note(
            "The object names another parent than the one whose list it is in: it is linked to the "
                + "list's.",
            task.entity.relationships[place].path,
            task.entity,
            task.frame,
            task.node
        )
    }
}
