import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The pull of one resource: performs the actions of the state machine, and reports their results
/// to it.
struct ResourcePull {
    let resource: RemoteResource
    let setting: PullContext
    var cycle: PullStateMachine
    var state: ResourceState
    var report: SyncReport.ResourceReport

    /// The parent whose children the list contains, and the traversal that the list is read in; nil
    /// for the list of an entity.
    let child: ChildList?

    /// The page that was received and is not in the store yet.
    var pending: PendingPage?

    /// The highest row number when the list was requested: the list does not decide about later
    /// rows.
    ///
    /// Nil once the import session has started.
    var highest: Int64?

    /// Whether any page of the resource was cached when the list was requested.
    var hasRecords = true

    /// The error with which the service rejected a request for changes.
    var rejection: RemoteError?

    /// A page that was received: in memory, or in a spool.
    enum PendingPage: Sendable {
        case page(Page)
        case staged(SpooledPage)
    }

    init(
        _ resource: RemoteResource,
        _ setting: PullContext,
        _ state: ResourceState,
        of child: ChildList? = nil,
        hasPendingDeletion: Bool
    ) {
        self.resource = resource
        self.setting = setting
        self.child = child
        self.state = state
        report = SyncReport.ResourceReport(resource.entity)
        report.wasCompleted = state.firstFullSync != nil
        report.warnings = resource.changesNotUsed.map { [$0] } ?? []
        cycle = PullStateMachine(
            resource,
            setting.memory(of: resource, state, hasPendingDeletion: hasPendingDeletion),
            run: "\(setting.environment.uuid())"
        )
    }

    var importer: Importer { setting.importer }
    var store: Store { setting.importer.store }

    /// Runs the pull of the resource to its end.
    ///
    /// - Returns: What was done. Errors that concern this resource alone are in the report.
    /// - Throws: Errors that end the whole pull: `CancellationError`, `DatabaseError`, and
    ///   ``SyncError/Code/overtaken`` if the lease was lost.
    mutating func run() async throws -> SyncReport.ResourceReport {
        let start = setting.environment.now()
        var action = cycle.handle(.started)
        while let next = action {
            action = try await perform(next).flatMap { cycle.handle($0) }
            state.latest = cycle.latest?.text
        }
        report.duration = setting.environment.duration(since: start)
        return report
    }

    private mutating func perform(
        _ action: PullStateMachine.Action
    ) async throws -> PullStateMachine.Event? {
        do {
            switch action {
            case .ask(let request, let revalidation):
                return try await ask(request, revalidation)
            case .apply:
                return .applied(
                    try await TraceSpan("tidemark.apply", ["resource": resource.path]).around {
                        try await apply()
                    }
                )
            case .mark(let page): return try await mark(page)
            case .close(let sweep): return .closed(try await close(sweep))
            case .count: return try await count()
            case .end(let ending):
                try await end(ending)
                return nil
            }
        } catch let error as RemoteError {
            return fail(error, isPlaceLost: cycle.state == .asking && isPlaceLost(error))
        } catch let error as ImportError {
            // Another process may have changed the store and discarded the import session.
            return fail(error, isPlaceLost: error.code == .unknownWalk)
        }
    }

    /// Whether an error means that the requested position in the list does not exist, or that
    /// changes cannot be requested since the cursor.
    private func isPlaceLost(_ error: RemoteError) -> Bool {
        if error.isPlaceLost { return true }
        // A service may reject an unknown parameter or an expired cursor with any client error.
        guard cycle.walk.leg.since != nil, cycle.walk.number == 1 else { return false }
        return error.code == .clientError
    }

    /// Records an error of this resource.
    ///
    /// The other resources continue.
    private mutating func fail(_ error: any Error, isPlaceLost: Bool) -> PullStateMachine.Event {
        report.failure = error
        if isPlaceLost, cycle.walk.leg.since != nil { rejection = error as? RemoteError }
        return .failed(isPlaceLost ? .noSuchPlace : .other)
    }

    // MARK: Asking

    private mutating func ask(
        _ request: PageRequest,
        _ revalidation: PullStateMachine.Revalidation
    ) async throws -> PullStateMachine.Event {
        let isFirst = request.number == 1
        if isFirst, cycle.attempt > 1 { report.countAnew() }
        // Before the request is sent: rows that are inserted later may be missing from the
        // response.
        if isFirst {
            (highest, hasRecords) = try await store.writer.read { [importer, resource] db in
                (
                    try importer.highestRow(db, of: resource.entity),
                    try PageCacheEntry.areThere(db, in: resource.path)
                )
            }
        }
        if isFirst, cycle.isSequel {
            state.walk = try sequel(cycle.walk)
            try await setting.write { [state] db in try state.save(db) }
        }
        let record = try await record(of: request, revalidation)
        var request = request
        request.paging = request.paging ?? state.paging?.recognized
        request.validator = validator(of: request, record, revalidation)
        switch try await setting.remote.answer(to: request) {
        case .unchanged(let page):
            // If the cached continuation of the list is no longer valid, the page is needed in
            // full.
            guard try await isUnchanged(page, record), var known = try known(page, record) else {
                return try await ask(request, .none)
            }
            if let next = known.next, let record = try await self.record(of: next, revalidation),
                record.count > 0
            {
                known.next?.expectObjects()
            }
            report.unchangedPages += 1
            return .unchanged(known)
        case .page(let page):
            pending = .page(page)
            return came(page.facts)
        case .long(let page):
            return came(try await stage(page))
        }
    }

    private mutating func came(_ facts: PageMetadata) -> PullStateMachine.Event {
        report.failure = nil
        if let paging = facts.paging {
            let stored = StoredPaging(paging)
            if resource.style.pagination == .automatic, facts.next != nil, stored != state.paging,
                !resource.isUsual(paging.pagination)
            {
                report.warnings.append(resource.recognized(paging))
            }
            state.paging = stored
        }
        return .came(facts)
    }

    /// Returns the checkpoint at the first page of a list that follows another.
    ///
    /// If the pull is killed before that page is in the store, the next pull begins there and does
    /// not read the preceding list again.
    func sequel(_ list: PullCheckpoint) throws -> PullCheckpoint {
        var walk = list.beginning
        let first = PageRequest(first: resource, for: list.leg.mode)
        walk.next = URL(string: try setting.remote.location(of: first))
        return walk
    }

    /// Returns the cached metadata of a page if it may be used.
    private func record(
        of request: PageRequest,
        _ revalidation: PullStateMachine.Revalidation
    ) async throws -> PageCacheEntry? {
        guard hasRecords, revalidation != .none else { return nil }
        let record = try await store.writer.read { [setting, resource] db in
            try PageCacheEntry.of(setting.remote.location(of: request), in: resource.path, db)
        }
        guard revalidation == .ownPages, record?.run != cycle.walk.run else { return record }
        return nil
    }

    /// Returns the validator that makes a request conditional; nil for an unconditional request.
    private func validator(
        of request: PageRequest,
        _ record: PageCacheEntry?,
        _ revalidation: PullStateMachine.Revalidation
    ) -> CacheValidator? {
        switch resource.style.validation {
        case .none: return nil
        case .pages: return record?.validator
        case .collection:
            guard request.number == 1, revalidation == .allPages else { return nil }
            switch request.mode {
            case .keys: return nil
            case .list: return CacheValidator(tag: state.version, modified: nil)
            case .changes(let since):
                guard case .version = resource.style.delta else { return nil }
                return CacheValidator(tag: since, modified: nil)
            }
        }
    }

    /// Whether a page was not modified, and has no following page that it did not have before.
    private func isUnchanged(
        _ page: NotModifiedPage,
        _ record: PageCacheEntry?
    ) async throws -> Bool {
        switch page.end(like: record) {
        case .same: true
        case .different: false
        case .unclear: try await setting.remote.isLast(page, total: record?.total)
        }
    }

    /// Returns the cached metadata of an unmodified page; nil if it leads back to a page that was
    /// read already, as metadata that was cached at different times may.
    private func known(
        _ page: NotModifiedPage,
        _ record: PageCacheEntry?
    ) throws -> PullStateMachine.KnownPage? {
        var known = PullStateMachine.KnownPage()
        known.count = record?.count ?? 0
        // A 304 has no body: a total in the body is that of the cached page.
        known.total = page.total ?? (page.request.total.isInBody ? record?.total : nil)
        known.cursor = record?.cursor
        known.isCursorOver = page.isOver(record?.cursor)
        let mode = record?.since.map { .changes(since: $0) } ?? page.request.mode
        // The link continues this request, whereas the cached next page may be requested since a
        // later cursor.
        let link = mode == page.request.mode ? page.next?.url : nil
        do {
            known.next = try (link ?? record?.next).map { url in
                try setting.remote.next(behind: page, at: url, for: mode, count: known.count)
            }
        } catch let error as RemoteError where error.code == .paginationLoop {
            return nil
        }
        return known
    }

    /// Requests the service's number of objects, and counts the rows to compare it with.
    private func count() async throws -> PullStateMachine.Event {
        let total = try await setting.remote.count(of: resource)
        let (here, pending) = try await store.writer.read { [self] db in
            try importer.countKeyed(db, by: walk())
        }
        guard let total, pending > 0,
            state.mismatch?.explains(count: total, rows: here) ?? (total == here)
        else { return .counted(total, here: here, pending: pending) }
        // No object is missing even among the rows whose deletion is pending: the service has them.
        try await setting.write { [self] db in
            try importer.withdrawPending(db, by: walk())
        }
        return .counted(total, here: here)
    }

    // MARK: The end

    private mutating func end(_ ending: PullStateMachine.Ending) async throws {
        report.ending = ending.public
        report.endCounting()
        report.total = cycle.walk.total
        report.wasReset = cycle.wasReset
        recordChangesProblem()
        switch ending {
        case .incomplete(let items, let total):
            report.failure = RemoteError.incomplete(resource, items: items, total: total)
            state.walk = walkToGoOnWith
        case .failed:
            state.walk = walkToGoOnWith
        case .complete, .unchanged:
            report.failure = nil
            state.walk = nil
        case .inconsistent:
            // The checkpoint that was saved with the end of the list stays: the row count is
            // unverified.
            report.failure = nil
        }
        state.note(report, at: setting.environment.now())
        if let child, report.ending != .failed { state.parent?.traversal = child.traversal }
        try await setting.write { [state] db in try state.save(db) }
    }

    /// The checkpoint to save after a failure: the position to resume at, or a list to start over
    /// with the row count marked as unverified.
    private var walkToGoOnWith: PullCheckpoint? {
        guard cycle.walk.number == 1 else { return cycle.walk }
        // Nothing was received that could verify the row count.
        guard cycle.hasChanges || cycle.hasDoubts else { return state.walk }
        // Without a position: a list that fails each time must not be requested before the changes.
        var walk = cycle.walk.beginning
        walk.isRecount = state.walk?.isRecount ?? false
        return walk
    }
}

extension RemoteError {
    /// Whether the response says that the requested position in a list does not exist.
    fileprivate var isPlaceLost: Bool {
        code == .notFound || status == 400 || status == 412
    }
}

extension PullStateMachine.Ending {
    fileprivate var `public`: SyncReport.Ending {
        switch self {
        case .unchanged: .unchanged
        case .complete: .complete
        case .inconsistent: .inconsistent
        case .failed, .incomplete: .failed
        }
    }
}
