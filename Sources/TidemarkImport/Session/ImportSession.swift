public import GRDB
public import TidemarkModel
import TidemarkStore

/// An import that goes over several transactions: begun, applied page by page, and finished.
///
/// Pages of a long list are committed one by one, so readers see them come and little is lost when
/// the process dies. What the list does not name is deleted only when it is finished, that is when
/// every page has been seen: a walk that ends early deletes nothing.
///
/// ```swift
/// try store.writer.write { db in try importer.begin(db, walk) }
/// for page in pages {
///     try store.writer.write { db in _ = try importer.apply(db, &page.items, of: walk) }
/// }
/// let report = try store.writer.write { db in try importer.finish(db, walk) }
/// ```
public struct ImportSession: Sendable, Hashable {
    /// The name the walk is kept under, such as that of the service's resource.
    public let resource: String

    /// The entity that the list's objects are.
    public let entity: String

    /// How the import goes about the list.
    public let options: ImportOptions

    /// Who walks: of two that walk under one name, the later takes over.
    public let run: String

    /// Which rows the list decides about.
    package let scope: SessionScope

    /// Describes a walk; ``Importer/begin(_:_:)`` begins it.
    ///
    /// - Parameters:
    ///   - resource: the name the walk is kept under.
    ///   - entity: the entity that the list's objects are.
    ///   - options: how the import goes about the list.
    ///   - run: what tells this walk from others under its name, where there can be others.
    public init(
        _ resource: String,
        into entity: String,
        options: ImportOptions = ImportOptions(),
        run: String = ""
    ) {
        self.init(resource, into: entity, options: options, run: run, scope: .entity)
    }

    package init(
        _ resource: String,
        into entity: String,
        options: ImportOptions,
        run: String,
        scope: SessionScope
    ) {
        self.resource = resource
        self.entity = entity
        self.options = options
        self.run = run
        self.scope = scope
    }
}

/// Which rows a list decides about.
package enum SessionScope: Hashable, Sendable {
    /// All rows of its entity.
    case entity

    /// The children of one row, in one of several lists.
    ///
    /// What such a list does not name is not deleted at its end, but gathered in the session of the
    /// resource that all these lists belong to: only there it shows how many rows would be deleted
    /// in all, and which have only moved to another parent's list.
    case children(of: ListParent)

    /// The rows that the lists of several parents have gathered.
    case gathered
}

/// The row whose children a list has.
package struct ListParent: Hashable, Sendable {
    /// The to-one relationship that leads from a child to it.
    package var relationship: String

    /// Its number.
    package var row: Int64

    /// The name of the session that gathers what the lists of all parents lack.
    package var session: String

    package init(relationship: String, row: Int64, session: String) {
        self.relationship = relationship
        self.row = row
        self.session = session
    }
}

extension Importer {
    /// The highest number that a row of an entity has had so far: what a walk that is begun later
    /// may delete, when it is asked before the list is.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - entity: The entity.
    /// - Returns: The number; 0 where there was no row.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func highestRow(_ db: Database, of entity: String) throws -> Int64 {
        let layout = try store.layout.entity(entity)
        return try ImportRun.highestRow(db, in: store.layout.tables[layout.table])
    }

    /// The rows that are stored now, as the limits of a ``DeletionGuard`` count them.
    ///
    /// - Parameter db: The connection.
    /// - Returns: The highest row numbers of all tables.
    /// - Throws: `DatabaseError`.
    package func storedRows(_ db: Database) throws -> StoredRows {
        try StoredRows(db, store.layout)
    }

    /// Begins a walk; one of this name that was not finished is forgotten, but for the children
    /// that it has seen leaving the list of their parent.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - walk: The walk.
    /// - Throws: ``ImportError``, `StoreError`, `DatabaseError`.
    public func begin(_ db: Database, _ walk: ImportSession) throws {
        try begin(db, walk, countingOnly: nil)
    }

    /// Begins a walk over a list that was requested before.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - walk: The walk.
    ///   - highest: The highest number of a row that may be deleted; nil for those that are here
    ///     now.
    ///   - stored: The rows that count towards the limits of a ``DeletionGuard``; nil for those
    ///     that are here now. A pull that reads a list several times gives those of its beginning.
    /// - Throws: ``ImportError``, `StoreError`, `DatabaseError`.
    package func begin(
        _ db: Database,
        _ walk: ImportSession,
        upTo highest: Int64? = nil,
        countingOnly stored: StoredRows?
    ) throws {
        try store.expectLayout(db)
        let entity = try store.layout.entity(walk.entity)
        guard !entity.key.isEmpty else { throw ImportError.needsParent(walk.entity) }
        let highest = try highest ?? highestRow(db, of: walk.entity)
        let marks = SeenRows(db, walk.resource, store.layout)
        let stored = try stored ?? StoredRows(db, store.layout)
        try marks.keepLeftOut {
            try forget(db, walk.resource)
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_walk (resource, entity, run, highest) VALUES (?, ?, ?, ?)
                    """,
                arguments: [walk.resource, walk.entity, walk.run, highest]
            )
            try marks.save(stored)
        }
    }

    /// Forgets a walk and all that it has seen, such as one over a list that is not read any more.
    ///
    /// Nothing is deleted; an unknown walk is ignored.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name that the walk is kept under.
    /// - Throws: `DatabaseError`.
    public func forget(_ db: Database, _ resource: String) throws {
        try db.execute(
            sql: "DELETE FROM _tidemark_walk WHERE resource = ?",
            arguments: [resource]
        )
    }

    /// Whether a session of this name and run was begun and not finished.
    package func isOpen(_ db: Database, _ resource: String, run: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_walk WHERE resource = ? AND run = ?)",
            arguments: [resource, run]
        ) ?? false
    }

    /// Imports the items of a page of the list.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - items: The items; they are read to their end.
    ///   - walk: The walk.
    /// - Returns: What became of the rows, and what could not be stored.
    /// - Throws: ``ImportError/Code/unknownWalk`` when the walk was not begun.
    public func apply(
        _ db: Database,
        _ items: inout some JSONItems,
        of walk: ImportSession
    ) throws -> ImportReport {
        try apply(db, &items, of: walk, as: ItemFormat(), within: BatchLimit()).report
    }

    /// Imports some of the list's items, as many as a transaction may.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - items: the items, from where the step before has ended.
    ///   - walk: the walk.
    ///   - reading: what the items are.
    ///   - bound: how much the transaction may do.
    /// - Returns: what it did, and whether it took the last item.
    /// - Throws: ``ImportError/Code/unknownWalk`` when the walk was not begun.
    package func apply(
        _ db: Database,
        _ items: inout some JSONItems,
        of walk: ImportSession,
        as reading: ItemFormat,
        within bound: BatchLimit
    ) throws -> BatchResult {
        var step = BatchResult()
        step.report = try perform(db, walk, postponedAfter: RetryQueue.highest(db)) {
            run,
            entity,
            _ in
            run.listed = listed(reading.listed, except: entity)
            let items = try run.importItems(&items, entity, walk, reading, bound)
            step.items = items.count
            step.isLast = items.isLast
            try run.writer.linkHeldReferences()
            try run.retryPostponed(of: walk, entity, isLast: false)
            step.repeated = run.repeatedItems
            step.unknown = run.unknownItems
            // References that are new may be resolved by the next page of the other list: what
            // their objects say beside the key is read again then.
            if run.unlistedObjects > 0 { step.unknown += run.writer.newReferences }
            step.marks = run.walkMarks
            try SeenRows(db, walk.resource, store.layout).save(run)
        }
        return step
    }

    /// The entities of some names and those that inherit from them, except those of a list's own
    /// table.
    private func listed(_ names: Set<String>, except own: EntityImport) -> Set<Int> {
        var listed: Set<Int> = []
        for name in names {
            guard let index = store.layout.index(of: name) else { continue }
            let entity = store.layout.entities[index]
            guard entity.table != own.plan.entity.table else { continue }
            let family =
                entity.family
                ?? store.layout.entities
                .filter { $0.table == entity.table }.map(\.name)
            listed.formUnion(family.compactMap(store.layout.index(of:)))
        }
        return listed
    }

    func perform(
        _ db: Database,
        _ walk: ImportSession,
        postponedAfter postponed: Int64,
        _ body: (ImportRun, EntityImport, _ highest: Int64) throws -> Void
    ) throws -> ImportReport {
        let (run, entity, highest) = try open(db, walk, postponedAfter: postponed)
        let highestHeld = try run.writer.highestHeldReference()
        try body(run, entity, highest)
        if walk.options.unresolved == .ignore {
            try run.writer.forgetHeldReferences(after: highestHeld)
        }
        try run.markOtherWalks(except: walk.resource, entity)
        try run.writer.finish()
        try run.reportRows()
        return try run.report()
    }

    /// A run that knows what a walk has seen, and the highest number of a row that the walk judges.
    ///
    /// It writes nothing.
    func open(
        _ db: Database,
        _ walk: ImportSession,
        postponedAfter postponed: Int64
    ) throws -> (run: ImportRun, entity: EntityImport, highest: Int64) {
        // A migration may have forgotten the walk, or called it otherwise: that is told first.
        try store.expectLayout(db)
        let highest = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT highest FROM _tidemark_walk WHERE resource = ? AND entity = ? AND run = ?
                    """
            ),
            arguments: [walk.resource, walk.entity, walk.run]
        )
        guard let highest, let index = store.layout.index(of: walk.entity) else {
            throw ImportError(
                .unknownWalk,
                "No walk over \(walk.resource) into \(walk.entity) was begun.",
                hint: "Begin it first."
            )
        }
        let run = try ImportRun(
            db,
            self,
            walk.options,
            postponing: try RetryQueue(
                db,
                of: walk.resource,
                after: postponed,
                limit: limits.postponedItems
            )
        )
        try SeenRows(db, walk.resource, store.layout).load(into: run)
        let entity = try run.entity(index)
        if case .children(let parent) = walk.scope {
            try run.expect(parent, of: entity)
            run.gathering = SeenRows(db, parent.session, store.layout)
        }
        return (run, entity, highest)
    }
}

extension ImportRun {
    func retryPostponed(of walk: ImportSession, _ entity: EntityImport, isLast: Bool) throws {
        var context = ObjectContext(operations: walk.options.operations)
        context.parent = parentLink(walk, entity)
        try retryPostponed(isLast: isLast) { node, _, _ in
            _ = try importObject(node, entity, context)
        }
    }
}
