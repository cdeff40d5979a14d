import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Imports the items of a document, each with all objects that are nested in it.
///
/// It calls the app's hook before an item, and postpones items whose unique values are still taken.
final class ItemImport {
    let run: ImportRun

    /// The objects that are being imported, each nested in the previous one, followed by unused
    /// ones.
    private var objects: [ObjectImport] = []

    /// The number of objects that are being imported.
    private var depth = 0

    /// The number of items that could not be stored, for example because of their keys.
    private(set) var rejectedItems = 0

    init(_ run: ImportRun) {
        self.run = run
    }

    // MARK: Items

    /// Imports an item of the document, or its replacement by the app's hook.
    ///
    /// - Parameters:
    ///   - node: The item.
    ///   - entity: The entity of the item.
    ///   - context: How the item is imported.
    ///   - position: The position of the item in the document, if it is used.
    /// - Returns: The row number; nil if the item has no row.
    /// - Throws: An error that ends the import.
    func importItem(
        _ node: JSONNode,
        into entity: EntityImport,
        context: ObjectContext,
        at position: Int64 = 0
    ) throws -> Int64? {
        guard let willImport = run.importer.hooks.willImport else {
            return try attempt(node, into: entity, context: context, at: position)
        }
        try run.writer.yieldConnection()
        switch try willImport(run.writer, node, entity.name) {
        case .keep:
            return try attempt(node, into: entity, context: context, at: position)
        case .replace(let document):
            return try document.withRoot {
                try attempt($0, into: entity, context: context, at: position)
            }
        case .skip:
            var untouched = context
            untouched.operations = []
            let row = try importObject(node, into: entity, context: untouched).row
            // A value that the app left out on purpose is not a difference for a verification.
            if let row { run.importer.coverage?.exempt(row, in: entity.plan.entity.table) }
            return row
        }
    }

    /// Imports an item.
    ///
    /// It is postponed if another row has one of its unique values. Later items with the same key
    /// are then postponed, too, to import them in the order of the document.
    private func attempt(
        _ node: JSONNode,
        into entity: EntityImport,
        context: ObjectContext,
        at position: Int64
    ) throws -> Int64? {
        // No constants for what the run contains: each would be retained for every item.
        run.log.beginItem()
        if run.retries.isWaiting, let key = try run.itemKey(node, of: entity, context: context),
            try run.retries.isWaiting(run.writer.db, key: key), run.retries.request()
        {
            // Pages of a session may overlap, so that a repeated item is not an error.
            if !run.retries.isOfSession {
                let item = try run.reader(of: node, in: entity, context: context)
                item.readMembers()
                item.reportRepetition()
            }
            try run.retries.add(run.writer.db, node, key: key, row: context.row, at: position)
            return nil
        }
        if context.isPostponed {
            try run.retries.add(run.writer.db, node, key: nil, row: .byKey, at: position)
            return nil
        }
        let object = try importObject(node, into: entity, context: context)
        let row = object.row
        guard run.retries.isNeeded else {
            // An item that the operations or the policies leave alone is not skipped.
            if !object.isStored, run.log.hasSkipped { rejectedItems += 1 }
            return row
        }
        let key = try run.itemKey(node, of: entity, context: context)
        // Its diagnostics are recorded when it is retried.
        run.log.takeBackItem()
        // An object without a key is only identified by its row.
        let isKeyless = entity.plan.key.isEmpty
        let later = isKeyless ? row.map(ObjectContext.Row.atPosition) : nil
        try run.retries.add(run.writer.db, node, key: key, row: later ?? context.row, at: position)
        return row
    }

    // MARK: Objects

    /// Imports an object with all objects that are nested in it.
    ///
    /// Nested objects are imported by the loop in this method, not by recursion: see
    /// ``ObjectImport``.
    func importObject(
        _ node: JSONNode,
        into entity: EntityImport,
        context: ObjectContext
    ) throws -> ImportedObject {
        let outer = depth
        var result = try begin(NestedObject(node: node, entity: entity, context: context))
        while depth > outer {
            switch try objects[depth - 1].resume(with: result) {
            case .nested(let object):
                result = try isOverruled(object) ? .unidentified : begin(object)
            case .finished(let object):
                depth -= 1
                result = object
            }
        }
        return result ?? .unidentified
    }

    /// Returns whether an object without a key is ignored, because an outer object decides about
    /// its relationship.
    ///
    /// If an object contains itself, the outermost occurrence has the last word about a link. What
    /// an inner one embeds would be written to the row that the outer one has linked in an earlier
    /// import, which may even be the object's own.
    private func isOverruled(_ object: NestedObject) throws -> Bool {
        let container = objects[depth - 1]
        guard let relationship = container.filledRelationship, depth > 1 else { return false }
        let key = try container.referenceKey()
        return try objects[..<(depth - 1)].contains { outer in
            guard outer.entity === container.entity, !outer.frame.links[relationship].isAbsent
            else {
                return false
            }
            let other = try outer.referenceKey()
            return key.count == other.count && !key.isEmpty
                && zip(key, other).allSatisfy { $0.isSame(as: $1) }
        }
    }

    /// Starts the import of an object.
    ///
    /// The entity is that of the list or relationship that contains the object, unless the object
    /// names an entity that inherits from it.
    ///
    /// - Parameter object: The object.
    /// - Returns: The result, if the value is not an object; otherwise nil.
    /// - Throws: An error that ends the import.
    private func begin(_ object: NestedObject) throws -> ImportedObject? {
        var (entity, context) = (object.entity, object.context)
        if let discriminator = entity.plan.discriminator {
            if let named = try run.entity(namedBy: object.node, in: entity) {
                entity = named
                context.isTyped = true
            } else {
                run.reportUnknownEntity(of: object.node, by: discriminator, in: entity)
            }
        }
        guard object.node.kind == .object else {
            try run.report(invalid: "An object was expected here.", entity: entity)
            run.log.skip(entity.name)
            if !entity.plan.key.isEmpty { entity.progress.hasUnidentifiedObject = true }
            return .unidentified
        }
        let started = start(object.node, of: entity, context: context)
        started.readMembers()
        started.linkParent(unstored: object.unstoredParent)
        return nil
    }

    /// Returns the import of an object: that of the previous object at its depth, if both are of
    /// the same entity.
    private func start(
        _ node: JSONNode,
        of entity: EntityImport,
        context: ObjectContext
    ) -> ObjectImport {
        defer { depth += 1 }
        guard depth < objects.count, objects[depth].entity === entity else {
            return create(node, of: entity, context: context)
        }
        let object = objects[depth]
        object.reset(node, context: context)
        return object
    }

    // Not inlined: code that only reads `objects` then needs no exclusivity check for writing.
    @inline(never)
    private func create(
        _ node: JSONNode,
        of entity: EntityImport,
        context: ObjectContext
    ) -> ObjectImport {
        let object = ObjectImport(node, of: entity, context: context, in: run)
        if depth < objects.count { objects[depth] = object } else { objects.append(object) }
        return object
    }
}

// MARK: - Retrying

extension ItemImport {
    /// Retries the postponed items, after other rows have got their new values or were deleted.
    ///
    /// - Parameters:
    ///   - isLast: Whether items that fail again are rejected. Otherwise they stay postponed.
    ///   - body: Imports an item, given its row and position.
    /// - Throws: An error that ends the import.
    func retryPostponed(
        isLast: Bool,
        body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        let (db, retries) = (run.writer.db, run.retries)
        guard try retries.isAny(db) else { return }
        let conflicts = UniqueConflicts(run.writer)
        // The first attempt succeeds for items whose values were freed meanwhile, and collects the
        // conflicts of the others.
        retries.conflicts = conflicts
        try retry(where: { _ in true }, body: body)
        retries.conflicts = nil
        if try retries.isAny(db) {
            let settled = try conflicts.settle()
            retries.isAllowed = !isLast
            try retry(where: { isLast || settled.contains($0) }, body: body)
        }
        // These links may replace others, and the rows that lose them are checked later in this
        // import.
        try run.writer.linkResolvedReferences()
    }

    /// Retries items in the order of the document.
    ///
    /// If an item stays postponed, so do later items with the same key.
    private func retry(
        where isChosen: (Int64) -> Bool,
        body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        let (db, retries) = (run.writer.db, run.retries)
        var retried: Set<String> = []
        for number in try retries.numbers(db) {
            guard let item = try retries.item(db, number: number) else { continue }
            // An item has to follow a retried item with the same key.
            guard isChosen(number) || item.key.map(retried.contains) == true else { continue }
            if let key = item.key {
                if try retries.isWaiting(db, key: key, before: number) { continue }
                retried.insert(key)
            }
            try retry(item, number: number, body: body)
        }
        retries.end()
    }

    /// Retries an item.
    ///
    /// If it fails again, it stays postponed.
    private func retry(
        _ item: RetryQueue.Item,
        number: Int64,
        body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        defer { run.arena.reset() }
        run.log.beginItem()
        run.retries.begin(again: number)
        try JSONDocument(item.text).withRoot { node in
            let row = item.row.map(ObjectContext.Row.atPosition) ?? .byKey
            try body(node, row, item.position)
        }
        if run.retries.isNeeded {
            run.log.takeBackItem()
        } else {
            try run.retries.remove(run.writer.db, number: number)
        }
    }
}

extension ImportRun {
    /// Returns an object whose members can be read without importing it.
    func reader(
        of node: JSONNode,
        in entity: EntityImport,
        context: ObjectContext
    ) throws -> ObjectImport {
        let named = try self.entity(namedBy: node, in: entity) ?? entity
        return ObjectImport(node, of: named, context: context, in: self)
    }

    /// Returns the primary key of an item as text, independent of its JSON spelling; nil if the
    /// item has no key.
    fileprivate func itemKey(
        _ node: JSONNode,
        of entity: EntityImport,
        context: ObjectContext
    ) throws -> String? {
        guard node.kind == .object else { return nil }
        let item = try reader(of: node, in: entity, context: context)
        // Its diagnostics are recorded when it is imported.
        defer { log.takeBackItem() }
        item.readMembers()
        return try item.documentKey().flatMap { try text(ofKey: $0) }
    }

    private func text(ofKey key: [StoredValue]) throws -> String? {
        let value = writer.layout.keyExpression(key.indices.map { "?\($0 + 1)" })
        // `quote` distinguishes a number from a text with the same digits.
        let quote = try writer.statement("SELECT quote(\(value))")
        for (index, part) in key.enumerated() { quote.bind(part, at: index + 1) }
        defer { quote.reset() }
        guard try quote.step(), case .text(let bytes) = quote.value(at: 0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
