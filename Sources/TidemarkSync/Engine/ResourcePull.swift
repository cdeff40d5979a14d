import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The pull of one resource: performs what its cycle says, and tells it what came of that.
struct ResourcePull {
    let resource: RemoteResource
    let setting: PullContext
    var cycle: PullStateMachine
    var state: ResourceState
    var report: SyncReport.ResourceReport

    /// The parent whose children the list has, and the traversal that the list is read in; nil for
    /// a list of an entity.
    let child: ChildList?

    /// The page that has come and is not in the store yet.
    var pending: PendingPage?

    /// The highest row number when the list was asked for: rows made since are not judged by it.
    var highest: Int64?

    /// Whether anything was known of pages when the list was asked for.
    var hasRecords = true

    /// How the service rejected a request for changes.
    var rejection: RemoteError?

    /// A page on its way into the store.
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

    /// Goes the resource's way to its end.
    ///
    /// - Throws: What ends the whole pull: `CancellationError`, `DatabaseError`, a lease that was
    ///   lost. What stands against this resource alone is in its report.
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
            // Whoever changed the store meanwhile may have forgotten what was read of the list.
            return fail(error, isPlaceLost: error.code == .unknownWalk)
        }
    }

    /// Whether an answer means that the requested position in a list does not exist, or that the
    /// list cannot be requested since a cursor.
    private func isPlaceLost(_ error: RemoteError) -> Bool {
        if error.isPlaceLost { return true }
        // A service may reject an unknown parameter or an expired cursor with any of these.
        guard cycle.walk.leg.since != nil, cycle.walk.number == 1 else { return false }
        return error.code == .clientError
    }

    /// A failure that may end this resource's pull; the other resources go on.
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

    /// The beginning of a list that follows another: a pull that dies before a page of it is here
    /// has read the other.
    func sequel(_ list: PullCheckpoint) throws -> PullCheckpoint {
        var walk = list.beginning
        let first = PageRequest(first: resource, for: list.leg.purpose)
        walk.next = URL(string: try setting.remote.location(of: first))
        return walk
    }

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
            switch request.purpose {
            case .keys: return nil
            case .list: return CacheValidator(tag: state.version, modified: nil)
            case .changes(let since):
                guard case .version = resource.style.delta else { return nil }
                return CacheValidator(tag: since, modified: nil)
            }
        }
    }

    /// Whether a page was not modified, and has no page after it that it did not have before.
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

    /// What is known of a page that is as it was; nil where it leads back to where the walk came
    /// from: pages that were read at different times may.
    private func known(
        _ page: NotModifiedPage,
        _ record: PageCacheEntry?
    ) throws -> PullStateMachine.KnownPage? {
        var known = PullStateMachine.KnownPage()
        known.count = record?.count ?? 0
        known.total = page.total ?? (page.request.total.isInBody ? record?.total : nil)
        known.cursor = record?.cursor
        known.isCursorOver = page.isOver(record?.cursor)
        let purpose = record?.since.map { .changes(since: $0) } ?? page.request.purpose
        // A link leads to the next page of the same list, which may have moved along.
        let link = purpose == page.request.purpose ? page.next?.url : nil
        do {
            known.next = try (link ?? record?.next).map { url in
                try setting.remote.next(behind: page, at: url, for: purpose, count: known.count)
            }
        } catch let error as RemoteError where error.code == .paginationLoop {
            return nil
        }
        return known
    }

    private func count() async throws -> PullStateMachine.Event {
        let total = try await setting.remote.count(of: resource)
        let (here, pending) = try await store.writer.read { [self] db in
            try importer.countKeyed(db, by: walk())
        }
        guard let total, pending > 0,
            state.mismatch?.explains(count: total, rows: here) ?? (total == here)
        else { return .counted(total, here: here, pending: pending) }
        // All changes are here and nothing is missing: the service has these rows again.
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
            // Whether all adds up is yet to be looked at, as the close of the list has kept.
            report.failure = nil
        }
        state.note(report, at: setting.environment.now())
        if let child, report.ending != .failed { state.parent?.traversal = child.traversal }
        try await setting.write { [state] db in try state.save(db) }
    }

    /// At which page the next pull goes on behind a failure, or whether it has doubts.
    private var walkToGoOnWith: PullCheckpoint? {
        guard cycle.walk.number == 1 else { return cycle.walk }
        // What has told nothing puts no doubts away either.
        guard cycle.hasChanges || cycle.hasDoubts else { return state.walk }
        // Of a list that may fail each time no page is asked for before what has changed.
        var walk = cycle.walk.beginning
        walk.isRecount = state.walk?.isRecount ?? false
        return walk
    }
}

extension RemoteError {
    /// Whether the answer says that the place in a list which was asked for is not there.
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
