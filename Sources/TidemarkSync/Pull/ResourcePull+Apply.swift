import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Applying a page to the store.
extension ResourcePull {
    /// The objects of a page that was received.
    enum PageBody: Sendable {
        /// In memory.
        case buffered(Page)
        /// In a temporary file.
        case spooled(SpooledPage)
    }

    /// Returns the import session of the list that is being read.
    ///
    /// Unless `deletesUnlistedRows`, the session does not delete rows that the list did not name.
    func session(deletesUnlistedRows: Bool = true) -> ImportSession {
        var options = context.options.importing
        // Objects of a list of keys are incomplete: they must not create or update rows.
        if machine.checkpoint.mode == .keys { options.operations.formIntersection([.delete]) }
        if !deletesUnlistedRows || resource.style.deletes == .none {
            options.operations.remove(.delete)
        }
        return ImportSession(
            resource.path,
            into: resource.entity,
            options: options,
            run: machine.checkpoint.run,
            scope: child.map { .children(of: $0.parent) } ?? .entity
        )
    }

    /// Applies the page that was received, in transactions short enough to let other connections
    /// write.
    mutating func apply(
        _ page: PageMetadata,
        of request: PageRequest
    ) async throws -> PullStateMachine.PageCounts {
        let counts =
            switch body {
            case .buffered(let body)?:
                try await apply(
                    BufferedBatches(body.items()),
                    including: body.included().map { BufferedBatches($0) },
                    of: page,
                    from: request
                )
            case .spooled(let body)?:
                try await apply(
                    body.batches(at: body.items),
                    including: body.included.map { body.batches(at: $0) },
                    of: page,
                    from: request
                )
            case nil: PullStateMachine.PageCounts()
            }
        body = nil
        report.pages += 1
        context.emit(
            .page(
                resource: resource.path,
                done: report.items,
                expected: machine.checkpoint.mode == .list ? page.total : nil
            )
        )
        return counts
    }

    private mutating func apply<Batches: PageBatches>(
        _ items: Batches,
        including included: Batches?,
        of page: PageMetadata,
        from request: PageRequest
    ) async throws -> PullStateMachine.PageCounts {
        var result = PageResult()
        // First, because the last transaction of the items saves the checkpoint of the page.
        if let included {
            let rows = try await applyBatches(of: included, as: includedFormat).rows
            result.rows = rows
        }
        return try await applyBatches(of: items, as: itemFormat, adding: result) {
            [self] result, db in
            try save(result, of: page, from: request, db)
        }
        .counts
    }

    /// The results of the batches of a page so far.
    private struct PageResult {
        var counts = PullStateMachine.PageCounts()
        /// The rows for the cached metadata of the page.
        var rows = PageRows()

        func adding(_ batch: BatchResult) -> PageResult {
            var sum = self
            sum.counts.items += batch.items - batch.repeated
            sum.counts.repeated += batch.repeated
            sum.counts.withoutRow += batch.unknown
            sum.rows.add(batch.rows)
            return sum
        }
    }

    /// Applies objects of a page in one transaction after the other.
    ///
    /// - Parameters:
    ///   - batches: The objects.
    ///   - format: The format of the objects.
    ///   - earlier: The results to add to.
    ///   - completion: The last work of the transaction of the last object.
    /// - Returns: The results of all batches.
    /// - Throws: Errors of this resource or of the whole pull.
    private mutating func applyBatches(
        of batches: some PageBatches,
        as format: ItemFormat,
        adding earlier: PageResult = PageResult(),
        completion: @escaping @Sendable (PageResult, Database) throws -> Void = { _, _ in }
    ) async throws -> PageResult {
        var (batches, total) = (batches, earlier)
        var (isFirst, isLast) = (true, false)
        while !isLast {
            let isLong = batches.isSpooled || !isFirst
            let (rest, batch) = try await context.write(isLong: isLong) {
                [self, batches, total] db in
                var rest = batches
                let batch = try apply(&rest, as: format, db)
                if batch.isLast { try completion(total.adding(batch), db) }
                return (rest, batch)
            }
            batches = rest
            total = total.adding(batch)
            if format.role == .items, machine.checkpoint.mode != .keys {
                report.items += batch.items
            }
            report.imported.add(batch.report, limit: context.limits.diagnostics)
            highestRow = nil
            (isFirst, isLast) = (false, batch.isLast)
        }
        return total
    }

    /// Performs the work of one transaction: starts the import session if necessary, and applies
    /// items until a limit is reached.
    private func apply(
        _ batches: inout some PageBatches,
        as format: ItemFormat,
        _ db: Database
    ) throws -> BatchResult {
        try startSession(db)
        var format = format
        format.listedEntities = try context.listedEntities(db)
        let environment = context.environment
        let end = environment.now().addingTimeInterval(context.limits.transactionTime / .seconds(1))
        var items = batches.items(limits: context.limits, style: resource.style.objects)
        var batch = try importer.apply(
            db,
            &items,
            of: session(),
            as: format,
            within: BatchLimit(rows: context.limits.rowsInTransaction) { environment.now() >= end }
        )
        batches.advance(to: items)
        batch.isLast = batch.isLast || batches.isAtEnd
        return batch
    }

    private var itemFormat: ItemFormat {
        var format = includedFormat
        format.role = .items
        if case .marked(let path) = resource.style.deletes { format.deletionFlag = path }
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
        _ result: PageResult,
        of page: PageMetadata,
        from request: PageRequest,
        _ db: Database
    ) throws {
        // A page with objects that have no row yet is not cached: a 304 would hide these objects.
        if let validator = page.validator, resource.style.validation == .pages,
            result.counts.withoutRow == 0
        {
            try PageCacheEntry(
                url: context.remote.location(of: request),
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
        try save(result.counts, db)
    }

    private func save(_ counts: PullStateMachine.PageCounts, _ db: Database) throws {
        guard let checkpoint = machine.checkpoint(after: counts) else { return }
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
        let counts = PullStateMachine.PageCounts(items: page.count)
        let report = try await context.write { [self] db -> ImportReport? in
            let url = try context.remote.location(of: request)
            guard let entry = try PageCacheEntry.of(url, in: resource.path, db) else { return nil }
            try startSession(db)
            guard let report = try importer.mark(db, entry.rows, of: session()) else { return nil }
            try PageCacheEntry.touch(db, url, in: resource.path, of: machine.checkpoint)
            try save(counts, db)
            return report
        }
        guard let report else { return .rowsMissing }
        highestRow = nil
        self.report.imported.add(report, limit: context.limits.diagnostics)
        return .applied(counts)
    }
}
