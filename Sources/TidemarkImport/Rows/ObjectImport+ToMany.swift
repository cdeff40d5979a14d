import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The lists of to-many relationships.
extension ObjectImport {
    /// Returns the source of a to-many relationship's list.
    func listSource(_ relationship: RelationshipPlan) -> ObjectFrame.PendingLinks {
        let objects = Int(frame.links[relationship.index].objects)
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
    ///   - relationship: The relationship.
    ///   - isReferences: Whether the list is under the name for references.
    ///   - row: The object's row.
    /// - Returns: The list.
    /// - Throws: `DatabaseError`.
    func openList(
        at token: Int,
        of relationship: RelationshipPlan,
        isReferences: Bool,
        row: WrittenRow
    ) throws -> ObjectList {
        var child = ObjectContext(operations: context.operations.nested, isListed: true)
        child.parent = parentLink(of: relationship, row: row)
        child.isWhole = context.isWhole && relationship.leadsToKeyless
        let list = ObjectList(
            node.node(at: token),
            of: relationship,
            isReferences: isReferences,
            isAddition: context.parent?.relationship == relationship.index
                || frame.links[relationship.index].isRepeated,
            destination: try run.destination(of: relationship),
            child: child
        )
        guard list.isKeyless else { return list }
        // The document may contain a new row a second time, nested in itself, with the same list.
        let isFirst =
            row.isNew && !run.writer.rowsWithCompleteLinks(relationship.layout).contains(row.number)
        if !isFirst {
            list.unmatched = UnmatchedChildren(
                try run.reader.linked(relationship.layout, of: row.number)
            )
        }
        return list
    }

    /// Returns the link from the objects of a list to this object; nil without an inverse.
    func parentLink(
        of relationship: RelationshipPlan,
        row: WrittenRow
    ) -> ObjectContext.ParentLink? {
        guard let inverse = relationship.inverse else { return nil }
        guard relationship.ownsLinkedRows else {
            return ObjectContext.ParentLink(relationship: inverse)
        }
        var link = ObjectContext.ParentLink(relationship: inverse, row: row.number)
        let key = entity.plan.key
        if key.count == 1, key[0] < entity.plan.attributeCount, frame.isGiven[key[0]] {
            link.key = frame.values[key[0]]
        }
        return link
    }

    // MARK: Elements

    /// Returns the next object of a list; nil at the end of the list, after its rows were linked.
    func next(of list: ObjectList, row: WrittenRow) throws -> NestedObject? {
        while let (element, position) = list.elements.next() {
            guard let child = try context(of: element, at: position, in: list) else { continue }
            return nested(
                element,
                of: list.destination,
                context: child,
                as: .element(position)
            )
        }
        self.list = nil
        if try close(list, row: row) { entity.progress.relinked.insert(row.number) }
        if !list.isAddition { entity.linked[list.relationship.index].insert(row.number) }
        return nil
    }

    /// Returns the context for importing an element of a list; nil for an element that is not an
    /// object.
    ///
    /// Such an element is added to the list if it refers to a row.
    private func context(
        of element: JSONNode,
        at position: Int,
        in list: ObjectList
    ) throws -> ObjectContext? {
        guard list.isKeyless else {
            if element.kind == .object, element.pointerKey == nil { return list.child }
            try addReference(element, at: position, to: list)
            return nil
        }
        guard element.kind != .null else { return nil }
        var child = list.child
        child.row = list.nextRow()
        guard element.kind == .object else {
            list.rejectElement()
            run.log.skip(list.destination.name)
            let expected = list.value.kind == .array ? "An object" : "An array of objects"
            try report(invalid: "\(expected) was expected here.", element: element, of: list)
            return nil
        }
        return child
    }

    /// Adds the result of an element to the list.
    func receive(_ object: ImportedObject, asElementAt position: Int) {
        guard let list else { return }
        switch object {
        case .row(let row, let isUnchanged):
            list.members.add(row, at: position)
            if isUnchanged, list.contents == .linkedObjects { list.contents = .objects }
            if list.isKeyless { list.unmatched.match() }
        case .rejected, .unidentified:
            if list.isKeyless {
                list.rejectElement()
            } else if case .rejected(let key) = object {
                if !key.isEmpty { list.members.add(missing: key, at: position) }
            } else {
                list.isCertain = false
            }
        }
    }

    /// Adds the destination of an element that is a reference.
    private func addReference(
        _ element: JSONNode,
        at position: Int,
        to list: ObjectList
    ) throws {
        switch element.kind {
        case .null:
            return
        case .array:
            list.isCertain = false
            let message = "A list inside a list names no row."
            return try report(invalid: message, element: element, of: list)
        case .object, .string, .number, .true, .false:
            list.contents = .references
        }
        let value = element.pointerKey ?? element
        let reference = try list.destination.reference(
            value,
            by: list.relationship,
            arena: run.arena
        )
        if reference.namesRow {
            reportLoss(ofReference: value, to: list.destination, by: list.relationship)
        }
        switch reference {
        case .row(let number):
            list.members.add(number, at: position)
        case .missing(let key):
            list.members.add(missing: key, at: position)
        case .null:
            break
        case .unusable(let reason):
            list.isCertain = false
            let isElement = list.value.kind == .array
            let expected = isElement ? "" : "An array of objects or keys was expected. "
            try report(invalid: expected + reason.sentence, element: value, of: list)
        }
    }

    /// Reports an element of a list, or the value that should be a list, that does not refer to a
    /// row.
    private func report(
        invalid message: String,
        element: JSONNode,
        of list: ObjectList
    ) throws {
        try report(invalid: message, path: path(of: list.relationship), value: element)
    }

    // MARK: Links

    /// Links the rows of a list, and returns whether the object's row counts as changed.
    ///
    /// It does not if the links are stored in the rows of the children.
    private func close(_ list: ObjectList, row: WrittenRow) throws -> Bool {
        let layout = list.relationship.layout
        let changed = try link(list, row: row)
        run.importer.coverage?.add(layout, of: row.number, to: list.members.rows)
        // Unresolved references of an earlier import are replaced, even by an empty list.
        let mayRelease = try !(row.isNew || list.onlyAdds) && run.writer.hasAnyUnresolved()
        if mayRelease || !list.members.missing.isEmpty {
            try run.writer.setUnresolved(
                layout,
                of: row.number,
                keys: list.members.missing,
                positions: list.relationship.isOrdered ? list.members.missingPositions : nil,
                isAddition: list.onlyAdds
            )
        }
        list.destination.giveBack(&list.members)
        return changed
    }

    private func link(_ list: ObjectList, row: WrittenRow) throws -> Bool {
        if list.onlyAdds {
            let added = run.writer.addedMembers(list.relationship.layout)
            for other in list.members.rows { added.insert(other) }
            let changed = try add(list, to: row)
            return changed && !list.relationship.ownsLinkedRows
        }
        if list.relationship.ownsLinkedRows {
            try linkChildren(list, of: row)
            return false
        }
        if row.isNew, list.members.rows.isEmpty { return false }
        let positions = list.members.missing.isEmpty ? nil : list.members.positions
        return try replaceLinks(of: list, row: row, positions: positions).changed
    }

    private func replaceLinks(
        of list: ObjectList,
        row: WrittenRow,
        positions: [Int64]?
    ) throws -> (changed: Bool, removed: [Int64]) {
        try run.writer.replaceLinks(
            list.relationship.layout,
            of: row.number,
            with: list.members.rows,
            at: positions,
            keeping: { try run.isDraft($0, of: list.destination) }
        )
    }

    /// Adds the links of a list, and removes none.
    ///
    /// In an ordered relationship, the rows of the list exchange their positions so that they are
    /// in the order of the list.
    private func add(_ list: ObjectList, to row: WrittenRow) throws -> Bool {
        let (layout, members) = (list.relationship.layout, list.members)
        var changed = false
        for other in members.rows {
            changed = try run.writer.link(layout, of: row.number, to: other) || changed
        }
        guard list.relationship.isOrdered else { return changed }
        let listed = Set(members.rows)
        let stored = try run.reader.linked(layout, of: row.number)
        var rest = members.rows[...]
        let ordered = stored.map { listed.contains($0) ? rest.removeFirst() : $0 }
        let isWhole = ordered == members.rows
        // Among other rows the positions of rows that are not stored are unknown.
        guard isWhole || members.missing.isEmpty && ordered != stored else { return changed }
        let isMoved = try run.writer.replaceLinks(
            layout,
            of: row.number,
            with: ordered,
            at: members.missing.isEmpty ? nil : members.positions
        ).changed
        return changed || isMoved
    }

    /// Links the children of a one-to-many relationship.
    ///
    /// Children that were removed from the list may be deleted.
    private func linkChildren(_ list: ObjectList, of row: WrittenRow) throws {
        let relationship = list.relationship
        if relationship.isParentInKey { return try orderChildren(list, of: row) }
        // The objects were linked when they were written. For a new parent, nothing remains to be
        // done without references or an order.
        let isWritten = list.contents == .linkedObjects && list.child.operations.contains(.update)
        if row.isNew, isWritten, !relationship.isOrdered { return }
        let isPlaced = relationship.isOrdered && !list.members.missing.isEmpty
        let positions = isPlaced ? list.members.positions : nil
        let removed = try replaceLinks(of: list, row: row, positions: positions).removed
        // The writer itself records rows without a key that lose a link.
        guard list.deletesRemoved, !relationship.leadsToKeyless else { return }
        // Most lists lose no row: the name of the relationship would be hashed for each of them.
        if !removed.isEmpty { run.recordRemoved(removed, from: relationship.layout) }
    }

    /// Orders the children of a parent within which their key is unique.
    ///
    /// A child that was removed from the list is deleted or kept: unlinked, it would have no key.
    private func orderChildren(_ list: ObjectList, of row: WrittenRow) throws {
        let layout = list.relationship.layout
        try run.resolver?.decideOrder(layout, of: row.number, shownAs: list.members.rows)
        for (position, child) in zip(list.members.positions, list.members.rows) {
            // An earlier occurrence of the list may have lacked the row.
            run.unlisted.children[layout.identifier]?.remove(child)
            try run.writer.put(child, at: position, in: layout, of: row.number)
        }
        guard !row.isNew, list.deletesRemoved else { return }
        let listed = Set(list.members.rows)
        let stored = try run.reader.linked(layout, of: row.number)
        run.recordRemoved(stored.filter { !listed.contains($0) }, from: layout)
    }
}
