import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of a document's items into a scope: all rows of an entity, those that match a
/// predicate, or the children of one row.
final class ScopedImport {
    private let run: ImportRun
    private let entity: EntityImport
    private let parent: Parent?
    /// The rows that may be deleted, if a predicate or a parent selects them.
    private let candidates: RowSet?
    /// The highest row number when the import began.
    private let highest: Int64
    private var place: Int64 = 0
    /// The stored children without a key that have not been matched with items yet.
    private var unmatched = UnmatchedChildren()
    /// Whether an item without a key could not be stored: it may refer to any of the stored
    /// children.
    private var isIncomplete = false
    /// Whether items without a key are postponed until all have been counted.
    ///
    /// Their number determines which children they are compared with.
    private var isCounting = false
    /// Whether the first of these items was rejected immediately, so that the child at its position
    /// has not been skipped yet.
    private var isFirstRejected = false
    /// The number of these items that are postponed.
    private var waitingCount = 0
    /// The rows of items that were tried and are still postponed, by position.
    private var decided: [Int64: ObjectContext.Row] = [:]

    /// The row whose children the document contains.
    private struct Parent {
        let number: Int64
        let relationship: RelationshipPlan
    }

    init(_ run: ImportRun, into name: String, _ scope: ImportScope) throws {
        self.run = run
        entity = try run.entity(run.layout.index(ofEntity: name))
        highest = try ImportRun.highestRow(run.writer.db, in: entity.table)
        switch scope {
        case .entity:
            guard !entity.plan.key.isEmpty else { throw ImportError.needsParent(name) }
            parent = nil
            candidates = nil
        case .rows(let predicate):
            guard !entity.plan.key.isEmpty else { throw ImportError.needsParent(name) }
            parent = nil
            candidates = try run.reader.rows(RecordRequest(name, where: predicate))
        case .children(let row, let relationship):
            let parent = try Self.parent(run, of: entity, row, relationship)
            self.parent = parent
            let stored = try run.reader.linked(parent.relationship.layout, of: parent.number)
            candidates = RowSet(stored)
            if entity.plan.key.isEmpty {
                unmatched = UnmatchedChildren(stored)
            }
        }
    }

    func importItem(_ node: JSONNode) throws {
        defer { place += 1 }
        var context = context
        context.isItem = true
        guard entity.plan.key.isEmpty else {
            if let row = try run.importItem(node, entity, context, at: place) {
                try link(row, at: place)
            }
            return
        }
        if isCounting {
            context.isPutOff = true
            waitingCount += 1
        } else {
            // The number of items that follow is not known yet.
            context.row = unmatched.next(followedBy: .max)
        }
        let waiting = run.postponement.count
        if let row = try run.importItem(node, entity, context, at: place) {
            unmatched.match()
            try link(row, at: place)
        } else if !context.isPutOff, !unmatched.isEmpty {
            isIncomplete = true
            isCounting = true
            isFirstRejected = run.postponement.count == waiting
            if !isFirstRejected { waitingCount += 1 }
        }
    }

    /// Imports a postponed item, after all items were counted.
    func importAgain(_ node: JSONNode, _ row: ObjectContext.Row, at place: Int64) throws {
        var context = context
        context.row = row
        if case .byKey = row, entity.plan.key.isEmpty {
            if let row = decided[place] {
                context.row = row
            } else {
                return try importCounted(node, context, at: place)
            }
        }
        if let row = try run.importObject(node, entity, context) { try link(row, at: place) }
    }

    /// Imports an item without a key that was postponed until the items were counted.
    private func importCounted(
        _ node: JSONNode,
        _ context: ObjectContext,
        at place: Int64
    ) throws {
        if isFirstRejected {
            unmatched.reject(followedBy: waitingCount)
            isFirstRejected = false
        }
        waitingCount = max(0, waitingCount - 1)
        var context = context
        context.row = unmatched.next(followedBy: waitingCount)
        let row = try run.importObject(node, entity, context)
        if let row {
            unmatched.match()
            try link(row, at: place)
        } else {
            unmatched.reject(followedBy: waitingCount)
        }
        guard run.postponement.isNeeded else { return }
        if let row { context.row = .place(row) }
        if case .candidate = context.row { context.row = .new }
        decided[place] = context.row
    }

    /// The context in which items are imported.
    private var context: ObjectContext {
        var context = ObjectContext(operations: run.options.operations)
        if let parent, let inverse = parent.relationship.inverse {
            context.parent = ObjectContext.ParentLink(
                relationship: inverse,
                number: parent.relationship.ownsLinkedRows ? parent.number : nil
            )
        }
        return context
    }

    private func link(_ row: Int64, at place: Int64) throws {
        guard let parent else { return }
        try run.writer.link(parent.relationship.layout, of: parent.number, to: row)
        try run.writer.put(row, at: place, in: parent.relationship.layout, of: parent.number)
    }

    /// Deletes the rows that the document does not contain.
    func finish() throws {
        if run.options.operations.contains(.delete) {
            if let parent {
                try sweepChildren(of: parent)
            } else {
                try run.findStale(entity, upTo: highest, among: candidates)
            }
        }
        try run.deleteStale()
    }

    private func sweepChildren(of parent: Parent) throws {
        // An item that could not be stored may refer to any of the children without a key.
        guard !isIncomplete else { return }
        let layout = parent.relationship.layout
        let stale = try run.reader.linked(layout, of: parent.number).filter { row in
            // Only children that the parent had when the import began can be deleted.
            try candidates?.contains(row) == true && !entity.seen.contains(row)
                && !run.isDraft(row, entity)
        }
        guard run.mayDelete(stale, from: entity.plan.entity.table) else { return }
        guard parent.relationship.ownsLinkedRows, !parent.relationship.keepsOrphans else {
            // Without the parent within which its key is unique, a row would have no key.
            guard !parent.relationship.isParentInKey else { return }
            for row in stale {
                try run.writer.unlink(layout, of: parent.number, from: row)
            }
            return
        }
        run.stale[entity.plan.entity.table, default: []] += stale
    }

    private static func parent(
        _ run: ImportRun,
        of entity: EntityImport,
        _ row: RecordLocator,
        _ name: String?
    ) throws -> Parent {
        let record = try run.reader.record(row)
        guard let index = run.layout.index(of: record.reference.entity) else {
            throw ImportError(.ambiguousParent, "\(row) cannot be a parent.")
        }
        let lineage = run.layout.model[entity.plan.entity.name].map(run.layout.model.lineage(of:))
        let candidates = try run.entity(index).plan.relationships.filter { relationship in
            let destination = run.layout.entities[relationship.layout.destination].name
            let isNamed = name == nil || name == relationship.layout.relationship.name
            return isNamed && lineage?.contains { $0.name == destination } == true
        }
        guard candidates.count == 1, let relationship = candidates.first else {
            let names = candidates.map(\.layout.relationship.name).sorted()
            throw ImportError(
                .ambiguousParent,
                candidates.isEmpty
                    ? "No relationship \(name.map { "\($0) " } ?? "")leads from \(row) to \(entity.plan.entity.name)."
                    : "Several relationships lead from \(row) to \(entity.plan.entity.name).",
                hint: candidates.isEmpty
                    ? "Name another parent." : "Name one of \(names.joined(separator: ", "))."
            )
        }
        return Parent(number: record.reference.number, relationship: relationship)
    }
}

extension ImportRun {
    /// Returns the highest row number that a table has ever used.
    static func highestRow(_ db: Database, in table: TableLayout) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
            arguments: [table.name]
        ) ?? 0
    }

    /// Returns whether a row has no key yet, because the service has to assign it.
    ///
    /// No document can contain the row, so that none proves that it was deleted.
    func isDraft(_ number: Int64, _ entity: EntityImport) throws -> Bool {
        try !entity.plan.key.isEmpty && !reader.hasKey(number, of: entity.plan.entity)
    }
}
