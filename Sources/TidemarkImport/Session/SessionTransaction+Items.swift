import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The items of a page.
extension SessionTransaction {
    /// Imports items until the limit of the transaction is reached.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - format: The format of the items.
    ///   - limit: The size limit of the transaction.
    /// - Returns: The counts of items, without a report.
    /// - Throws: An error that ends the import.
    func importItems(
        _ items: inout some JSONItems,
        as format: ItemFormat,
        within limit: BatchLimit
    ) throws -> BatchResult {
        try addKnownNames(of: format)
        var result = BatchResult()
        var context = ObjectContext(
            // Included objects are not a complete list of anything, so nothing is deleted.
            operations: format.role == .items
                ? session.options.permitted : session.options.permitted.intersection(.upsert),
            isItem: format.role == .items,
            isWhole: format.role == .items && session.options.omitsNulls
        )
        if context.isItem { context.parent = parentLink(of: entity) }
        while !limit.isReached(items: result.items, rows: run.seenRowCount) {
            let isThere = try items.next { node in
                guard let entity = try itemEntity(of: node, as: format) else { return }
                var context = context
                // The relationships of another entity may be in another order.
                if entity !== self.entity, context.isItem {
                    context.parent = parentLink(of: entity)
                }
                let isKnown = try importItem(node, into: entity, context: context, as: format)
                if !isKnown, context.isItem { result.itemsWithoutRow += 1 }
            }
            run.arena.reset()
            if context.isItem { result.rejectedItems = self.items.rejectedItems }
            guard isThere else { return result }
            result.items += 1
        }
        result.isLast = false
        return result
    }

    /// Registers the members that are not properties of the model, and must not be reported as
    /// unknown.
    private func addKnownNames(of format: ItemFormat) throws {
        for path in format.knownPaths + [format.deletionFlag] { entity.names.addKnown(path) }
        for name in format.deletionFlag.isEmpty ? [] : Set(format.entities.values) {
            guard let index = run.layout.index(of: name) else { continue }
            try run.entity(index).names.addKnown(format.deletionFlag)
        }
    }

    /// Imports an item, or records that it was deleted.
    ///
    /// - Parameters:
    ///   - node: The item.
    ///   - entity: The entity of the item.
    ///   - context: How the item is imported.
    ///   - format: The format of the items.
    /// - Returns: Whether the item has a row or was deleted.
    /// - Throws: An error that ends the import.
    private func importItem(
        _ node: JSONNode,
        into entity: EntityImport,
        context: ObjectContext,
        as format: ItemFormat
    ) throws -> Bool {
        if node.marksDeletion(at: format.deletionFlag, value: format.deletionValue) {
            try recordDeletion(of: node, in: entity, context: context)
            return true
        }
        let row = try items.importItem(node, into: entity, context: context)
        // The object may have been created again after its deletion.
        if let row { entity.progress.reportedDeleted.remove(row) }
        return try row != nil || run.isDeletedLocally(node, entity, in: context)
    }

    /// Returns the entity of an item: that of its type, if it has one.
    ///
    /// Included objects of an unknown type are ignored.
    private func itemEntity(of node: JSONNode, as format: ItemFormat) throws -> EntityImport? {
        guard let member = format.typeMember, node.kind == .object,
            let type = node.member(member), type.kind == .string
        else { return format.role == .items ? entity : nil }
        guard let name = format.entities[type.string], let index = run.layout.index(of: name) else {
            guard format.role == .included else { return entity }
            run.log.record(
                "Included objects of type “\(type.string)” were ignored: "
                    + "no resource is for that type.",
                entity: entity.name
            ) { (nil, nil) }
            return nil
        }
        return try run.entity(index)
    }

    /// Marks the row of an object that the service reports as deleted.
    private func recordDeletion(
        of node: JSONNode,
        in entity: EntityImport,
        context: ObjectContext
    ) throws {
        run.log.beginItem()
        let object = try run.reader(of: node, in: entity, context: context)
        object.readMembers()
        guard let key = try object.documentKey() else {
            // Without a key it is unknown which row was deleted.
            return try object.rejectUnusableKey()
        }
        if let row = try object.entity.rows.number(ofDeletedKey: key) {
            object.entity.progress.reportedDeleted.insert(row)
        }
    }

    /// Retries the postponed items of the session with the context of the list's items.
    func retryPostponed(isLast: Bool) throws {
        var context = ObjectContext(
            operations: session.options.permitted,
            isWhole: session.options.omitsNulls
        )
        context.parent = parentLink(of: entity)
        try items.retryPostponed(isLast: isLast) { node, _, _ in
            _ = try items.importObject(node, into: entity, context: context)
        }
    }
}
