public import GRDB
public import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// An import that takes several transactions: it is started, applied page by page, and finished.
///
/// The pages of a long list are committed one by one, so that readers see rows early and a crash
/// loses little work. Rows that the list does not contain are deleted only by
/// ``Importer/finish(_:_:)``, after every page has been applied: a session that ends early deletes
/// nothing.
///
/// ```swift
/// try store.writer.write { db in try importer.begin(db, walk) }
/// for page in pages {
///     try store.writer.write { db in _ = try importer.apply(db, &page.items, of: walk) }
/// }
/// let report = try store.writer.write { db in try importer.finish(db, walk) }
/// ```
public struct ImportSession: Sendable, Hashable {
    /// The name under which the session is stored, such as the name of the service's resource.
    public let resource: String

    /// The entity of the list's objects.
    public let entity: String

    /// The options of the import.
    public let options: ImportOptions

    /// The identifier of the run that reads the list.
    ///
    /// A session started by a later run under the same name replaces this one.
    public let run: String

    /// The rows that the list decides about.
    package let scope: SessionScope

    /// Describes a session.
    ///
    /// ``Importer/begin(_:_:)`` starts it.
    ///
    /// - Parameters:
    ///   - resource: The name under which the session is stored.
    ///   - entity: The entity of the list's objects.
    ///   - options: The options of the import.
    ///   - run: The identifier of the run, if several runs may use the same name.
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

/// The rows that a list decides about.
package enum SessionScope: Hashable, Sendable {
    /// All rows of the list's entity.
    case entity

    /// The children of one row, for a resource that has one list for each parent.
    ///
    /// The end of such a list does not delete the children that it lacks, but adds them to the
    /// session of the resource that all these lists belong to. Only that session knows how many
    /// rows would be deleted in total, and which rows have moved to another parent's list.
    case children(of: ListParent)

    /// The rows that the lists of several parents lack.
    case gathered
}

/// The parent row of a list.
package struct ListParent: Hashable, Sendable {
    /// The to-one relationship from a child to the parent.
    package var relationship: String

    /// The row number of the parent.
    package var row: Int64

    /// The name of the session that gathers the rows that the lists of all parents lack.
    package var session: String

    package init(relationship: String, row: Int64, session: String) {
        self.relationship = relationship
        self.row = row
        self.session = session
    }
}

extension Importer {
    /// Returns the highest row number that an entity's table has ever used.
    ///
    /// Call it before the list is requested: a session that starts later must not delete rows that
    /// were inserted after the request.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - entity: The entity.
    /// - Returns: The row number; 0 if the table has never had a row.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func highestRow(_ db: Database, of entity: String) throws -> Int64 {
        let layout = try store.layout.entity(entity)
        return try ImportRun.highestRow(db, in: store.layout.tables[layout.table])
    }

    /// Returns the rows that are stored now: those that count towards the limits of a
    /// ``DeletionGuard``.
    ///
    /// - Parameter db: The connection.
    /// - Returns: The highest row numbers of all tables.
    /// - Throws: `DatabaseError`.
    package func storedRows(_ db: Database) throws -> StoredRows {
        try StoredRows(db, store.layout)
    }

    /// Starts an import session.
    ///
    /// An unfinished session of the same name is discarded, except for its record of children that
    /// were removed from a parent's list.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - walk: The session.
    /// - Throws: ``ImportError``, `StoreError`, `DatabaseError`.
    public func begin(_ db: Database, _ walk: ImportSession) throws {
        try begin(db, walk, countingOnly: nil)
    }

    /// Starts an import session for a list that was requested earlier.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - walk: The session.
    ///   - highest: The highest number of a row that may be deleted; nil for the highest one now.
    ///   - stored: The rows that count towards the limits of a ``DeletionGuard``; nil for those
    ///     that are stored now. A pull that reads a list several times passes those from its
    ///     beginning.
    /// - Throws: ``ImportError``, `StoreError`, `DatabaseError`.
    package func begin(
        _ db: Database,
        _ walk: ImportSession,
        upTo highest: Int64? = nil,
        countingOnly stored: StoredRows?
    ) throws {
        try store.expectLayout(db)
        let entity = try store.layout.entity(walk.entity)
        // Without a primary key no item could be matched with a stored row.
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

    /// Discards a session and its record of rows, for example when its list is no longer read.
    ///
    /// Deletes no rows of the model. An unknown session is ignored.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - resource: The name under which the session is stored.
    /// - Throws: `DatabaseError`.
    public func forget(_ db: Database, _ resource: String) throws {
        try db.execute(
            sql: "DELETE FROM _tidemark_walk WHERE resource = ?",
            arguments: [resource]
        )
    }

    /// Returns whether a session of this name and run was started and is not finished.
    package func isOpen(_ db: Database, _ resource: String, run: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_walk WHERE resource = ? AND run = ?)",
            arguments: [resource, run]
        ) ?? false
    }

    /// Imports the items of one page of the list.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - items: The items. They are read to the end.
    ///   - walk: The session.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: ``ImportError/Code/unknownWalk`` if the session was not started.
    public func apply(
        _ db: Database,
        _ items: inout some JSONItems,
        of walk: ImportSession
    ) throws -> ImportReport {
        try apply(db, &items, of: walk, as: ItemFormat(), within: BatchLimit()).report
    }

    /// Imports as many of the list's items as one transaction may.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - items: The items, starting where the previous transaction has ended.
    ///   - walk: The session.
    ///   - reading: The format of the items.
    ///   - bound: The size limit of the transaction.
    /// - Returns: What the transaction did, and whether it imported the last item.
    /// - Throws: ``ImportError/Code/unknownWalk`` if the session was not started.
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
            try run.writer.linkResolvedReferences()
            try run.retryPostponed(of: walk, entity, isLast: false)
            step.repeated = run.repeatedItems
            step.unknown = run.unknownItems
            // A page with unknown objects is not cached. The next page of another list may insert
            // the rows that the new references are waiting for; a 304 response for this page would
            // hide the other values of the objects embedded in it.
            if run.unlistedObjects > 0 { step.unknown += run.writer.newReferences }
            step.marks = run.walkMarks
            try SeenRows(db, walk.resource, store.layout).save(run)
        }
        return step
    }

    /// Returns the indexes of the named entities and of those that inherit from them, except
    /// entities in the list's own table.
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
        let highestHeld = try run.writer.highestUnresolvedNumber()
        try body(run, entity, highest)
        // Only the references of this transaction: earlier imports may have used another policy.
        if walk.options.unresolved == .ignore {
            try run.writer.discardNewUnresolved(after: highestHeld)
        }
        try run.markOtherWalks(except: walk.resource, entity)
        try run.writer.finish()
        try run.reportRows()
        return try run.report()
    }

    /// Returns an import run with the state of a session, and the highest row number that the
    /// session may delete.
    ///
    /// Writes nothing.
    func open(
        _ db: Database,
        _ walk: ImportSession,
        postponedAfter postponed: Int64
    ) throws -> (run: ImportRun, entity: EntityImport, highest: Int64) {
        // A migration may have discarded or renamed the session: report that the layout is outdated
        // rather than that the session is unknown.
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
                "No import session of \(walk.resource) into \(walk.entity) was started.",
                hint: "Start it first."
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
    /// Retries the postponed items of a session with the context of the list's items.
    func retryPostponed(of walk: ImportSession, _ entity: EntityImport, isLast: Bool) throws {
        var context = ObjectContext(operations: walk.options.operations)
        context.parent = parentLink(walk, entity)
        try retryPostponed(isLast: isLast) { node, _, _ in
            _ = try importObject(node, entity, context)
        }
    }
}
