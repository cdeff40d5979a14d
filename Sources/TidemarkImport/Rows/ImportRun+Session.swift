import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of a page's items in a session.
extension ImportRun {
    /// Imports items until the limit of the transaction is reached.
    ///
    /// Returns the number of items, and whether the last one was imported.
    func importItems(
        _ items: inout some JSONItems,
        _ entity: EntityImport,
        _ walk: ImportSession,
        _ reading: ItemFormat,
        _ bound: BatchLimit
    ) throws -> (count: Int, isLast: Bool) {
        let list = entity
        var context = ObjectContext(
            // Included objects are not a complete list of anything, so nothing is deleted.
            operations: reading.role == .items
                ? walk.options.operations : walk.options.operations.intersection(.upsert),
            isItem: reading.role == .items
        )
        if context.isItem { context.parent = parentLink(walk, entity) }
        // These members are not properties of the model, and must not be reported as unknown.
        for path in reading.used + [reading.gone] { entity.reading.know(path) }
        for name in reading.gone.isEmpty ? [] : Set(reading.entities.values) {
            guard let index = layout.index(of: name) else { continue }
            try self.entity(index).reading.know(reading.gone)
        }
        var count = 0
        while countedRows < bound.rows, !bound.ends(behind: count) {
            let isThere = try items.next { node in
                guard let entity = try itemEntity(node, entity, reading) else { return }
                var context = context
                // The relationships of another entity may be in another order.
                if entity !== list, context.isItem { context.parent = parentLink(walk, entity) }
                try importItem(node, entity, context, reading)
            }
            arena.reset()
            guard isThere else { return (count, true) }
            count += 1
        }
        return (count, false)
    }

    private func importItem(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext,
        _ reading: ItemFormat
    ) throws {
        if !reading.gone.isEmpty, node.isTrue(at: reading.gone) {
            return try noteGone(node, entity, within: context.parent)
        }
        let row = try importItem(node, entity, context)
        if let row {
            // The object was created again after its deletion.
            gone[entity.plan.entity.table]?.remove(row)
        } else if context.isItem {
            unknownItems += 1
        }
    }

    /// Returns the entity of an item: that of its type, if it has one.
    ///
    /// Included objects of an unknown type are ignored.
    private func itemEntity(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ reading: ItemFormat
    ) throws -> EntityImport? {
        guard let member = reading.kind, node.kind == .object,
            let kind = node.member(member), kind.kind == .string
        else { return reading.role == .items ? entity : nil }
        guard let name = reading.entities[kind.string], let index = layout.index(of: name) else {
            if reading.role == .companions { noteUnknownKind(kind, entity) }
            return reading.role == .items ? entity : nil
        }
        return try self.entity(index)
    }

    private func noteUnknownKind(_ kind: JSONNode, _ entity: EntityImport) {
        note(
            "Included objects of type “\(kind.string)” were ignored: no resource is for that type.",
            nil,
            entity,
            nil,
            kind
        )
    }

    // MARK: Deleted objects

    /// Marks the row of an object that the service reports as deleted.
    private func noteGone(
        _ node: JSONNode,
        _ entity: EntityImport,
        within parent: ObjectContext.ParentLink?
    ) throws {
        log.beginItem()
        let entity = try namedEntity(node, entity) ?? entity
        let frame = entity.takeFrame()
        defer { entity.giveBack(frame) }
        readMembers(node, entity, frame)
        guard let key = try writtenKey(node, entity, frame, within: parent) else {
            // Without a key it is unknown which row was deleted.
            return try refuseUnusableKey(node, entity, frame)
        }
        for (place, part) in key.enumerated() { keyParts[place] = part }
        guard let row = try entity.number(ofKey: keyParts) else { return }
        marks(\.gone, in: entity.plan.entity.table).insert(row)
    }

    // MARK: Seen rows

    /// Records the row of an item, and returns whether it is the first item of the transaction with
    /// this row.
    @discardableResult
    func noteItem(_ number: Int64, of entity: EntityImport) -> Bool {
        guard entity.items.insert(number) else { return false }
        if entity.itemsBefore.contains(number) { repeatedItems += 1 }
        return true
    }

    /// The rows that the transaction has seen.
    var walkMarks: PageRows {
        var marks = PageRows()
        for sets in [counted, namedAgain] {
            for (table, rows) in sets where rows.count > 0 {
                marks.add(rows, of: layout.tables[table].name)
            }
        }
        for (table, rows) in items where rows.count > 0 {
            marks.add(items: rows, of: layout.tables[table].name)
        }
        for table in namelessTables { marks.add(nameless: layout.tables[table].name) }
        return marks
    }
}

extension JSONNode {
    /// Returns whether the member at a path has any value except null and false.
    fileprivate func isTrue(at path: [String]) -> Bool {
        var node = self
        for name in path {
            guard node.kind == .object, let member = node.member(name) else { return false }
            node = member
        }
        return node.kind != .null && node.kind != .false
    }
}
