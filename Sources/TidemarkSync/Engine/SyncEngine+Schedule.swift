import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

extension SyncEngine {
    /// Syncs by a schedule until the task is cancelled.
    ///
    /// Each run pulls, and if the service accepts changes, it pushes local ones first: see
    /// ``sync(with:)``. A change that the service has postponed is sent again when it is due, also
    /// between two times of the schedule.
    ///
    /// Run it in a task of the app's lifetime, such as SwiftUI's `task` modifier or a service of a
    /// server. With an interval, the first pull starts at once; without one, when ``requestPull()``
    /// is called. The results are reported as ``SyncEvent`` values. A resource that fails, or a
    /// service that cannot be reached, is tried again by the next pull. If another process is
    /// pulling into the store, this method waits for the next time as well.
    ///
    /// ```swift
    /// let syncing = Task { try await engine.run(.every(.seconds(300))) }
    /// // When the app goes to the background:
    /// syncing.cancel()    // the next pull resumes at the page that was reached
    /// ```
    ///
    /// The time of the next pull is stored, and is ``SyncStatus/next``.
    ///
    /// - Parameters:
    ///   - schedule: When to pull.
    ///   - options: The options of each pull.
    /// - Throws: `CancellationError` when the task is cancelled; errors that ``pull(with:)``
    ///   throws, if a later pull would fail in the same way, such as
    ///   ``SyncError/Code/serviceMismatch``.
    public func run(
        _ schedule: SyncSchedule,
        with options: PullOptions = PullOptions()
    ) async throws {
        try await run(
            schedule,
            requesting: writableResources.isEmpty || isDryRun ? .pull(options) : .sync(options)
        )
    }

    /// Pulls by a schedule until the task is cancelled, and pushes nothing: see ``run(_:with:)``.
    package func pull(by schedule: SyncSchedule, with options: PullOptions) async throws {
        try await run(schedule, requesting: .pull(options))
    }

    private func run(_ schedule: SyncSchedule, requesting request: RunRequest) async throws {
        do {
            if schedule.interval == nil { try await pause(schedule, atMost: nil) }
            while true {
                var delay = schedule.interval
                try await ignoringTransientErrors {
                    let due = try await report(of: request).pushed.nextAttempt
                    delay = [delay, due.map(timeLeft)].compactMap(\.self).min()
                }
                try await ignoringTransientErrors { [delay] in
                    try await saveNextRun(after: delay)
                }
                try await pause(schedule, atMost: delay)
            }
        } catch {
            // The cancelled task could not write. No pull follows.
            try await Task {
                try await ignoringTransientErrors { try await saveNextRun(after: nil) }
            }.value
            throw error
        }
    }

    /// Requests a pull from the task that runs a schedule (``run(_:with:)``).
    ///
    /// The pull starts when the debounce of the schedule has elapsed and a running pull has ended.
    /// If no schedule is running, the request is kept for the next one. The method returns at once;
    /// the result is reported as events.
    ///
    /// ```swift
    /// // The app comes to the front, a push arrives, the network is back:
    /// await engine.requestPull()
    /// ```
    public func requestPull() {
        isPullRequested = true
        for schedule in waitingSchedules.values { schedule.finish() }
    }

    /// Performs an operation of a schedule.
    ///
    /// Ignores errors that the next time may not have.
    private func ignoringTransientErrors(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as SyncError where error.isTransient {
            // The pull has reported the error as an event. The other process pulls the same data.
        } catch let error as DatabaseError where error.isTransient {
            // A pull has reported the error as an event: another connection holds the write lock
            // for longer than the busy timeout.
        }
    }

    /// Returns the time until a date, at least a second.
    private func timeLeft(until date: Date) -> Duration {
        // Rounded up: a wake-up just before that time would find nothing to do.
        .seconds(max(1, date.timeIntervalSince(environment.now()).rounded(.up)))
    }

    /// Waits until a pull is due or requested.
    ///
    /// - Parameters:
    ///   - plan: The schedule, with its debounce.
    ///   - delay: The longest wait; nil to wait for a request.
    /// - Throws: `CancellationError`.
    private func pause(_ plan: SyncSchedule, atMost delay: Duration?) async throws {
        let (request, continuation) = AsyncStream<Never>.makeStream()
        let schedule = environment.uuid()
        waitingSchedules[schedule] = continuation
        defer { waitingSchedules[schedule] = nil }
        if isPullRequested { continuation.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let delay {
                group.addTask { [environment] in try await environment.sleep(delay) }
            }
            group.addTask { for await _ in request {} }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        guard plan.debounce > .zero else {
            _ = takeRequest()
            return
        }
        // A burst of requests leads to one pull.
        for _ in 0..<Self.longestDebounce where takeRequest() {
            try await environment.sleep(plan.debounce)
        }
    }

    /// Returns whether a pull was requested since the last call.
    private func takeRequest() -> Bool {
        defer { isPullRequested = false }
        return isPullRequested
    }

    /// The maximum number of times that the debounce is waited for.
    private static var longestDebounce: Int { 10 }

    /// Saves in the store when the next pull begins; nil if none will.
    private func saveNextRun(after interval: Duration?) async throws {
        let next = interval.map { environment.now().addingTimeInterval($0 / .seconds(1)) }
        let process = environment.process()
        try await importer.store.transaction(durability: .relaxed) { db in
            guard try SyncTables.exist(db) else { return }
            try NextRun(process: process, date: next).save(db)
        }
    }
}

extension DatabaseError {
    /// Whether the operation may succeed at another time.
    fileprivate var isTransient: Bool {
        resultCode == .SQLITE_BUSY || resultCode == .SQLITE_LOCKED
    }
}

extension SyncError {
    /// Whether the operation may succeed at another time.
    fileprivate var isTransient: Bool { code == .busy || code == .leaseLost }
}
