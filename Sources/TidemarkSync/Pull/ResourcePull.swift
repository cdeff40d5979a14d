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
    let context: PullContext
    var machine: PullStateMachine
    var state: ResourceState
    var report: SyncReport.ResourceReport

    /// The parent whose children the list contains, and the traversal that the list is read in; nil
    /// for the list of an entity.
    let child: ChildList?

    /// The objects of the page that was received and is not in the store yet.
    var body: ReceivedBody?

    /// The highest row number when the list was requested: the list does not decide about later
    /// rows.
    ///
    /// Nil once the import session has started.
    var highestRow: Int64?

    /// Whether any page of the resource was cached when the list was requested.
    var hasCachedPages = true

    /// Whether the list that is being read was begun by an interrupted pull.
    private(set) var isResumed = false

    /// The largest number of objects in an earlier read of the same list by this pull.
    var itemsBefore = 0

    /// The error with which the service rejected a request for changes.
    private(set) var rejection: RemoteError?

    init(
        of resource: RemoteResource,
        child: ChildList?,
        from state: ResourceState,
        hasPendingDeletion: Bool,
        in context: PullContext
    ) {
        self.resource = resource
        self.context = context
        self.child = child
        self.state = state
        report = SyncReport.ResourceReport(resource.entity)
        report.warnings = resource.changesNotUsed.map { [$0] } ?? []
        machine = PullStateMachine(
            resource,
            from: context.start(of: resource, from: state, hasPendingDeletion: hasPendingDeletion),
            run: "\(context.run.environment.uuid())"
        )
    }

    var importer: Importer { context.run.importer }
    var store: Store { context.run.importer.store }

    /// Runs the pull of the resource to its end.
    ///
    /// - Parameter checkpoint: The checkpoint that an interrupted pull has left.
    /// - Returns: What was done. Errors that concern this resource alone are in the report.
    /// - Throws: Errors that end the whole pull: `CancellationError`, `DatabaseError`, and
    ///   ``SyncError/Code/leaseLost`` if the lease was lost.
    mutating func run(
        resuming checkpoint: PullCheckpoint?
    ) async throws -> SyncReport.ResourceReport {
        let start = context.run.environment.now()
        isResumed = checkpoint?.position.isWithinList == true
        var action = machine.handle(.started(checkpoint))
        while let next = action {
            action = try await perform(next).flatMap { machine.handle($0) }
            state.latest = machine.findings.latest?.text
        }
        report.duration = context.run.environment.duration(since: start)
        return report
    }

    private mutating func perform(
        _ action: PullStateMachine.Action
    ) async throws -> PullStateMachine.Event? {
        do {
            switch action {
            case .fetch(let fetch, let checkpoint):
                return try await perform(fetch, saving: checkpoint)
            case .apply(let page, let request):
                let attributes = ["resource": resource.path]
                return try await TraceSpan.run("tidemark.apply", attributes: attributes) {
                    .applied(try await applyFollowing(page, of: request))
                }
            case .mark(let page, let request): return try await mark(page, of: request)
            case .finish(let end): return try await finish(end)
            case .count: return try await count()
            case .end(let conclusion):
                try await end(conclusion)
                return nil
            }
        } catch let error as RemoteError {
            if isFollowingSuspicion, error.isAnswer { return .notFollowed }
            return record(error, isPositionLost: isPositionLost(error))
        } catch let error as ImportError {
            // Another process may have changed the store and discarded the import session.
            guard error.code != .nothingStored else {
                report.failure = error
                return .failed(.nothingStored)
            }
            return record(error, isPositionLost: error.code == .unknownSession)
        }
    }

    /// Whether a page was requested to which suspected evidence leads.
    private var isFollowingSuspicion: Bool {
        switch machine.state {
        case .awaiting(let fetch), .applying(_, let fetch): fetch.suspected != nil
        case .ready, .finishing, .verifyingCount, .ended: false
        }
    }

    /// Whether an error means that the requested position in the list does not exist, or that
    /// changes cannot be requested since the cursor.
    private func isPositionLost(_ error: RemoteError) -> Bool {
        guard case .awaiting(let fetch) = machine.state else { return false }
        if error.code == .notFound || error.status == 400 || error.status == 412 { return true }
        // A service may reject an unknown parameter or an expired cursor with any client error.
        return fetch.request.mode.cursor != nil && fetch.request.number == 1
            && error.code == .clientError
    }

    /// Records an error of this resource.
    ///
    /// The other resources continue.
    private mutating func record(
        _ error: any Error,
        isPositionLost: Bool
    ) -> PullStateMachine.Event {
        report.failure = error
        // What an earlier response has shown may no longer hold: the next pull finds it again.
        if (error as? RemoteError)?.code == .paginationLoop { state.paging = nil }
        if isPositionLost, machine.checkpoint.mode.cursor != nil {
            rejection = error as? RemoteError
        }
        return .failed(isPositionLost ? .positionLost : .other)
    }

    /// Saves the state of the resource, and updates its checkpoint.
    func save(
        _ update: CheckpointUpdate,
        with state: ResourceState? = nil,
        _ db: Database
    ) throws {
        var firstPage: URL?
        if case .save(let checkpoint) = update, checkpoint.position == .firstPage {
            let request = PageRequest(first: resource, for: checkpoint.mode)
            firstPage = URL(string: try context.run.remote.location(of: request))
        }
        try (state ?? self.state).save(db, update, firstPage: firstPage)
    }

    // MARK: The count

    /// Requests the service's number of objects, and counts the rows to compare it with.
    private mutating func count() async throws -> PullStateMachine.Event {
        let count = try await context.run.remote.count(of: resource)
        let rows = try await store.writer.read { [self] db in try storedRows(db) }
        if count == rows.all, report.reading.extent == .changes {
            report.reading.extent = .countedChanges
        }
        guard machine.withdrawsDeletion(count, with: rows) else {
            return .counted(count, stored: rows)
        }
        // No object is missing even among the rows whose deletion is pending: the service has them.
        try await context.run.write { [self] db in
            try importer.withdrawPending(db, by: session())
        }
        return .counted(count, stored: PullStateMachine.RowCounts(all: rows.all))
    }

    /// Counts the rows that the list may name.
    func storedRows(_ db: Database) throws -> PullStateMachine.RowCounts {
        let (all, pending) = try importer.countKeyed(db, by: session())
        return PullStateMachine.RowCounts(all: all, pending: pending)
    }

    // MARK: The end

    private func failure(_ problem: PullStateMachine.ListProblem) -> any Error {
        let checkpoint = machine.checkpoint
        switch problem {
        case .incomplete:
            return RemoteError.incomplete(
                resource,
                items: checkpoint.items,
                total: checkpoint.total ?? checkpoint.items
            )
        case .repeatedKey:
            let model = store.model
            return SyncError.repeatedKey(
                model[resource.entity].map(model.primaryKey) ?? [],
                of: resource
            )
        }
    }

    private mutating func end(_ conclusion: PullStateMachine.Conclusion) async throws {
        let checkpoint = machine.checkpoint
        report.ending = conclusion.ending
        report.endCounting(itemsBefore: itemsBefore)
        report.total = checkpoint.total
        report.reading.base = state.paging?.base
        recordUnprovenEnd()
        report.wasReset = machine.findings.wasReset
        recordChangesProblem()
        if conclusion.ending != .failed { report.failure = nil }
        if let problem = conclusion.problem { report.failure = failure(problem) }
        state.record(report, at: context.run.environment.now())
        if let child, report.ending != .failed, report.ending != .unproven {
            state.parent?.traversal = child.traversal
        }
        try await context.run.write { [self] db in try save(conclusion.checkpoint, db) }
    }
}
