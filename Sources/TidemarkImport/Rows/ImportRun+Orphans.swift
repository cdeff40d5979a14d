import TidemarkModel
import TidemarkStore

/// What is nested in an object whose row is not written.
extension ImportRun {
    /// Imports the children of a row that was refused: those with a key are stored, and their
    /// reference to it is held until it comes; so is that of an object that was stored before.
    func importOrphans(_ task: ObjectTask) throws -> Bool {
        while true {
            if let (element, relationship) = nextElement(task) {
                try descend(task, intoOrphan: element, relationship)
                return true
            }
            guard task.place < task.entity.relationships.count else { return false }
            let place = task.place
            task.place += 1
            let relationship = task.entity.relationships[place]
            let destination = try entity(relationship.layout.destination)
            guard !destination.plan.key.isEmpty else { continue }
            if !task.key.isEmpty,
                let number = embeddedRow(task.node, relationship, task.frame, place)
            {
                try holdParent(task.key, relationship, destination, of: number)
            }
            openElements(of: place, task)
        }
    }

    /// Begins the import of a child of a row that was refused.
    ///
    /// A child whose key is unique within its parent is stored too, as the parent's key is known.
    private func descend(
        _ task: ObjectTask,
        intoOrphan element: JSONNode,
        _ relationship: RelationshipPlan
    ) throws {
        let destination = try entity(relationship.layout.destination)
        var child = ObjectContext(operations: task.context.operations.nested)
        // Without the reference to its parent the row would have no key.
        if relationship.isParentInKey, options.unresolved == .ignore { child.operations = [] }
        try descend(task, .orphan(relationship), element, destination, child)
        holdContainer(of: tasks[depth - 1], relationship, task.key)
    }

    /// Marks the rows that the lists of an object name, and changes none.
    func nameChildren(_ task: ObjectTask) throws -> Bool {
        while true {
            if let (element, relationship) = nextElement(task) {
                let destination = try entity(relationship.layout.destination)
                var child = ObjectContext(operations: [])
                if relationship.isParentInKey, let written = task.written {
                    child.parent = relationship.inverse.map {
                        ObjectContext.ParentLink(relationship: $0, number: written.number)
                    }
                }
                try descend(task, .named, element, destination, child)
                if task.written == nil {
                    holdContainer(of: tasks[depth - 1], relationship, task.key)
                }
                return true
            }
            guard task.place < task.entity.relationships.count else { return false }
            let place = task.place
            task.place += 1
            let relationship = task.entity.relationships[place]
            guard !relationship.leadsToKeyless else { continue }
            openElements(of: place, task)
        }
    }

    private func openElements(of place: Int, _ task: ObjectTask) {
        guard case .list(let token, _) = task.frame.links[place].pending else { return }
        task.elements = ListElements(task.node.node(at: token))
    }

    /// The next object of the list that is being gone through.
    private func nextElement(_ task: ObjectTask) -> (JSONNode, RelationshipPlan)? {
        while let (element, _) = task.elements?.next() {
            guard element.kind == .object, element.pointerKey == nil else { continue }
            return (element, task.entity.relationships[task.place - 1])
        }
        task.elements = nil
        return nil
    }
}
