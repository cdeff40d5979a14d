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
    /// Use ``sync(with:)`` to pull as well. If a push is running, the call joins it.
    ///
    /// - Returns: What was done.
    /// - Throws: ``SyncError`` if another engine or process is using the store, or if it belongs to
    ///   another service; `CancellationError`; `DatabaseError`.
    public func push() async throws -> PushReport {
        try await report(of: .push).pushed
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
    /// - Parameter options: The options of the pull.
    /// - Returns: What was done.
    /// - Throws: ``SyncFailure`` if nothing was pushed and no page of any resource could be read;
    ///   otherwise as ``push()``.
    public func sync(with options: PullOptions = PullOptions()) async throws -> SyncReport {
        let report = try await report(of: .sync(options))
        guard !report.isFruitless || report.pushed.hasPushed else { throw SyncFailure(report) }
        return report
    }

    func sync(
        _ chosen: [RemoteResource],
        with options: PullOptions,
        in run: RunContext
    ) async throws -> SyncReport {
        let first = try await push(in: run).pushed
        var report = try await pull(chosen, with: options, in: run)
        let isAgain = report.pushed.reopened > 0
        report.pushed = first
        if isAgain { report.pushed.add(try await push(in: run).pushed) }
        return report
    }

    /// Opens the creations again that their lists, which were read to the end, do not contain.
    func reopenUnlisted(
        after report: SyncReport,
        since start: Date,
        in run: RunContext
    ) async throws -> Int {
        let read = writableResources.filter {
            $0.push.reconcile.isByList && report.resources[$0.path]?.isComplete == true
        }
        guard !read.isEmpty else { return 0 }
        let entities = Set(read.map(\.entity))
        // As long as a service may still be processing a request, its list proves nothing.
        let before = start.addingTimeInterval(-(limits.http.idleTimeout / .seconds(1)))
        return try await run.write { db in
            try OutboxWriter(db: db, environment: run.environment)
                .reopenUnlisted(of: entities, before: before)
        }
    }

    /// The lists that accept changes.
    var writableResources: [RemoteResource] {
        configuration.resources.filter { !$0.push.isReadOnly }
    }

    func push(in run: RunContext) async throws -> SyncReport {
        let resources = try PushResources(
            writableResources,
            remote: run.remote,
            importer: importer,
            names: try await run.store.writer.read(ObservedNames.read)
        )
        let push = OutboxPush(run: run, resources: resources)
        var report = SyncReport()
        report.pushed = try await push.perform()
        report.pushed.waiting = try await pushableChanges().due
        return report
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
