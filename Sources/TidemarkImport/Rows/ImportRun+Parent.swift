import GRDB
import TidemarkModel
import TidemarkStore

/// Lists that have the children of one row.
extension ImportRun {
    /// The link from the items of a walk's list to the row whose children they are; nil for a list
    /// of an entity.
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

    // MARK: Objects that name their parent

    /// Compares what an object says of the row that contains it with that row; true when an object
    /// is nested in it.
    ///
    /// The two are linked already, whatever row the object names. An object that is embedded there
    /// is stored nevertheless.
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

    /// Whether an object refers to the row that contains it, by the key that this row's own object
    /// has: a query for each child of a list would cost as much as finding the child.
    ///
    /// - Returns: false also where that takes a query.
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

    /// Notes an object that names another parent than the row whose list it is in.
    ///
    /// The list wins: what is deleted, and within what a key is unique, depends on where an object
    /// was found.
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
