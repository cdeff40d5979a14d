import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Applying a page to the store.
extension ResourcePull {
    /// The objects of a page that was received.
    enum ReceivedBody: Sendable {
        /// In memory.
        case buffered(Page)
        /// In a temporary file: the items of the list, and the objects that the page includes
        /// because items refer to them.
        case spooled(Spool, items: SpooledItems.Position, included: SpooledItems.Position?)
    }

    /// Returns the import session of the list that is being read.
    ///
    /// Unless `deletesUnlistedRows`, the session does not delete rows that the list did not name.
    func session(deletesUnlistedRows: Bool = true) -> ImportSession {
        // Objects of a list of keys are incomplete: they must not create or update rows.
        var operations: ImportOperations = machine.checkpoint.mode == .keys ? [.delete] : .all
        if !deletesUnlistedRows { operations.remove(.delete) }
        return context.session(
            of: resource,
            scope: child.scope,
            run: machine.checkpoint.run,
            permitting: operations
        )
    }

    /// Applies the page that was received, in transactions short enough to let other connections
    /// write.
    mutating func apply(_ page: PageMetadata, of request: PageRequest) async throws -> BatchResult {
        var result = BatchResult()
        if let (items, included) = try batches() {
            // First, because the last transaction of the items saves the checkpoint of the page.
            var rows = PageRows()
            if let included { rows = try await applyAll(included, as: includedFormat).rows }
            result = try await applyAll(items, as: itemFormat, including: rows) {
                [self] result, db in
                try save(result, of: page, from: request, db)
            }
        }
        report.reading.rejectedItems += result.rejectedItems
        body = nil
        report.pages += 1
        context.run.emit(
            .page(
                resource: resource.path,
                done: report.items,
                expected: machine.checkpoint.mode == .list ? page.total : nil
            )
        )
        return result
    }

    /// Applies a page, and remembers how it was requested if suspected evidence has led to new
    /// objects.
    mutating func applyFollowing(
        _ page: PageMetadata,
        of request: PageRequest
    ) async throws -> BatchResult {
        guard case .applying(_, let fetch) = machine.state, fetch.suspected != nil else {
            return try await apply(page, of: request)
        }
        let (items, rejected) = (report.items, report.reading.rejectedItems)
        let batch = try await apply(page, of: request)
        guard let suspected = fetch.suspected, machine.follows(batch, suspected) else {
            // The page is not one of the list.
            report.items = items
            report.reading.rejectedItems = rejected
            return batch
        }
        if let paging = request.paging { record(paging) }
        return batch
    }

    /// Returns the objects of the page that was received; nil if it has none.
    private func batches() throws -> (items: PageBatches, included: PageBatches?)? {
        switch body {
        case .buffered(let page)?:
            (.buffered(try page.items()), try page.included().map { .buffered($0) })
        case .spooled(let spool, let items, let included)?:
            (.spooled(spool, at: items), included.map { .spooled(spool, at: $0) })
        case nil: nil
        }
    }

    /// Applies objects of a page in one transaction after the other.
    ///
    /// - Parameters:
    ///   - batches: The objects.
    ///   - format: The format of the objects.
    ///   - rows: Further rows of the page.
    ///   - completion: The last work of the transaction of the last object.
    /// - Returns: The results of all transactions.
    /// - Throws: Errors of this resource or of the whole pull.
    private mutating func applyAll(
        _ batches: PageBatches,
        as format: ItemFormat,
        including rows: PageRows = PageRows(),
        completion: @escaping @Sendable (BatchResult, Database) throws -> Void = { _, _ in }
    ) async throws -> BatchResult {
        var (batches, total, isLong) = (batches, BatchResult(), batches.isSpooled)
        total.rows = rows
        // An error does not undo the transactions before it.
        defer {
            report.imported.add(total.report, limit: context.run.limits.diagnostics)
            if format.role == .items, machine.checkpoint.mode != .keys {
                report.items += total.items
            }
        }
        repeat {
            (batches, total) = try await context.run.write(isLong: isLong) {
                [self, batches, total] db in
                var (batches, total) = (batches, total)
                let batch = try applyNext(of: &batches, as: format, db)
                total.add(batch, limit: context.run.limits.diagnostics)
                if total.isLast { try completion(total, db) }
                return (batches, total)
            }
            highestRow = nil
            isLong = true
        } while !total.isLast
        return total
    }

    /// Performs the work of one transaction: starts the import session if necessary, and applies
    /// items until a limit is reached.
    private func applyNext(
        of batches: inout PageBatches,
        as format: ItemFormat,
        _ db: Database
    ) throws -> BatchResult {
        try startSession(db)
        var format = format
        format.listedEntities = try context.listedEntities(db)
        let (limits, environment) = (context.run.limits, context.run.environment)
        let end = environment.now().addingTimeInterval(limits.transactionTime / .seconds(1))
        let limit = BatchLimit(rows: limits.rowsInTransaction) { environment.now() >= end }
        switch batches {
        case .buffered(var items):
            defer { batches = .buffered(items) }
            return try importer.apply(db, &items, of: session(), as: format, within: limit)
        case .spooled(let spool, let position):
            let spooled = SpooledItems(spool, from: position, limits: limits)
            var items = PlainObjects(
                spooled,
                in: resource.style.objects,
                item: resource.style.item,
                linkedTypes: resource.linkedTypes,
                limits: limits
            )
            var batch = try importer.apply(db, &items, of: session(), as: format, within: limit)
            let rest = items.base.position
            batches = .spooled(spool, at: rest)
            batch.isLast = batch.isLast || rest.count == 0
            return batch
        }
    }

    private var itemFormat: ItemFormat {
        var format = includedFormat
        format.role = .items
        if case .marked(let path, let value) = resource.style.deletes {
            (format.deletionFlag, format.deletionValue) = (path, value)
        }
        if case .since(let since) = resource.style.delta { format.knownPaths = [since.field] }
        return format
    }

    private var includedFormat: ItemFormat {
        var format = ItemFormat()
        format.typeMember = resource.style.objects.kind
        format.entities = context.entitiesByType
        format.role = .included
        return format
    }

    /// Saves the cached metadata of the page and the checkpoint, in the transaction of its last
    /// rows.
    private func save(
        _ result: BatchResult,
        of page: PageMetadata,
        from request: PageRequest,
        _ db: Database
    ) throws {
        // A page with objects that have no row yet is not cached: a 304 would hide these objects.
        // Nor is one that may have a next page, which is unknown without its body.
        if let validator = page.validator, resource.style.validation == .pages,
            result.itemsWithoutRow == 0, page.suspected?.isAssumed ?? true
        {
            try PageCacheEntry(
                url: context.run.remote.location(of: request),
                validator: validator,
                next: page.next?.url,
                since: page.next?.mode.cursor,
                count: page.count,
                total: page.total,
                cursor: page.cursor,
                rows: result.rows
            )
            .save(db, in: resource.path, of: machine.checkpoint)
        }
        try saveCheckpoint(after: result, db)
    }

    private func saveCheckpoint(after batch: BatchResult, _ db: Database) throws {
        guard let checkpoint = machine.checkpoint(after: batch) else { return }
        try save(.save(checkpoint), db)
    }

    /// Starts the import session if the list was requested from its first page.
    func startSession(_ db: Database) throws {
        guard let highestRow else { return }
        try importer.begin(db, session(), upTo: highestRow, countingOnly: context.stored)
        try save(.save(machine.firstCheckpoint), db)
    }

    /// Records that an unmodified page was read.
    ///
    /// If rows that it named were deleted, the page has to be read.
    mutating func mark(
        _ page: PageMetadata,
        of request: PageRequest
    ) async throws -> PullStateMachine.Event {
        let batch = BatchResult(items: page.count)
        let report = try await context.run.write { [self] db -> ImportReport? in
            let url = try context.run.remote.location(of: request)
            guard let entry = try PageCacheEntry.of(url, in: resource.path, db) else { return nil }
            try startSession(db)
            guard let report = try importer.mark(db, entry.rows, of: session()) else { return nil }
            try PageCacheEntry.touch(db, url, in: resource.path, of: machine.checkpoint)
            try saveCheckpoint(after: batch, db)
            return report
        }
        guard let report else { return .rowsMissing }
        highestRow = nil
        self.report.imported.add(report, limit: context.run.limits.diagnostics)
        return .applied(batch)
    }
}
