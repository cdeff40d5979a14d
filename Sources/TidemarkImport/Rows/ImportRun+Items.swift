import GRDB
import TidemarkModel
import TidemarkStore

/// The items of a document: what is asked of the app before, and what is put off till the end.
extension ImportRun {
    /// Imports an item of the document, or what the app makes of it, and returns its row.
    ///
    /// - Parameters:
    ///   - node: the item.
    ///   - entity: its entity.
    ///   - context: how it comes to be imported.
    ///   - place: its place in the document, as far as that has a meaning.
    /// - Returns: its row's number; nil where it has none.
    /// - Throws: what ends the import.
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
            if let row { coverage?.exempt(row, in: entity.plan.entity.table) }
            return row
        }
    }

    /// Imports an item; when another row has a value that must be unique, it is put off, and so are
    /// later ones with its key: they are imported in the order of the document.
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
            // Pages may overlap.
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
        // It is told of when it is tried again.
        log.takeBackItem()
        var later = context
        // Only its row tells which object without a key it is.
        if let row, entity.plan.key.isEmpty { later.row = .place(row) }
        try postponement.put(off: node, key, later, at: place, writer.db)
        return row
    }

    /// The primary key of an item as text: the same one for each way to write it; nil where it has
    /// none.
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
        let quote = try writer.statement("SELECT quote(\(value))")
        for (index, part) in key.enumerated() { quote.bind(part, at: index + 1) }
        defer { quote.reset() }
        guard try quote.step(), case .text(let bytes) = quote.value(at: 0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Tries the items again that were put off, now that other rows have their new values or are
    /// gone.
    ///
    /// - Parameters:
    ///   - isLast: whether those that fail again are refused; else they wait on.
    ///   - body: imports an item of a place.
    /// - Throws: what ends the import.
    func retryPostponed(
        isLast: Bool,
        _ body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        guard try postponement.isAny(writer.db) else { return }
        let claims = UniqueConflicts(writer)
        self.claims = claims
        try retry(where: { _ in true }, body)
        self.claims = nil
        if try postponement.isAny(writer.db) {
            let settled = try claims.settle()
            postponement.isAllowed = !isLast
            try retry(where: { isLast || settled.contains($0) }, body)
        }
        // These links may replace others, whose rows are then checked with those of this import.
        try writer.linkHeldReferences()
    }

    /// Tries items again in the order of the document; behind one that waits on, those with its key
    /// wait too.
    private func retry(
        where isChosen: (Int64) -> Bool,
        _ body: (JSONNode, ObjectContext.Row, Int64) throws -> Void
    ) throws {
        var done: Set<String> = []
        for number in try postponement.numbers(writer.db) {
            guard let item = try postponement.item(number, writer.db) else { continue }
            guard isChosen(number) || item.key.map(done.contains) == true else { continue }
            if let key = item.key {
                if try postponement.isWaiting(key, before: number, writer.db) { continue }
                done.insert(key)
            }
            try retry(item, number, body)
        }
        postponement.end()
    }

    /// Tries an item again; where it fails again, it waits on.
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
