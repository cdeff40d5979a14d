import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The items of a document: the hook that is called before, and items that are postponed to the
/// end.
extension ImportRun {
    /// Imports an item of the document, or its replacement by the app's hook, and returns its row.
    ///
    /// - Parameters:
    ///   - node: The item.
    ///   - entity: The entity of the item.
    ///   - context: How the item is imported.
    ///   - place: The position of the item in the document, if it is used.
    /// - Returns: The row number; nil if the item has no row.
    /// - Throws: An error that ends the import.
    func importItem(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext,
        at place: Int64 = 0
    ) throws -> Int64? {
        guard let willImport = hooks.willImport else {
            return try attemptItem(node, entity, context, at: place)
        }
        switch try willImport(writer.db, node, entity.plan.entity.name) {
        case .keep:
            return try attemptItem(node, entity, context, at: place)
        case .replace(let document):
            return try document.withRoot { try attemptItem($0, entity, context, at: place) }
        case .skip:
            var untouched = context
            untouched.operations = []
            let row = try importObject(node, entity, untouched)
            // A value that the app left out on purpose is not a difference for a verification.
            if let row { coverage?.exempt(row, in: entity.plan.entity.table) }
            return row
        }
    }

    /// Imports an item.
    ///
    /// It is postponed if another row has one of its unique values. Later items with the same key
    /// are then postponed, too, to import them in the order of the document.
    private func attemptItem(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext,
        at place: Int64
    ) throws -> Int64? {
        log.beginItem()
        if postponement.isWaiting, let key = try itemKey(node, entity, within: context.parent),
            try postponement.isWaiting(key, writer.db), postponement.request()
        {
            // Pages of a session may overlap, so that a repeated item is not an error.
            if !postponement.isOfWalk {
                noteRepetition(node, try namedEntity(node, entity) ?? entity)
            }
            try postponement.put(off: node, key, context, at: place, writer.db)
            return nil
        }
        if context.isPutOff {
            var later = context
            later.row = .byKey
            try postponement.put(off: node, nil, later, at: place, writer.db)
            return nil
        }
        let row = try importObject(node, entity, context)
        guard postponement.isNeeded else { return row }
        let key = try itemKey(node, entity, within: context.parent)
        // Its diagnostics are logged when it is retried.
        log.takeBackItem()
        var later = context
        // An object without a key is only identified by its row.
        if let row, entity.plan.key.isEmpty { later.row = .place(row) }
        try postponement.put(off: node, key, later, at: place, writer.db)
        return row
    }

    /// Returns the primary key of an item as text, independent of its JSON spelling; nil if the
    /// item has no key.
    private func itemKey(
        _ node: JSONNode,
        _ entity: EntityImport,
        within parent: ObjectContext.ParentLink?
    ) throws -> String? {
        guard node.kind == .object else { return nil }
        let entity = try namedEntity(node, entity) ?? entity
        let frame = entity.takeFrame()
        defer {
            entity.giveBack(frame)
            log.takeBackItem()
        }
        readMembers(node, entity, frame)
        return try writtenKey(node, entity, frame, within: parent).flatMap { try text(of: $0) }
    }

    private func text(of key: [StoredValue]) throws -> String? {
        let value = writer.keyExpression(key.indices.map { "?\($0 + 1)" })
        // `quote` distinguishes a number from a text with the same digits.
        let quote = try writer.statement("SELECT quote(\(value))")
        for (index, part) in key.enumerated() { quote.bind(part, at: index + 1) }
        defer { quote.reset() }
        guard try quote.step(), case .text(let bytes) = quote.value(at: 0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Retries the postponed items, after other rows have got their new values or were deleted.
    ///
    /// - Parameters:
    ///   - isLast: Whether items that fail again are rejected. Otherwise they stay postponed.
    ///   - body: Imports an item, given its row and position.
    /// - Throws: An error that ends the import.
    func retryPostponed(
        isLast: Bool,
        _ body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        guard try postponement.isAny(writer.db) else { return }
        let claims = UniqueConflicts(writer)
        self.claims = claims
        // The first attempt succeeds for items whose values were freed meanwhile, and collects the
        // conflicts of the others.
        try retry(where: { _ in true }, body)
        self.claims = nil
        if try postponement.isAny(writer.db) {
            let settled = try claims.settle()
            postponement.isAllowed = !isLast
            try retry(where: { isLast || settled.contains($0) }, body)
        }
        // These links may replace others, and the rows that lose them are checked later in this
        // import.
        try writer.linkResolvedReferences()
    }

    /// Retries items in the order of the document.
    ///
    /// If an item stays postponed, so do later items with the same key.
    private func retry(
        where isChosen: (Int64) -> Bool,
        _ body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        var done: Set<String> = []
        for number in try postponement.numbers(writer.db) {
            guard let item = try postponement.item(number, writer.db) else { continue }
            // An item has to follow a retried item with the same key.
            guard isChosen(number) || item.key.map(done.contains) == true else { continue }
            if let key = item.key {
                if try postponement.isWaiting(key, before: number, writer.db) { continue }
                done.insert(key)
            }
            try retry(item, number, body)
        }
        postponement.end()
    }

    /// Retries an item.
    ///
    /// If it fails again, it stays postponed.
    private func retry(
        _ item: RetryQueue.Item,
        _ number: Int64,
        _ body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        defer { arena.reset() }
        log.beginItem()
        postponement.begin(again: number)
        try JSONDocument(item.text).withRoot { node in
            try body(node, item.row.map(ObjectContext.Row.place) ?? .byKey, item.place)
        }
        if postponement.isNeeded {
            log.takeBackItem()
        } else {
            try postponement.remove(number, writer.db)
        }
    }
}
