import GRDB
import TidemarkModel
import TidemarkStore

/// The items of a document and the rows they are about: all of an entity, or the children of one
/// row.
final class ScopedImport {
    private let run: ImportRun
    private let entity: EntityImport
    private let parent: Parent?
    /// The rows that may be deleted, where a predicate or a parent chooses them.
    private let candidates: RowSet?
    /// The highest row number when the import began.
    private let highest: Int64
    private var place: Int64 = 0
    /// For children without a key: the stored ones that have not been compared yet.
    private var unmatched = UnmatchedChildren()
    /// Whether an item without a key became no row: it may be any of the stored children.
    private var isIncomplete = false
    /// Whether the items without a key wait until all have been counted: with which children they
    /// are compared depends on that.
    private var isCounting = false
    /// Whether the first of these items was rejected at once, and its child has yet to be passed.
    private var isFirstRejected = false
    /// How many of these items wait.
    private var waitingCount = 0
    /// The rows of those that were tried and wait on, by place.
    private var decided: [Int64: ObjectContext.Row] = [:]

    /// The row whose children the document lists.
    private struct Parent {
        let number: Int64
        let relationship: RelationshipPlan
    }

    init(_ run: ImportRun, into name: String, _ scope: ImportScope) throws {
        self.run = run
        entity = try run.entity(run.layout.place(of: name))
        highest = try ImportRun.highestRow(run.writer.db, in: entity.table)
        switch scope {
        case .entity:
            guard !entity.plan.key.isEmpty else { throw ImportError.needsParent(name) }
            parent = nil
            candidates = nil
        case .rows(let predicate):
            guard !entity.plan.key.isEmpty else { throw ImportError.needsParent(name) }
            parent = nil
            candidates = try run.store.rows(run.writer.db, name, where: predicate)
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

    /// Imports an item that was put off, when the number of all items is known.
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

    /// Imports an item without a key that was put off until the items were counted.
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

    /// How items come to be imported.
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
        try run.writer.put(row, at: place, parent.relationship.layout, of: parent.number)
    }

    /// Deletes what the document did not name.
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
        // An item that became no row may be any of the children without a key.
        guard !isIncomplete else { return }
        let layout = parent.relationship.layout
        let stale = try run.reader.linked(layout, of: parent.number).filter { row in
            try candidates?.contains(row) == true && !entity.seen.contains(row)
                && !run.isDraft(row, entity)
        }
        guard run.mayDelete(stale, from: entity.plan.entity.table) else { return }
        guard parent.relationship.ownsLinkedRows, !parent.relationship.keepsOrphans else {
            // Without the parent within which its key is unique, a row would have none.
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
    /// The highest number that a row of a table has ever had.
    static func highestRow(_ db: Database, in table: TableLayout) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
            arguments: [table.name]
        ) ?? 0
    }

    /// Whether a row waits for the service to give it a key: no document can name it, so that none
    /// can tell that it is gone.
    func isDraft(_ number: Int64, _ entity: EntityImport) throws -> Bool {
        try !entity.plan.key.isEmpty && !reader.hasKey(number, of: entity.plan.entity)
    }
}
