import TidemarkModel
import TidemarkRemote

extension SyncEngine {
    /// Pulls a resource that has a list for each parent, unless the pull of the parents failed.
    func pullLists(
        of nested: ResourceOrder.Nested,
        after report: SyncReport,
        in context: PullContext
    ) async throws -> SyncReport.ResourceReport {
        let failures = nested.sources.compactMap { source in
            report.resources[source]?.failure.map { (source, $0) }
        }
        guard let (source, failure) = failures.first else {
            return try await pullLists(of: nested, in: context)
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
        context.reportEnd(of: nested.resource, report)
        return report
    }

    private func pullLists(
        of nested: ResourceOrder.Nested,
        in context: PullContext
    ) async throws -> SyncReport.ResourceReport {
        let start = environment.now()
        var run = try NestedListsPull(nested, in: context)
        try await run.begin()
        let progress = ListProgress(path: nested.resource.path, emit: context.run.emit)
        try await withThrowingTaskGroup(of: SyncReport.ResourceReport.self) { group in
            var running = 0
            while true {
                while running < max(1, limits.concurrency), let list = try await run.next() {
                    running += 1
                    let (basis, context) = (run.basis, progress.reporting(in: context))
                    group.addTask {
                        try await context.pullList(list.resource, child: list, basis: basis)
                    }
                }
                guard let report = try await group.next() else { break }
                running -= 1
                run.add(report)
            }
        }
        try await run.end()
        run.report.duration = environment.duration(since: start)
        context.reportEnd(of: nested.resource, run.report)
        return run.report
    }
}

/// The number of objects that were received for a resource, over the lists of all parents.
private struct ListProgress: Sendable {
    let path: String
    let emit: @Sendable (SyncEvent) -> Void
    let total = Locked(0)

    /// Returns the context of one list, whose pages are reported as those of the resource.
    func reporting(in context: PullContext) -> PullContext {
        var context = context
        let own = Locked(0)
        context.run.emit = { [path, emit, total] event in
            guard case .page(_, let done, _) = event else { return emit(event) }
            let new = own.withLock { before in
                defer { before = done }
                return done - before
            }
            let all = total.withLock { count in
                count += new
                return count
            }
            emit(.page(resource: path, done: all, expected: nil))
        }
        return context
    }
}
