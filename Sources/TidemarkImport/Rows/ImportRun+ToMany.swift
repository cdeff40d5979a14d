import TidemarkModel
import TidemarkStore

/// The list of a to-many relationship that is being imported.
struct ListContext {
    let relationship: RelationshipPlan

    /// The row whose list it is.
    let parent: ImportRun.Written

    /// What may be done with the rows in it.
    let operations: ImportOperations

    /// Whether it stands under the name for references: rows that left it are then only unlinked.
    let isReferences: Bool

    /// Whether rows that it lacks stay linked.
    var isAddition: Bool
}

extension ImportRun {
    /// Where the list of a to-many relationship stands.
    func listSource(
        _ relationship: RelationshipPlan,
        _ frame: ObjectFrame,
        _ place: Int,
        _ node: JSONNode
    ) -> ObjectFrame.PendingLinks {
        let objects = Int(frame.links[place].objects)
        let references = Int(frame.references[relationship.firstPart])
        if objects >= 0, node.node(at: objects).isRelation { return .none }
        if objects >= 0, references < 0 || node.node(at: objects).kind != .null {
            return .list(objects, isReferences: false)
        }
        return references >= 0 ? .list(references, isReferences: true) : .none
    }

    /// Makes the linked rows those of a list, and returns whether links changed that no row shows.
    func importList(_ value: JSONNode, _ list: ListContext) throws -> Bool {
        let destination = try entity(list.relationship.layout.destination)
        var members = takeMembership()
        defer { giveBack(&members) }
        if destination.plan.key.isEmpty {
            try importKeyless(value, list, destination, &members)
        } else {
            try importMembers(value, list, destination, &members)
        }
        var list = list
        list.isAddition = list.isAddition || !members.isCertain
        let changed = try link(members, list, destination)
        if !members.missing.isEmpty || !(list.parent.isNew || list.isAddition) {
            try writer.hold(
                list.relationship.layout,
                of: list.parent.number,
                keys: members.missing,
                places: list.relationship.isOrdered ? members.missingPlaces : nil,
                isAddition: list.isAddition
            )
        }
        return changed
    }

    private func takeMembership() -> Membership {
        freeMemberships.popLast() ?? Membership()
    }

    private func giveBack(_ members: inout Membership) {
        members.clear()
        freeMemberships.append(members)
    }

    /// Hands each element of a list to `body`, with its place; a single value is a list of one.
    func forEachElement(
        _ value: JSONNode,
        _ body: (JSONNode, Int) throws -> Void
    ) throws {
        switch value.kind {
        case .array:
            var place = 0
            for element in value.elements {
                try body(element, place)
                place += 1
            }
        case .null:
            return
        case .object, .string, .number, .true, .false:
            try body(value, 0)
        }
    }

    private func importMembers(
        _ value: JSONNode,
        _ list: ListContext,
        _ destination: EntityImport,
        _ members: inout Membership
    ) throws {
        let context = childContext(list)
        try forEachElement(value) { element, place in
            switch element.kind {
            case .object:
                if let key = element.pointerKey {
                    members.isOfObjects = false
                    return try addReferenced(key, place, list, destination, &members)
                }
                let child = try importObject(element, destination, context)
                if let child {
                    members.add(child, at: place)
                } else if !refusedKey.isEmpty {
                    members.addMissing(refusedKey, at: place)
                } else if isNameless {
                    members.isCertain = false
                }
            case .null:
                return
            case .array:
                members.isCertain = false
                note(
                    "A list inside a list names no row.",
                    list.relationship.path,
                    destination,
                    nil,
                    element
                )
            case .string, .number, .true, .false:
                members.isOfObjects = false
                try addReferenced(element, place, list, destination, &members)
            }
        }
    }

    private func addReferenced(
        _ element: JSONNode,
        _ place: Int,
        _ list: ListContext,
        _ destination: EntityImport,
        _ members: inout Membership
    ) throws {
        switch try reference(element, destination, list.relationship) {
        case .row(let number):
            members.add(number, at: place)
        case .missing:
            members.addMissing([keyParts[0]], at: place)
        case .null:
            break
        case .unusable(let reason):
            members.isCertain = false
            note(reason.sentence, list.relationship.path, destination, nil, element, element)
        }
    }

    /// Compares objects without a key with the stored children, the n-th with the n-th.
    ///
    /// What makes no row is not counted: it has none among the stored ones either.
    private func importKeyless(
        _ value: JSONNode,
        _ list: ListContext,
        _ destination: EntityImport,
        _ members: inout Membership
    ) throws {
        // A new row may be in the document again, inside itself, with the same list.
        let layout = list.relationship.layout
        let isFirst =
            list.parent.isNew && !writer.rowsGiven(layout).contains(list.parent.number)
        let stored = isFirst ? [] : try reader.linked(layout, of: list.parent.number)
        var rest = stored[...]
        try forEachElement(value) { element, place in
            guard element.kind != .null else { return }
            var child = childContext(list)
            child.row = rest.first.map(ObjectContext.Row.place) ?? .new
            if let row = try importObject(element, destination, child) {
                rest = rest.dropFirst()
                members.add(row, at: place)
            } else if isNameless {
                members.isCertain = false
            }
        }
    }

    private func childContext(_ list: ListContext) -> ObjectContext {
        var context = ObjectContext(operations: list.operations, isListed: true)
        if let inverse = list.relationship.inverse {
            context.parent = ObjectContext.ParentLink(
                relationship: inverse,
                number: list.relationship.ownsLinkedRows ? list.parent.number : nil
            )
        }
        return context
    }

    // MARK: Links

    private func link(
        _ members: Membership,
        _ list: ListContext,
        _ destination: EntityImport
    ) throws -> Bool {
        let relationship = list.relationship
        if list.isAddition {
            let changed = try add(members, list)
            return changed && !relationship.ownsLinkedRows
        }
        if relationship.ownsLinkedRows {
            try linkChildren(members, list, destination)
            return false
        }
        if list.parent.isNew, members.rows.isEmpty { return false }
        return try writer.replaceLinks(
            relationship.layout,
            of: list.parent.number,
            with: members.rows,
            at: members.missing.isEmpty ? nil : members.places,
            keeping: { try isDraft($0, destination) }
        ).changed
    }

    /// Links what a list names, and takes nothing away; in an order, the named rows come as the
    /// list has them, in the places that they have together.
    private func add(_ members: Membership, _ list: ListContext) throws -> Bool {
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
        // Among others there is no telling where the rows stand that are not here yet.
        guard isWhole || members.missing.isEmpty && ordered != stored else { return changed }
        let isMoved = try writer.replaceLinks(
            layout,
            of: list.parent.number,
            with: ordered,
            at: members.missing.isEmpty ? nil : members.places
        ).changed
        return changed || isMoved
    }

    /// Links the children of a one-to-many relationship; those that left the list may be deleted.
    private func linkChildren(
        _ members: Membership,
        _ list: ListContext,
        _ destination: EntityImport
    ) throws {
        let relationship = list.relationship
        guard case .inverse(_, _, let position) = relationship.layout.storage else { return }
        // Objects were linked as they were written; without references or an order nothing is left
        // to do for a new parent.
        let isWritten = members.isOfObjects && list.operations.contains(.update)
        if list.parent.isNew, isWritten, position == nil { return }
        let outcome = try writer.replaceLinks(
            relationship.layout,
            of: list.parent.number,
            with: members.rows,
            at: position != nil && !members.missing.isEmpty ? members.places : nil,
            keeping: { try isDraft($0, destination) }
        )
        guard members.isOfObjects, !list.isReferences, !relationship.keepsOrphans,
            list.operations.contains(.deleteRelationships)
        else { return }
        for row in outcome.removed {
            leftOut(of: relationship.layout.identifier).insert(row)
        }
    }
}
