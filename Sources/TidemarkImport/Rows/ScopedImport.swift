import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of a document's items into a scope: all rows of an entity, those that match a
/// predicate, or the children of one row.
final class ScopedImport {
    private let run: ImportRun
    private let items: ItemImport
    private let entity: EntityImport
    private let parent: Parent?

    /// The rows that may be deleted, if a predicate or a parent selects them.
    private let candidates: RowSet?

    /// The highest row number when the import began.
    private let highest: Int64

    /// The position of the next item.
    private var position: Int64 = 0

    /// The stored children without a key that have not been matched with items yet.
    private var unmatched = UnmatchedChildren()

    /// The items without a key that wait until all items were counted; nil while no item was
    /// rejected.
    ///
    /// A rejected item may refer to any of the stored children, so that none of them is deleted.
    private var uncounted: UncountedItems?

    /// The row whose children the document contains.
    private struct Parent {
        let row: Int64
        let relationship: RelationshipPlan
    }

    /// Items without a key that are postponed until all have been counted.
    ///
    /// Their number determines which children they are compared with.
    private struct UncountedItems {
        /// The number of the postponed items.
        var count = 0

        /// Whether the first of these items was rejected immediately, so that the child at its
        /// position has not been skipped yet.
        var isFirstRejected: Bool

        /// The rows of items that were retried and are still postponed, by position.
        var rows: [Int64: ObjectContext.Row] = [:]
    }

    private init(
        _ run: ImportRun,
        entity: EntityImport,
        highest: Int64,
        parent: Parent? = nil,
        candidates: RowSet? = nil
    ) {
        self.run = run
        self.entity = entity
        self.highest = highest
        self.parent = parent
        self.candidates = candidates
        items = ItemImport(run)
    }

    /// Finds the rows in a scope, before the first item is imported.
    static func begin(
        _ run: ImportRun,
        into name: String,
        scope: ImportScope
    ) throws -> ScopedImport {
        let entity = try run.entity(named: name)
        let highest = try run.highestRow(in: entity)
        if case .children(let row, let relationship) = scope {
            let parent = try parent(run, of: entity, row: row, relationship: relationship)
            let stored = try run.reader.linked(parent.relationship.layout, of: parent.row)
            let children = ScopedImport(
                run,
                entity: entity,
                highest: highest,
                parent: parent,
                candidates: RowSet(stored)
            )
            if entity.plan.key.isEmpty { children.unmatched = UnmatchedChildren(stored) }
            return children
        }
        // Without a primary key no item could be matched with a stored row.
        guard !entity.plan.key.isEmpty else { throw ImportError.needsParent(name) }
        var candidates: RowSet?
        if case .rows(let predicate) = scope {
            candidates = try run.writer.rows(RecordRequest(name, where: predicate))
        }
        return ScopedImport(run, entity: entity, highest: highest, candidates: candidates)
    }

    // MARK: Items

    /// Imports an item, and returns its row; nil if it was not imported, or not yet.
    func importItem(_ node: JSONNode) throws -> Int64? {
        defer { position += 1 }
        var context = context
        context.isItem = true
        guard entity.plan.key.isEmpty else {
            return try importItem(node, context: context)
        }
        if uncounted != nil {
            context.isPostponed = true
            uncounted?.count += 1
        } else {
            // The number of items that follow is not known yet.
            context.row = unmatched.next(followedBy: .max)
        }
        let waiting = run.retries.count
        let row = try importItem(node, context: context)
        if row != nil {
            unmatched.match()
        } else if !context.isPostponed, !unmatched.isEmpty {
            let isRejected = run.retries.count == waiting
            uncounted = UncountedItems(count: isRejected ? 0 : 1, isFirstRejected: isRejected)
        }
        return row
    }

    private func importItem(_ node: JSONNode, context: ObjectContext) throws -> Int64? {
        let row = try items.importItem(node, into: entity, context: context, at: position)
        if let row { try link(row, at: position) }
        return row
    }

    /// Retries the postponed items, after all items were counted.
    func retryPostponed() throws {
        try items.retryPostponed(isLast: true) { node, row, position in
            var context = context
            context.row = row
            if case .byKey = row, entity.plan.key.isEmpty {
                guard let decided = uncounted?.rows[position] else {
                    return try importCounted(node, context: context, at: position)
                }
                context.row = decided
            }
            let object = try items.importObject(node, into: entity, context: context)
            if let row = object.row { try link(row, at: position) }
        }
    }

    /// Imports an item without a key that was postponed until the items were counted.
    private func importCounted(
        _ node: JSONNode,
        context: ObjectContext,
        at position: Int64
    ) throws {
        var uncounted = uncounted ?? UncountedItems(isFirstRejected: false)
        if uncounted.isFirstRejected {
            unmatched.reject(followedBy: uncounted.count)
            uncounted.isFirstRejected = false
        }
        uncounted.count = max(0, uncounted.count - 1)
        var context = context
        context.row = unmatched.next(followedBy: uncounted.count)
        let row = try items.importObject(node, into: entity, context: context).row
        if let row {
            unmatched.match()
            try link(row, at: position)
        } else {
            unmatched.reject(followedBy: uncounted.count)
        }
        if run.retries.isNeeded {
            if let row { context.row = .atPosition(row) }
            if case .candidate = context.row { context.row = .new }
            uncounted.rows[position] = context.row
        }
        self.uncounted = uncounted
    }

    /// The context in which items are imported.
    private var context: ObjectContext {
        var context = ObjectContext(
            operations: run.options.permitted,
            isWhole: run.options.omitsNulls
        )
        if let parent, let inverse = parent.relationship.inverse {
            context.parent = ObjectContext.ParentLink(
                relationship: inverse,
                row: parent.relationship.ownsLinkedRows ? parent.row : nil
            )
        }
        return context
    }

    private func link(_ row: Int64, at position: Int64) throws {
        guard let parent else { return }
        let layout = parent.relationship.layout
        try run.writer.link(layout, of: parent.row, to: row)
        try run.writer.put(row, at: position, in: layout, of: parent.row)
    }

    // MARK: Deletions

    /// Deletes the rows that the document does not contain.
    ///
    /// - Parameter isCounting: Whether to count them if the operations do not include deletion.
    /// - Throws: `DatabaseError`.
    func deleteUnlisted(counting isCounting: Bool) throws {
        guard position == 0 || items.rejectedItems < position else { return try keepUnlisted() }
        if run.options.permitted.contains(.delete) {
            if let parent {
                try removeUnlistedChildren(of: parent)
            } else {
                entity.progress.unlisted += try unlistedRows()
            }
        } else if isCounting {
            run.unlisted.kept =
                try parent.map { try unlistedChildren(of: $0).count } ?? unlistedRows().count
        }
        try run.deleteUnlisted()
    }

    /// Reports that a document of which no object could be stored does not delete what is stored.
    private func keepUnlisted() throws {
        let kept = try parent.map(unlistedChildren(of:)) ?? unlistedRows()
        guard run.options.permitted.contains(.delete),
            run.mayDelete(kept, from: entity.plan.entity.table)
        else { return }
        run.log.record(
            "No rows were deleted: no object of the document could be stored.",
            entity: entity.name
        ) { (nil, nil) }
    }

    private func unlistedRows() throws -> [Int64] {
        try run.unlistedRows(of: entity, upTo: highest, among: candidates)
    }

    /// Returns the children that the parent had when the import began, and that the document does
    /// not contain.
    private func unlistedChildren(of parent: Parent) throws -> [Int64] {
        guard uncounted == nil else { return [] }
        return try run.reader.linked(parent.relationship.layout, of: parent.row).filter { row in
            try candidates?.contains(row) == true && !entity.progress.seen.contains(row)
                && !run.isDraft(row, of: entity)
        }
    }

    private func removeUnlistedChildren(of parent: Parent) throws {
        let layout = parent.relationship.layout
        let unlisted = try unlistedChildren(of: parent)
        guard run.mayDelete(unlisted, from: entity.plan.entity.table) else { return }
        guard parent.relationship.ownsLinkedRows, !parent.relationship.keepsOrphans else {
            // Without the parent within which its key is unique, a row would have no key.
            guard !parent.relationship.isParentInKey else { return }
            for row in unlisted {
                try run.writer.unlink(layout, of: parent.row, from: row)
            }
            return
        }
        entity.progress.unlisted += unlisted
    }

    private static func parent(
        _ run: ImportRun,
        of entity: EntityImport,
        row: RecordLocator,
        relationship name: String?
    ) throws -> Parent {
        let record = try run.reader.record(row)
        guard let index = run.layout.index(of: record.reference.entity) else {
            throw ImportError(.ambiguousParent, "\(row) cannot be a parent.")
        }
        let lineage = run.layout.model[entity.name].map(run.layout.model.lineage(of:))
        let candidates = try run.entity(index).relationships.filter { relationship in
            let destination = run.layout.entities[relationship.layout.destination].name
            let isNamed = name == nil || name == relationship.layout.relationship.name
            return isNamed && lineage?.contains { $0.name == destination } == true
        }
        guard candidates.count == 1, let relationship = candidates.first else {
            let names = candidates.map(\.layout.relationship.name).sorted()
            throw ImportError(
                .ambiguousParent,
                candidates.isEmpty
                    ? "No relationship \(name.map { "\($0) " } ?? "")leads from \(row) to \(entity.name)."
                    : "Several relationships lead from \(row) to \(entity.name).",
                hint: candidates.isEmpty
                    ? "Name another parent." : "Name one of \(names.joined(separator: ", "))."
            )
        }
        return Parent(row: record.reference.number, relationship: relationship)
    }
}
