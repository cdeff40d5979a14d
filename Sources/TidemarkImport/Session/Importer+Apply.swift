public import GRDB
public import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The pages of an import session.
extension Importer {
    /// Imports the items of one page of the list, and marks their rows as seen.
    ///
    /// Pages may be applied in any order, and may overlap, as those of a list whose objects move
    /// while it is read. Nothing is deleted for being absent from a page. Commit each page, so that
    /// readers see its rows and other connections can write between two pages.
    ///
    /// ```swift
    /// let page = try store.writer.write { db in
    ///     try importer.apply(db, &items, of: session)
    /// }
    /// print(page.changedRows)
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - items: The items. They are read to the end.
    ///   - session: The session.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started, `JSONError`,
    ///   `StoreError`, `DatabaseError`. Roll the transaction back then.
    public func apply(
        _ db: Database,
        _ items: inout some JSONItems,
        of session: ImportSession
    ) throws -> ImportReport {
        try apply(db, &items, of: session, as: ItemFormat(), within: BatchLimit()).report
    }

    /// Imports as many of the list's items as one transaction may.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - items: The items, starting where the previous transaction has ended.
    ///   - session: The session.
    ///   - format: The format of the items.
    ///   - limit: The size limit of the transaction.
    /// - Returns: What the transaction did, and whether it imported the last item.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started.
    package func apply(
        _ db: Database,
        _ items: inout some JSONItems,
        of session: ImportSession,
        as format: ItemFormat,
        within limit: BatchLimit
    ) throws -> BatchResult {
        var result = BatchResult()
        let postponed = try RetryQueue.highest(db)
        let report = try perform(db, session, retryingAfter: postponed) { transaction in
            let run = transaction.run
            let lists = listedEntities(format.listedEntities, except: transaction.entity)
            run.otherLists.entities = lists
            result = try transaction.importItems(&items, as: format, within: limit)
            try run.writer.linkResolvedReferences()
            try transaction.retryPostponed(isLast: false)
            // A page with unknown objects is not cached. The next page of another list may insert
            // the rows that the new references are waiting for; a 304 response for this page would
            // hide the other values of the objects embedded in it.
            if run.otherLists.unstoredObjects > 0 {
                result.itemsWithoutRow += run.writer.unresolved.newCount
            }
            try ObservedNames.add(db, run.observedNames)
            result.repeated = run.repeatedItemCount
            result.duplicates = run.log.duplicates
            result.rows = PageRows(run)
            try transaction.seenRows.save(run)
        }
        result.report = report
        return result
    }

    /// Returns the indexes of the named entities and of those that inherit from them, except
    /// entities in the list's own table.
    private func listedEntities(_ names: Set<String>, except own: EntityImport) -> Set<Int> {
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

    /// Marks the rows of a page as seen by a session, because the service reports that the page was
    /// not modified.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - rows: The rows that the page contained when it was read.
    ///   - session: The session.
    /// - Returns: A report without changed rows. Nil if some of the rows were deleted since:
    ///   nothing is marked then, and the page has to be requested again.
    /// - Throws: ``ImportError/Code/unknownSession`` if the session was not started.
    package func mark(
        _ db: Database,
        _ rows: PageRows,
        of session: ImportSession
    ) throws -> ImportReport? {
        guard rows.hasRowsForItems,
            try rows.rows.allSatisfy({ try hasRows(db, $0.value, in: $0.key) })
        else { return nil }
        let postponed = try RetryQueue.highest(db)
        return try perform(db, session, retryingAfter: postponed) { transaction in
            let run = transaction.run
            for (index, layout) in store.layout.tables.enumerated() {
                for row in (rows.rows[layout.name] ?? []).joined() {
                    run.table(index).insertSeen(row)
                }
                for row in (rows.items[layout.name] ?? []).joined() {
                    run.table(index).items.insert(row)
                }
                if rows.unidentified.contains(layout.name) {
                    run.table(index).hasUnidentifiedObject = true
                }
            }
            try transaction.seenRows.save(run)
            guard session.options.origin == .service, try Capture.isInstalled(db) else { return }
            let acknowledged = AcknowledgedChanges(db, store.layout)
            for (table, ranges) in rows.rows { try acknowledged.doubt(ranges, of: table) }
        }
    }

    /// Returns whether a table has all rows in some ranges.
    private func hasRows(
        _ db: Database,
        _ ranges: [ClosedRange<Int64>],
        in table: String
    ) throws -> Bool {
        // The name was read from the database and becomes part of a statement.
        guard store.layout.tables.contains(where: { $0.name == table }) else { return false }
        let statement = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM \(table.quotedDatabaseIdentifier) WHERE _id BETWEEN ? AND ?
                """
        )
        return try ranges.allSatisfy { range in
            try Int.fetchOne(statement, arguments: [range.lowerBound, range.upperBound])
                == range.count
        }
    }
}

extension ImportRun {
    /// The number of items that the session had received before this transaction.
    fileprivate var repeatedItemCount: Int {
        usedTables.reduce(0) { $0 + $1.progress.repeatedItemCount }
    }
}
