import GRDB
import TidemarkModel
import TidemarkStore

/// One transaction of an import session.
///
/// It restores what the session's earlier transactions have recorded (``SeenRows``), imports items
/// or decides about deletions, and stores what it has added in the same transaction: a session that
/// is interrupted by a crash resumes with the state of its last commit.
final class SessionTransaction {
    let session: ImportSession
    let run: ImportRun
    let items: ItemImport

    /// The entity of the list's objects.
    let entity: EntityImport

    /// The highest number of a row that the session may delete.
    let highest: Int64

    /// The highest row numbers when the list was requested, by table.
    ///
    /// Later rows do not count towards the limits of a ``DeletionGuard``.
    private(set) var storedRows: [Int: Int64] = [:]

    /// Whether the deletion of the session's pending rows was rejected.
    private(set) var isDeletionRejected = false

    /// Whether no guard decides about the rows that await approval.
    private(set) var isDeletionHeld = false

    private init(
        _ session: ImportSession,
        run: ImportRun,
        entity: EntityImport,
        highest: Int64
    ) {
        self.session = session
        self.run = run
        self.entity = entity
        self.highest = highest
        items = ItemImport(run)
    }

    /// Returns a transaction with the state of a session.
    ///
    /// Writes nothing.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - session: The session.
    ///   - importer: The importer.
    ///   - postponed: The number of the last postponed item that is not retried.
    /// - Returns: The transaction.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started,
    ///   ``ImportError/Code/parentDeleted``, `StoreError` if the store was migrated since.
    static func open(
        _ db: Database,
        _ session: ImportSession,
        importer: Importer,
        retryingAfter postponed: Int64 = 0
    ) throws -> SessionTransaction {
        let store = importer.store
        // A migration may have discarded or renamed the session: report that the layout is outdated
        // rather than that the session is unknown.
        try store.expectLayout(db)
        let highest = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT highest FROM _tidemark_walk WHERE resource = ? AND entity = ? AND run = ?
                    """
            ),
            arguments: [session.resource, session.entity, session.run]
        )
        guard let highest, let index = store.layout.index(of: session.entity) else {
            throw ImportError(
                .unknownSession,
                "No import session of \(session.resource) into \(session.entity) was started.",
                hint: "Start it first."
            )
        }
        let run = try ImportRun(
            db,
            importer: importer,
            options: session.options,
            retries: .open(
                db,
                of: session.resource,
                after: postponed,
                limit: importer.limits.postponedItems
            )
        )
        if try Capture.isInstalled(db) { run.recordForms() }
        let transaction = SessionTransaction(
            session,
            run: run,
            entity: try run.entity(index),
            highest: highest
        )
        try transaction.seenRows.load(into: transaction)
        if case .children(let parent) = session.scope {
            try transaction.expectStored(parent)
            run.otherLists.gathered = SeenRows(db, of: parent.session, layout: store.layout)
        }
        return transaction
    }

    /// The stored record of the session's rows.
    var seenRows: SeenRows { SeenRows(run.writer.db, of: session.resource, layout: run.layout) }

    /// Takes over what an earlier transaction has recorded about the session's deletions.
    func restore(storedRow: Int64, ofTable table: Int) { storedRows[table] = storedRow }

    /// Takes over that the deletion of the session's pending rows was rejected.
    func restoreRejection() { isDeletionRejected = true }

    func restoreHold() { isDeletionHeld = true }

    // MARK: The parent of a list

    /// Returns the link from an item to the parent row of the list; nil for a list of all rows of
    /// an entity.
    func parentLink(of entity: EntityImport) -> ObjectContext.ParentLink? {
        guard case .children(let parent) = session.scope,
            let index = entity.plan.entity.relationshipIndex(toParent: parent)
        else { return nil }
        return ObjectContext.ParentLink(relationship: index, row: parent.row)
    }

    /// Checks that the parent row of the list is stored.
    ///
    /// Another process may have deleted it after the list was requested.
    ///
    /// - Parameter parent: The parent.
    /// - Throws: ``ImportError/Code/parentDeleted``.
    private func expectStored(_ parent: ListParent) throws {
        guard let relationship = entity.plan.entity.relationship(toParent: parent) else { return }
        let destination = run.layout.entities[relationship.destination]
        guard try run.isStored(parent.row, in: destination.table) else {
            throw ImportError(
                .parentDeleted,
                "The \(destination.name) whose list was read is not stored any more."
            )
        }
    }

    /// Returns the stored children of the parent row that the list does not contain, sorted by row
    /// number.
    func unlistedChildren(of parent: ListParent) throws -> [Int64] {
        let layout = entity.plan.entity
        return try run.writer.children(of: parent, in: layout)
            .filter { row in
                try !entity.progress.seen.contains(row) && run.reader.hasKey(row, of: layout)
            }
            .sorted()
    }
}

extension StoreWriter {
    /// Returns the stored children of the parent row of a list.
    func children(of parent: ListParent, in entity: EntityLayout) throws -> [Int64] {
        try entity.relationship(toParent: parent)
            .map { try owners(of: $0, pointingAt: parent.row) } ?? []
    }
}

extension EntityLayout {
    /// Returns the to-one relationship that leads from a child to the parent row of its list.
    func relationship(toParent parent: ListParent) -> RelationshipLayout? {
        relationshipIndex(toParent: parent).map { relationships[$0] }
    }

    fileprivate func relationshipIndex(toParent parent: ListParent) -> Int? {
        relationships.firstIndex {
            $0.relationship.name == parent.relationship && !$0.relationship.isToMany
        }
    }
}

extension ImportRun {
    /// Returns whether a table has a row.
    func isStored(_ row: Int64, in table: Int) throws -> Bool {
        let name = layout.tables[table].name.quotedDatabaseIdentifier
        let find = try writer.statement("SELECT 1 FROM \(name) WHERE _id = ?")
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step()
    }
}

extension Importer {
    /// Performs a transaction of a session.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - session: The session.
    ///   - postponed: The number of the last postponed item that is not retried.
    ///   - body: The work.
    /// - Returns: The report.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started; any error of
    ///   `body`.
    func perform(
        _ db: Database,
        _ session: ImportSession,
        retryingAfter postponed: Int64 = 0,
        body: (SessionTransaction) throws -> Void
    ) throws -> ImportReport {
        try writing(db, from: session.options.origin) {
            try performCaptured(db, session, retryingAfter: postponed, body: body)
        }
    }

    private func performCaptured(
        _ db: Database,
        _ session: ImportSession,
        retryingAfter postponed: Int64,
        body: (SessionTransaction) throws -> Void
    ) throws -> ImportReport {
        let transaction = try SessionTransaction.open(
            db,
            session,
            importer: self,
            retryingAfter: postponed
        )
        let run = transaction.run
        let highestHeld = try run.writer.highestUnresolvedNumber()
        try body(transaction)
        // Only the references of this transaction: earlier imports may have used another policy.
        if session.options.unresolved == .ignore {
            try run.writer.discardNewUnresolved(after: highestHeld)
        }
        try run.markSeenInOtherSessions(than: session.resource, from: transaction.entity)
        try run.writer.finish()
        try run.callDidImport()
        return try run.report()
    }
}
