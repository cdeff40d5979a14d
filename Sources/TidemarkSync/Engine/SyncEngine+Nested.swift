import TidemarkModel
import TidemarkRemote

extension SyncEngine {
    /// Pulls a resource that has a list for each parent, unless the pull of the parents failed.
    func pull(
        _ nested: ResourceOrder.Nested,
        after report: SyncReport,
        _ setting: PullContext
    ) async throws -> SyncReport.ResourceReport {
        let failures = nested.sources.compactMap { source in
            report.resources[source]?.failure.map { (source, $0) }
        }
        guard let (source, failure) = failures.first else {
            return try await pull(nested, setting)
        }
        // The stored parents may be out of date, and the service may be unreachable.
        var report = SyncReport.ResourceReport(nested.resource.entity)
        report.failure = failure
        report.warnings.append(
            SyncWarning(
                .parentsNotPulled,
                resource: nested.resource.path,
                "the lists were not requested, because \(source) failed."
            )
        )
        setting.reportEnd(of: nested.resource, report)
        return report
    }

    private func pull(
        _ nested: ResourceOrder.Nested,
        _ setting: PullContext
    ) async throws -> SyncReport.ResourceReport {
        let start = environment.now()
        var run = try NestedListsPull(nested, setting)
        try await run.begin(self)
        let progress = ListProgress(nested.resource.path, setting.tell)
        try await withThrowingTaskGroup(of: SyncReport.ResourceReport.self) { group in
            var running = 0
            while true {
                while running < max(1, limits.concurrency), let list = try await run.next() {
                    running += 1
                    let (reading, setting) = (run.reading, progress.following(setting))
                    group.addTask {
                        try await self.pull(list.resource, list, read: reading, setting)
                    }
                }
                guard let report = try await group.next() else { break }
                running -= 1
                run.add(report)
            }
        }
        try await run.end()
        run.report.duration = environment.duration(since: start)
        setting.reportEnd(of: nested.resource, run.report)
        return run.report
    }
}

/// The number of objects that were received for a resource, over the lists of all parents.
private struct ListProgress: Sendable {
    private let path: String
    private let tell: @Sendable (SyncEvent) -> Void
    private let total = Locked(0)

    init(_ path: String, _ tell: @escaping @Sendable (SyncEvent) -> Void) {
        self.path = path
        self.tell = tell
    }

    /// Returns the context of one list, whose pages are reported as those of the resource.
    func following(_ setting: PullContext) -> PullContext {
        var setting = setting
        let own = Locked(0)
        setting.tell = { [path, tell, total] event in
            guard case .page(_, let done, _) = event else { return tell(event) }
            let new = own.withLock { before in
                defer { before = done }
                return done - before
            }
            let all = total.withLock { count in
                count += new
                return count
            }
            tell(.page(resource: path, done: all, expected: nil))
        }
        return setting
    }
}
