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
///     try store.writer.write { db in try importer.apply(db, &page.items, of: walk) }
/// }
/// try store.writer.write { db in try importer.finish(db, walk) }
/// ```
public struct Walk: Sendable, Hashable {
    /// The name the walk is kept under, such as that of the service's resource.
    public let resource: String

    /// The entity that the list's objects are.
    public let entity: String

    /// How the import goes about the list.
    public let options: ImportOptions

    /// Who walks: of two that walk under one name, the later takes over.
    public let run: String

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
        self.resource = resource
        self.entity = entity
        self.options = options
        self.run = run
    }
}

extension Importer {
    /// Begins a walk; one of this name that was not finished is forgotten, but for the children
    /// that it has seen leaving the list of their parent.
    public func begin(_ db: Database, _ walk: Walk) throws {
        try store.expectLayout(db)
        let entity = try store.layout.entity(walk.entity)
        guard !entity.key.isEmpty else { throw ImportError.needsParent(walk.entity) }
        try SweepMarks(db, walk.resource, store.layout).keepLeftOut {
            try db.execute(
                sql: "DELETE FROM _tidemark_walk WHERE resource = ?",
                arguments: [walk.resource]
            )
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_walk (resource, entity, run, highest) VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    walk.resource, walk.entity, walk.run,
                    ImportRun.highestRow(db, in: store.layout.tables[entity.table]),
                ]
            )
        }
    }

    /// Imports some of the list's items.
    ///
    /// - Throws: ``ImportError/Code/unknownWalk`` when the walk was not begun.
    public func apply(
        _ db: Database,
        _ items: inout some JSONItems,
        of walk: Walk
    ) throws -> ImportReport {
        try perform(db, walk, postponedAfter: Postponement.highest(db)) { run, entity, _ in
            let context = ObjectContext(operations: walk.options.operations, isItem: true)
            while try items.next({ _ = try run.importItem($0, entity, context) }) {
                run.arena.reset()
            }
            try run.writer.linkHeldReferences()
            try run.retryPostponed(of: walk, entity, isLast: false)
            try SweepMarks(db, walk.resource, store.layout).save(run)
        }
    }

    /// Deletes what the list did not name, and ends the walk.
    ///
    /// Call it only when every page of the list has been applied.
    public func finish(_ db: Database, _ walk: Walk) throws -> ImportReport {
        try perform(db, walk, postponedAfter: 0) { run, entity, highest in
            if walk.options.operations.contains(.delete) {
                try run.findStale(entity, upTo: highest)
            }
            try run.deleteStale()
            try run.retryPostponed(of: walk, entity, isLast: true)
            try run.deleteStale()
            try db.execute(
                sql: "DELETE FROM _tidemark_walk WHERE resource = ?",
                arguments: [walk.resource]
            )
        }
    }

    private func perform(
        _ db: Database,
        _ walk: Walk,
        postponedAfter postponed: Int64,
        _ body: (ImportRun, EntityImport, _ highest: Int64) throws -> Void
    ) throws -> ImportReport {
        // A migration may have forgotten the walk, or called it otherwise: that is told first.
        try store.expectLayout(db)
        let highest = try Int64.fetchOne(
            db,
            sql: """
                SELECT highest FROM _tidemark_walk WHERE resource = ? AND entity = ? AND run = ?
                """,
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
            postponing: try Postponement(
                db,
                of: walk.resource,
                after: postponed,
                limit: limits.postponedItems
            )
        )
        try SweepMarks(db, walk.resource, store.layout).load(into: run)
        let highestHeld = try run.writer.highestHeldReference()
        try body(run, try run.entity(index), highest)
        if walk.options.unresolved == .ignore {
            try run.writer.forgetHeldReferences(after: highestHeld)
        }
        try run.markOtherWalks(except: walk.resource)
        try run.writer.finish()
        try run.reportRows()
        return try run.report()
    }
}

extension ImportRun {
    fileprivate func retryPostponed(of walk: Walk, _ entity: EntityImport, isLast: Bool) throws {
        let context = ObjectContext(operations: walk.options.operations)
        try retryPostponed(isLast: isLast) { node, _, _ in
            _ = try importObject(node, entity, context)
        }
    }
}
