import TidemarkModel
import TidemarkSync

extension SyncEngine {
    /// Runs a schedule, and prints the outcome of each run.
    ///
    /// - Parameters:
    ///   - progress: The progress of a run, which is cleared before its outcome is printed.
    ///   - schedule: Runs the schedule of the engine until its task is cancelled.
    ///   - show: Prints the report of a run.
    ///   - check: Throws the failure of a run, which is logged and does not end the schedule.
    /// - Throws: Errors that `schedule` and `show` throw.
    func watch(
        _ progress: PullProgress,
        schedule: @escaping @Sendable () async throws -> Void,
        show: @escaping @Sendable (SyncReport) throws -> Void,
        check: @escaping @Sendable (SyncReport) throws -> Void
    ) async throws {
        @Sendable func log(_ error: any Error) {
            Console.log(Failure(error)?.message ?? "\(error)")
        }
        let events = events()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await schedule() }
            group.addTask {
                for await event in events {
                    switch event {
                    case .finished(let report):
                        progress.clear()
                        try show(report)
                        do { try check(report) } catch { log(error) }
                    case .stopped(let error):
                        progress.clear()
                        log(error)
                    case .started, .page, .retrying, .deletionPending, .pulled, .failed: break
                    case .pushing, .pushed, .adopted, .rejected, .uncertain: break
                    case .notShown, .conflict: break
                    case .editsUnrecorded, .storeCopied, .versionsFail, .orderNotSent: break
                    case .serviceDeletionPending: break
                    }
                }
            }
            defer { group.cancelAll() }
            for try await _ in group {}
        }
    }
}

extension Duration {
    /// Reads the interval of `--watch`.
    ///
    /// - Throws: ``Failure`` if it is not a duration.
    init(interval text: String) throws {
        guard let interval = Duration(written: text) else {
            throw Failure(.usage, "--watch: write 30s, 500ms or 5m, not \(text).")
        }
        self = interval
    }
}
