import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The pull of a resource that has a list for each parent.
///
/// One read of all these lists is called a traversal.
///
/// During a traversal, the resource has an import session that collects the rows which the lists
/// lack. So the deletion guard counts them together, and a row that moved to another parent is not
/// deleted.
struct NestedListsPull {
    private let nested: ResourceOrder.Nested
    private let context: PullContext
    private var parents: ParentRows
    private var state: ResourceState
    private var traversal: String

    /// Whether an interrupted pull may have read lists of the traversal.
    private var isResumed = false

    /// The row numbers of the parents whose lists are read; nil for all.
    private var chosen: Set<Int64>?

    /// What the states of the lists depend on.
    let basis: ResourceState.Basis

    /// The report so far.
    var report: SyncReport.ResourceReport

    private var lists = Outcomes()

    /// The number of lists by result.
    private struct Outcomes {
        var read = 0
        var notFound = 0
        var failed = 0
        /// The number of consecutive failures that are likely to concern every list: the service
        /// was unavailable, or rejected the credentials.
        var outages = 0
        var firstMissing: (any Error)?
        /// The number of the first page or object in one of the lists, which holds for all.
        var base: Int?
        var hasChanges = false
        var isInconsistent = false
        /// Why it is not proved that a list ends where it was read to; nil if all ends are.
        var unprovenEnd: UnprovenEnd?
        var isUnproven: Bool { unprovenEnd?.isSuspected == true }
    }

    /// After how many consecutive ``Outcomes/outages`` the remaining lists are not requested.
    private static let outages = 10

    init(_ nested: ResourceOrder.Nested, in context: PullContext) throws {
        self.nested = nested
        self.context = context
        parents = try ParentRows(of: nested, in: context.run.importer.store.layout)
        basis = try context.basis(of: nested.resource)
        traversal = "\(context.run.environment.uuid())"
        report = SyncReport.ResourceReport(nested.resource.entity)
        state = ResourceState(nested.resource.path, with: basis)
    }

    private var path: String { nested.resource.path }
    private var importer: Importer { context.run.importer }
    private var store: Store { context.run.importer.store }
    private var isApproving: Bool { context.options.approvedDeletion == path }

    private func session(deletesUnlistedRows: Bool = true) -> ImportSession {
        context.session(
            of: nested.resource,
            scope: .gathered,
            run: traversal,
            permitting: deletesUnlistedRows ? .all : .all.subtracting(.delete)
        )
    }

    /// Starts a traversal, or resumes that of an interrupted pull.
    mutating func begin() async throws {
        let (table, relationship) = (parents.table, try parents.relationship)
        (state, traversal, isResumed, chosen) = try await context.run.write {
            [self] db -> (ResourceState, String, Bool, Set<Int64>?) in
            let (state, checkpoint) = try context.stored(nested.resource, with: basis, db)
            for path in try ResourceState.pathsWithoutParent(path, in: table, db) {
                try ResourceState.forget(path, db)
                try importer.forget(db, path)
            }
            let chosen =
                isApproving
                ? try relationship.flatMap { try importer.parentsOfPending(db, path, by: $0) } : nil
            if let checkpoint, !context.options.isFull, !isApproving,
                try importer.isOpen(db, path, run: checkpoint.run)
            {
                return (state, checkpoint.run, true, chosen)
            }
            try importer.begin(db, session(), countingOnly: context.stored)
            // A traversal of some parents must not be resumed by a pull of all.
            let new = isApproving ? nil : PullCheckpoint(.list, run: traversal)
            try state.save(db, CheckpointUpdate(new))
            return (state, traversal, false, chosen)
        }
        report.warnings = nested.resource.changesNotUsed.map { [$0] } ?? []
    }

    /// Returns the next list to read; nil after the last.
    mutating func next() async throws -> ChildList? {
        guard lists.outages < Self.outages else { return nil }
        while let parent = try await parents.next(in: store) {
            if let chosen, !chosen.contains(parent.number) { continue }
            guard var resource = parent.resource else {
                fail(with: unusableKey(parent.key))
                continue
            }
            if isResumed, try await isRead(resource.path) {
                lists.read += 1
                continue
            }
            resource.style.base = resource.style.base ?? lists.base
            let row = ListParent(
                relationship: nested.path.relationship,
                row: parent.number,
                session: path
            )
            return ChildList(resource: resource, parent: row, traversal: traversal)
        }
        return nil
    }

    private func isRead(_ path: String) async throws -> Bool {
        try await store.writer.read { [traversal] db in
            try ResourceState.traversal(of: path, db) == traversal
        }
    }

    private func unusableKey(_ key: String) -> RemoteError {
        RemoteError(
            .invalidRequest,
            "The key “\(key)” of a \(nested.path.parent) cannot be part of the path \(path).",
            hint: "Correct the key at the service."
        )
    }

    /// Adds the result of a list that was read, or that failed.
    mutating func add(_ list: SyncReport.ResourceReport) {
        report.add(list, path: path, limit: context.run.limits.diagnostics)
        lists.base = lists.base ?? list.reading.base
        if lists.unprovenEnd?.isSuspected != true {
            lists.unprovenEnd = list.unprovenEnd ?? lists.unprovenEnd
        }
        switch list.ending {
        case .unchanged, .unproven: lists.read += 1
        case .complete:
            lists.read += 1
            lists.hasChanges = true
        case .inconsistent:
            lists.read += 1
            lists.isInconsistent = true
        case .failed:
            guard let failure = list.failure else { return }
            return fail(with: failure)
        }
        lists.outages = 0
    }

    private mutating func fail(with error: any Error) {
        let remote = error as? RemoteError
        let isParentDeleted = (error as? ImportError)?.code == .parentDeleted
        // The parent was deleted after it was read: the next pull of the parents deletes its
        // children.
        if isParentDeleted || remote?.code == .notFound {
            lists.notFound += 1
            lists.firstMissing = lists.firstMissing ?? error
            lists.outages = 0
            return
        }
        lists.failed += 1
        report.failure = report.failure ?? error
        let isOutage = remote?.isTransient == true || remote?.status == 401
        lists.outages = isOutage ? lists.outages + 1 : 0
    }

    // MARK: The end

    /// Deletes the rows that the lists lack, as far as the guard permits, and ends the traversal.
    mutating func end() async throws {
        let isGivenUp = lists.outages >= Self.outages
        conclude(isGivenUp: isGivenUp)
        if !isGivenUp { try await finishSession() }
        let now = context.run.environment.now()
        if report.ending != .failed, report.ending != .unproven {
            state.firstFullSync = isApproving ? state.firstFullSync : state.firstFullSync ?? now
            state.listRead = isApproving ? state.listRead : now
        }
        state.record(report, at: now)
        try await context.run.write { [state] db in
            // After an outage the next pull resumes the traversal.
            try state.save(db, isGivenUp ? .keep : .clear)
        }
    }

    private mutating func conclude(isGivenUp: Bool) {
        // If no parent has a list, the path is wrong.
        if lists.notFound > 0, lists.read == 0, report.failure == nil {
            report.failure = lists.firstMissing
        } else if lists.notFound > 0, let error = lists.firstMissing {
            let count = lists.notFound
            report.warnings.append(
                SyncWarning(
                    .listsNotFound,
                    resource: path,
                    "\(count == 1 ? "one list was" : "\(count) lists were") not found, and the rows of "
                        + "\(count == 1 ? "its parent" : "their parents") are kept. "
                        + "\(count == 1 ? "" : "The first: ")\(error)"
                )
            )
        }
        if isGivenUp || lists.failed > 1 {
            report.warnings.append(
                SyncWarning(
                    .listsFailed,
                    resource: path,
                    "\(lists.failed) lists could not be read. "
                        + (isGivenUp
                            ? "The others were not requested: the next pull resumes after those that "
                                + "were read."
                            : "The failure that is reported is that of the first.")
                )
            )
        }
        report.unprovenEnd = lists.unprovenEnd
        let rejected = report.reading.rejectedItems
        if report.failure == nil, !isResumed, report.unchangedPages == 0, rejected > 0,
            rejected == report.items
        {
            report.failure = report.nothingStored(of: nested.resource)
        }
        report.ending =
            report.failure != nil
            ? .failed
            : lists.isUnproven
                ? .unproven
                : lists.isInconsistent ? .inconsistent : lists.hasChanges ? .complete : .unchanged
    }

    private mutating func finishSession() async throws {
        // What the other lists lack may be on the unknown rest of an unproven one.
        guard !lists.isUnproven else {
            return try await context.run.write { [self] db in
                try importer.forget(db, path)
                try store.sealChanges(db)
            }
        }
        // Rows that are missing so far may be in a list that was not read.
        let session = session(deletesUnlistedRows: report.failure == nil && lists.notFound == 0)
        let outcome = try await context.run.writeDurably { [self] db -> SessionOutcome in
            let outcome = try importer.finish(
                db,
                session,
                guardedBy: context.options.deletionGuard,
                isApproved: isApproving
            )
            try store.sealChanges(db)
            return outcome
        }
        context.record(outcome, in: &report)
        let isWhole = !isResumed && !isApproving && lists.failed + lists.notFound == 0
        if isWhole, !lists.isInconsistent { report.reading.extent = .whole }
        let hasDeleted = outcome.report.entities.values.contains { $0.deleted > 0 }
        if hasDeleted, report.ending == .unchanged { report.ending = .complete }
    }
}

extension SyncReport.ResourceReport {
    /// Adds the report of one of several lists, except for its ending and failure.
    fileprivate mutating func add(_ list: Self, path: String, limit: Int) {
        pages += list.pages
        items += list.items
        unchangedPages += list.unchangedPages
        wasReset = wasReset || list.wasReset
        reading.rejectedItems += list.reading.rejectedItems
        imported.add(list.imported, limit: limit)
        for warning in list.warnings where !warnings.contains(where: { $0.code == warning.code }) {
            warnings.append(SyncWarning(warning.code, resource: path, warning.message))
        }
    }
}
