import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of objects that are nested in an object whose row is not written.
extension ImportRun {
    /// Imports the children of a rejected row.
    ///
    /// Children that have a key are stored, with an unresolved reference to the row. The object of
    /// a to-one relationship was stored before the row; it gets such a reference, too.
    ///
    /// - Returns: Whether the import of a nested object was started.
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
            // Objects without a key are part of the rejected row, and are not stored without it.
            guard !destination.plan.key.isEmpty else { continue }
            if !task.key.isEmpty,
                let number = embeddedRow(task.node, relationship, task.frame, place)
            {
                try holdParent(task.key, relationship, destination, of: number)
            }
            openElements(of: place, task)
        }
    }

    /// Starts the import of a child of a rejected row.
    ///
    /// A child whose key is unique within its parent is stored, too, because the parent's key is
    /// known.
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

    /// Marks the rows of an object's lists as seen, without changing any.
    ///
    /// - Returns: Whether the import of a nested object was started.
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

    /// Returns the next object of the current list, and the relationship of the list.
    private func nextElement(_ task: ObjectTask) -> (JSONNode, RelationshipPlan)? {
        while let (element, _) = task.elements?.next() {
            guard element.kind == .object, element.pointerKey == nil else { continue }
            return (element, task.entity.relationships[task.place - 1])
        }
        task.elements = nil
        return nil
    }
}
