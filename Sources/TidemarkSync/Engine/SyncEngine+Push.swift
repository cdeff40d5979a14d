import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

extension SyncEngine {
    /// Sends the local changes of the store to the service.
    ///
    /// Changes that depend on each other are sent in order: a new project before its tasks. Others
    /// are sent concurrently, up to `Limits.concurrency`, or together in one request. A request is
    /// stored before it is sent, and never sent a second time without proof that it was not
    /// applied. What the service rejects stays in the ``Outbox``, and stops nothing else.
    ///
    /// ```swift
    /// let pushed = try await engine.push()
    /// print(pushed.entities["Note"]?.rejected ?? 0, "rejected")
    /// ```
    ///
    /// Use ``sync(with:pushing:)`` to pull as well. If a push is running, the call joins it, and
    /// runs another one if changes were made meanwhile.
    ///
    /// - Parameter options: What the push may delete at the service. Defaults to the usual guard.
    /// - Returns: What was done.
    /// - Throws: ``SyncError`` if another engine or process is using the store, or if it belongs to
    ///   another service; `CancellationError`; `DatabaseError`.
    public func push(with options: PushOptions = PushOptions()) async throws -> PushReport {
        try await report(of: .push(options)).pushed
    }

    /// Sends the local changes of the store, pulls, and sends what the pull has made possible.
    ///
    /// A creation whose response was lost, for example, is sent again if the list does not contain
    /// its object. Push and pull fail independently of each other.
    ///
    /// ```swift
    /// let report = try await engine.sync()
    /// print(report.pushed.entities, report.total)
    /// ```
    ///
    /// - Parameters:
    ///   - options: The options of the pull. `PullOptions.only` selects what is pulled; all local
    ///     changes are pushed.
    ///   - pushing: The options of the push. Defaults to the usual guard of deletions.
    /// - Returns: What was done.
    /// - Throws: ``SyncError/Code/nothingToPull`` if no list is for the chosen entities;
    ///   ``SyncFailure`` if nothing was pushed and no page of any resource could be read;
    ///   otherwise as ``push(with:)``.
    public func sync(
        with options: PullOptions = PullOptions(),
        pushing: PushOptions = PushOptions()
    ) async throws -> SyncReport {
        let report = try await report(of: .sync(options, pushing))
        guard !report.isFruitless || report.pushed.hasPushed else { throw SyncFailure(report) }
        return report
    }

    func sync(
        _ chosen: [RemoteResource],
        with options: PullOptions,
        pushing: PushOptions,
        in run: RunContext
    ) async throws -> SyncReport {
        var pushed = try await push(with: pushing, in: run).pushed
        var report = try await pull(chosen, with: options, in: run)
        let left = try await pushableChanges()
        // What the pull has settled may be what other changes have waited for, and what it has
        // merged may let rejected ones be sent again.
        let isAgain = report.pushed.reopened > 0 || left.hasNew || left.due != pushed.waiting
        pushed.add(report.pushed)
        if isAgain { pushed.add(try await push(with: pushing, in: run).pushed) }
        report.pushed = pushed
        return report
    }

    /// Returns the creations whose outcomes are unknown.
    func uncertainCreations() async throws -> [CapturedChange] {
        try await importer.store.writer.read { [store = importer.store] db in
            guard try Capture.isInstalled(db) else { return [] }
            let numbers = try Int64.fetchAll(
                db,
                sql: """
                    SELECT _id FROM _tidemark_change WHERE kind = 'create' AND state = 'uncertain'
                    """
            )
            return try StoreReader.prepare(db, in: store).capturedChanges(numbers)
        }
    }

    /// Reports the creations of unknown outcome whose objects a pull has found.
    func addConfirmed(
        among uncertain: [CapturedChange],
        to report: inout SyncReport,
        in run: RunContext
    ) async throws {
        guard !uncertain.isEmpty else { return }
        let confirmed = try await importer.store.writer.read { [store = importer.store] db in
            let reader = try StoreReader.prepare(db, in: store)
            let left = Set(try reader.capturedChanges(uncertain.map(\.number)).map(\.number))
            return try uncertain.filter { change in
                let entity = try store.layout.entity(change.row.entity)
                return try !left.contains(change.number)
                    && reader.key(of: change.row.number, entity) != nil
            }
        }
        for change in confirmed {
            report.pushed.count(.acknowledged, of: change)
            run.emit(.pushed(row: change.row, kind: change.kind))
        }
    }

    /// Decides about changes of unknown outcome by the lists to which they were sent, which were
    /// read to the end.
    func decideUnlisted(
        after report: inout SyncReport,
        since start: Date,
        in run: RunContext
    ) async throws {
        let lists = PushResources.lists(writableResources, in: importer.store.model)
        let read = lists.filter { _, list in report.resources[list.path]?.isComplete == true }
        guard !read.isEmpty else { return }
        let entities = read.mapValues(\.push.reconcile.isByList)
        let timeout = limits.http.idleTimeout
        let (decided, rejected) = try await run.write {
            [store = importer.store] db
                -> (UnlistedCreations, [LocalChange]) in
            guard try Capture.isInstalled(db) else { return (UnlistedCreations(), []) }
            let writer = OutboxWriter(db: db, environment: run.environment)
            try writer.endAccepted(of: Set(read.keys), since: start)
            let decided = try writer.decideUnlisted(of: entities, since: start, timeout: timeout)
            let rejected = try decided.rejected.compactMap { number in
                try Outbox(store).change(db, numbered: number)
            }
            return (decided, rejected)
        }
        report.pushed.reopened = decided.reopened
        for change in rejected {
            report.pushed.countRejected(change)
            run.emit(.rejected(change))
        }
    }

    /// The lists that accept changes.
    var writableResources: [RemoteResource] {
        configuration.resources.writable
    }

    func push(with options: PushOptions, in run: RunContext) async throws -> SyncReport {
        // A store whose service is not written to records no changes.
        guard try await run.store.writer.read(Capture.isInstalled) else { return SyncReport() }
        let push = try await outboxPush(with: options, in: run)
        var report = SyncReport()
        report.pushed = try await push.perform()
        report.pushed.waiting = try await pushableChanges().due
        return report
    }

    /// Returns what sends the changes of the outbox.
    func outboxPush(with options: PushOptions, in run: RunContext) async throws -> OutboxPush {
        OutboxPush(
            run: run,
            resources: try await pushResources(in: run),
            options: options,
            mostWaiting: mostWaiting
        )
    }

    /// Returns the lists that changes are sent to.
    func pushResources(in run: RunContext) async throws -> PushResources {
        let (importer, resources) = (importer, configuration.resources)
        let (names, links) = try await run.store.writer.read { db in
            (
                try importer.observedNames(db),
                try LinkRouting.read(db, for: resources, in: importer)
            )
        }
        return try PushResources(
            resources,
            remote: run.remote,
            importer: importer,
            names: names,
            links: links
        )
    }

    /// Reads the local changes that a push can send now.
    func pushableChanges() async throws -> PushableChanges {
        let (store, now) = (importer.store, environment.now())
        let lists = PushResources.lists(writableResources, in: store.model)
        return try await store.writer.read { db in
            try PushableChanges.read(db, in: store, sentTo: lists, at: now)
        }
    }
}

extension PushStyle.Reconciliation {
    /// Whether a creation that the list does not contain was not applied.
    fileprivate var isByList: Bool {
        switch self {
        case .list, .query, .resend: true
        case .none, .key: false
        }
    }
}
