import TidemarkJSON
import TidemarkModel
import TidemarkStore

extension ImportRun {
    /// Returns the source of a to-many relationship's list.
    func listSource(
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int,
        _ node: JSONNode
    ) -> ObjectFrame.PendingLinks {
        let objects = Int(frame.links[place].objects)
        let references = Int(frame.references[relationship.firstPart])
        // Parse's relation contains no list of its members.
        if objects >= 0, node.node(at: objects).isRelation { return .none }
        // A null next to references means that the objects were not embedded.
        if objects >= 0, references < 0 || node.node(at: objects).kind != .null {
            return .list(objects, isReferences: false)
        }
        return references >= 0 ? .list(references, isReferences: true) : .none
    }

    /// Starts the import of a list.
    ///
    /// - Parameters:
    ///   - token: The token of the list.
    ///   - place: The index of the relationship among those of the row's entity.
    ///   - isReferences: Whether the list is under the name for references.
    ///   - parent: The row that the list belongs to.
    ///   - task: The object that contains the list.
    /// - Returns: The list.
    /// - Throws: `DatabaseError`.
    func openList(
        at token: Int,
        of place: Int,
        isReferences: Bool,
        _ parent: Written,
        _ task: ObjectTask
    ) throws -> ObjectList {
        let relationship = task.entity.relationships[place]
        let list = ObjectList(
            task.node.node(at: token),
            of: place,
            isReferences: isReferences,
            try entity(relationship.layout.destination),
            parent,
            task,
            freeMemberships.popLast() ?? ListMembers()
        )
        guard list.isKeyless else { return list }
        let layout = relationship.layout
        // The document may contain a new row a second time, nested in itself, with the same list.
        let isFirst = parent.isNew && !writer.rowsWithCompleteLinks(layout).contains(parent.number)
        if !isFirst {
            list.unmatched = UnmatchedChildren(try reader.linked(layout, of: parent.number))
        }
        return list
    }

    /// Links the rows of a list, and returns whether the parent row counts as changed.
    ///
    /// It does not if the links are stored in the rows of the children.
    func close(_ list: ObjectList) throws -> Bool {
        var members = list.takeMembers()
        let changed = try link(list, members)
        if let coverage {
            coverage.add(list.relationship.layout, of: list.parent.number, to: members.rows)
        }
        // Unresolved references of an earlier import are replaced, even by an empty list.
        let mayRelease = try !(list.parent.isNew || list.onlyAdds) && writer.hasAnyUnresolved()
        if mayRelease || !members.missing.isEmpty {
            try writer.setUnresolved(
                list.relationship.layout,
                of: list.parent.number,
                keys: members.missing,
                positions: list.relationship.isOrdered ? members.missingPlaces : nil,
                isAddition: list.onlyAdds
            )
        }
        members.clear()
        freeMemberships.append(consume members)
        return changed
    }

    /// Returns the context for importing an element of a list; nil for an element that is not an
    /// object.
    ///
    /// Such an element is added to the list if it refers to a row.
    func elementContext(
        _ element: JSONNode,
        _ position: Int,
        _ list: ObjectList
    ) throws -> ObjectContext? {
        var context = list.child
        if list.isKeyless {
            guard element.kind != .null else { return nil }
            context.row = list.nextRow()
            guard element.kind == .object else {
                list.rejectElement()
                skip(list.destination)
                let isElement = list.value.kind == .array
                let expected = isElement ? "An object" : "An array of objects"
                let message = "\(expected) was expected here."
                try report(invalid: message, element, of: list)
                return nil
            }
            return context
        }
        if element.kind == .object, element.pointerKey == nil { return context }
        try addReference(element, position, list)
        return nil
    }

    /// Adds the row of an element to its list, or the key of an unresolved reference.
    func receiveElement(at position: Int, _ task: ObjectTask) {
        guard let list = task.list else { return }
        if let row = importedRow {
            list.add(row, at: position)
            if list.isKeyless { list.unmatched.match() }
        } else if list.isKeyless {
            list.rejectElement()
        } else if !refusedKey.isEmpty {
            list.addMissing(refusedKey, at: position)
        } else if isNameless {
            list.isCertain = false
        }
    }

    /// Adds the destination of an element that is a reference.
    func addReference(_ element: JSONNode, _ place: Int, _ list: ObjectList) throws {
        switch element.kind {
        case .null:
            return
        case .array:
            list.isCertain = false
            try report(invalid: "A list inside a list names no row.", element, of: list)
        case .object, .string, .number, .true, .false:
            list.isOfObjects = false
            let key = element.pointerKey ?? element
            try addReferenced(key, place, list)
        }
    }

    /// Reports an element of a list, or the value that should be a list, that does not refer to a
    /// row.
    func report(
        invalid message: String,
        _ element: JSONNode,
        of list: ObjectList
    ) throws {
        let owner = list.owner
        try report(
            invalid: message,
            path(list.relationship, owner.node, owner.entity, owner.frame),
            owner.node,
            owner.entity,
            owner.frame,
            element
        )
    }

    private func addReferenced(_ element: JSONNode, _ place: Int, _ list: ObjectList) throws {
        switch try reference(element, list.destination, list.relationship) {
        case .row(let number):
            list.add(number, at: place)
        case .missing:
            list.addMissing([keyParts[0]], at: place)
        case .null:
            break
        case .unusable(let reason):
            list.isCertain = false
            let isElement = list.value.kind == .array
            let expected = isElement ? "" : "An array of objects or keys was expected. "
            try report(invalid: expected + reason.sentence, element, of: list)
        }
    }

    // MARK: Links

    private func link(_ list: ObjectList, _ members: ListMembers) throws -> Bool {
        let relationship = list.relationship
        if list.onlyAdds {
            let changed = try add(members, to: list)
            return changed && !relationship.ownsLinkedRows
        }
        if relationship.ownsLinkedRows {
            try linkChildren(list, members)
            return false
        }
        if list.parent.isNew, members.rows.isEmpty { return false }
        let outcome = try writer.replaceLinks(
            relationship.layout,
            of: list.parent.number,
            with: members.rows,
            at: members.missing.isEmpty ? nil : members.places,
            keeping: { try isDraft($0, list.destination) }
        )
        return outcome.changed
    }

    /// Adds the links of a list, and removes none.
    ///
    /// In an ordered relationship, the rows of the list exchange their positions so that they are
    /// in the order of the list.
    private func add(_ members: ListMembers, to list: ObjectList) throws -> Bool {
        let layout = list.relationship.layout
        var changed = false
        for row in members.rows {
            changed = try writer.link(layout, of: list.parent.number, to: row) || changed
        }
        guard list.relationship.isOrdered else { return changed }
        let named = Set(members.rows)
        let stored = try reader.linked(layout, of: list.parent.number)
        var rest = members.rows[...]
        let ordered = stored.map { named.contains($0) ? rest.removeFirst() : $0 }
        let isWhole = ordered == members.rows
        // Among other rows the positions of rows that are not stored are unknown.
        guard isWhole || members.missing.isEmpty && ordered != stored else { return changed }
        let isMoved = try writer.replaceLinks(
            layout,
            of: list.parent.number,
            with: ordered,
            at: members.missing.isEmpty ? nil : members.places
        ).changed
        return changed || isMoved
    }

    /// Links the children of a one-to-many relationship.
    ///
    /// Children that were removed from the list may be deleted.
    private func linkChildren(_ list: ObjectList, _ members: ListMembers) throws {
        let relationship = list.relationship
        if relationship.isParentInKey { return try keepChildren(list, members) }
        // The objects were linked when they were written. For a new parent, nothing remains to be
        // done without references or an order.
        let isWritten = list.isOfObjects && list.operations.contains(.update)
        if list.parent.isNew, isWritten, !relationship.isOrdered { return }
        let outcome = try writer.replaceLinks(
            relationship.layout,
            of: list.parent.number,
            with: members.rows,
            at: relationship.isOrdered && !members.missing.isEmpty ? members.places : nil,
            keeping: { try isDraft($0, list.destination) }
        )
        // The writer itself records rows without a key that lose a link.
        guard mayDelete(list), !relationship.leadsToKeyless else { return }
        for row in outcome.removed {
            leftOut(of: relationship.layout.identifier).insert(row)
        }
    }

    /// Returns whether the children that were removed from a list are deleted.
    private func mayDelete(_ list: ObjectList) -> Bool {
        list.isOfObjects && !list.isReferences && !list.relationship.keepsOrphans
            && list.operations.contains(.deleteRelationships)
    }

    /// Orders the children of a parent within which their key is unique.
    ///
    /// A child that was removed from the list is deleted or kept: unlinked, it would have no key.
    private func keepChildren(_ list: ObjectList, _ members: ListMembers) throws {
        let layout = list.relationship.layout
        for (place, row) in zip(members.places, members.rows) {
            // An earlier occurrence of the list may have lacked the row.
            leftOut[layout.identifier]?.remove(row)
            try writer.put(row, at: place, in: layout, of: list.parent.number)
        }
        guard !list.parent.isNew, mayDelete(list) else { return }
        let named = Set(members.rows)
        for row in try reader.linked(layout, of: list.parent.number) where !named.contains(row) {
            leftOut(of: layout.identifier).insert(row)
        }
    }
}
