import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Objects that are nested in an object whose row is not written.
extension ObjectImport {
    /// Returns the next child of a rejected row.
    ///
    /// Children that have a key are stored, with an unresolved reference to the row. The object of
    /// a to-one relationship was stored before the row; it gets such a reference, too.
    func nextOrphan() throws -> NestedObject? {
        while true {
            if let (element, relationship) = nextElement() {
                return try orphan(element, of: relationship)
            }
            guard let relationship = nextUnvisited() else { return nil }
            // Objects without a key are part of the rejected row, and are not stored without it.
            let destination = try run.destination(of: relationship)
            guard !destination.plan.key.isEmpty else { continue }
            if !key.isEmpty, let row = embeddedRow(relationship) {
                try holdReference(from: row, by: relationship)
            }
            openElements(of: relationship)
        }
    }

    /// Returns a child of a rejected row.
    ///
    /// A child whose key is unique within its parent is stored, too, because the parent's key is
    /// known.
    private func orphan(
        _ element: JSONNode,
        of relationship: RelationshipPlan
    ) throws -> NestedObject {
        var child = ObjectContext(operations: context.operations.nested)
        // Without the reference to its parent the row would have no key.
        if relationship.isParentInKey, run.options.unresolved == .ignore { child.operations = [] }
        var object = nested(
            element,
            of: try run.destination(of: relationship),
            context: child,
            as: .orphan(relationship.index)
        )
        object.unstoredParent = unstoredParent(of: relationship)
        return object
    }

    /// Returns this object as the parent that is part of the key of a relationship's objects; nil
    /// if it is not.
    private func unstoredParent(of relationship: RelationshipPlan) -> NestedObject.UnstoredParent? {
        guard relationship.isParentInKey else { return nil }
        return relationship.inverse.map { NestedObject.UnstoredParent(relationship: $0, key: key) }
    }

    /// Processes the result of a child of this rejected row.
    func receive(_ object: ImportedObject, asOrphanOf relationship: RelationshipPlan) throws {
        // A child with the parent in its key has the reference already: see `unstoredParent`.
        guard let row = object.row, !key.isEmpty, !relationship.isParentInKey else { return }
        try holdReference(from: row, by: relationship)
    }

    /// Returns the row of the object in a to-one relationship; nil if the relationship has a
    /// reference instead.
    private func embeddedRow(_ relationship: RelationshipPlan) -> Int64? {
        guard objects(of: relationship)?.kind == .object,
            case .one(let link) = frame.links[relationship.index].pending
        else { return nil }
        if case .link(let number) = link { return number }
        return frame.reference(in: relationship.slot)
    }

    /// Stores the reference from a child to this rejected row, if there is an inverse relationship.
    ///
    /// It is unresolved, unless a row has the key, which may be of another entity or the child
    /// itself. In a to-many relationship it is added to the child's other parents.
    private func holdReference(from child: Int64, by relationship: RelationshipPlan) throws {
        let destination = try run.destination(of: relationship)
        guard let inverse = relationship.inverse.map({ destination.relationships[$0] }) else {
            return
        }
        // A link that the child had before would be a second parent.
        if !inverse.isToMany { try run.unlinkAll(inverse.layout, of: child) }
        if let row = try run.destination(of: inverse).rows.number(ofKey: key) {
            try run.writer.link(inverse.layout, of: child, to: row)
            return
        }
        let isAddition = inverse.isToMany
        try run.writer.setUnresolved(inverse.layout, of: child, keys: [key], isAddition: isAddition)
    }

    // MARK: Marking

    /// Returns the next object of a list whose row is marked as seen, without changing it.
    func nextToMark() throws -> NestedObject? {
        while true {
            if let (element, relationship) = nextElement() {
                var child = ObjectContext(operations: [])
                if relationship.isParentInKey, let row = written {
                    child.parent = parentLink(of: relationship, row: row)
                }
                var object = nested(
                    element,
                    of: try run.destination(of: relationship),
                    context: child,
                    as: .mark
                )
                if written == nil { object.unstoredParent = unstoredParent(of: relationship) }
                return object
            }
            guard let relationship = nextUnvisited() else { return nil }
            if !relationship.leadsToKeyless { openElements(of: relationship) }
        }
    }

    // MARK: Elements

    private func nextUnvisited() -> RelationshipPlan? {
        guard nextRelationship < entity.relationships.count else { return nil }
        nextRelationship += 1
        return entity.relationships[nextRelationship - 1]
    }

    private func openElements(of relationship: RelationshipPlan) {
        guard case .list(let token, _) = frame.links[relationship.index].pending else { return }
        elements = ListElements(node.node(at: token))
    }

    /// Returns the next object of the current list, and the relationship of the list.
    private func nextElement() -> (JSONNode, RelationshipPlan)? {
        while let (element, _) = elements?.next() {
            guard element.kind == .object, element.pointerKey == nil else { continue }
            return (element, entity.relationships[nextRelationship - 1])
        }
        elements = nil
        return nil
    }
}
