import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

extension SyncEngine {
    /// Syncs by a schedule until the task is cancelled.
    ///
    /// Each run pulls, and if the service accepts changes, it pushes local ones first: see
    /// ``sync(with:pushing:)``.
    ///
    /// Run it in a task of the app's lifetime, such as SwiftUI's `task` modifier or a service of a
    /// server. With an interval, the first pull starts at once; without one, when ``requestSync()``
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
    /// Between two syncs, local changes are pushed by themselves, with or without an interval:
    /// - changes that the outbox has when the schedule starts, and new ones two seconds after the
    ///   last of them (``SyncSchedule/pushDebounce``), whatever program makes them. Those of other
    ///   processes are noticed within five seconds;
    /// - a change that the service has postponed, when it is due;
    /// - everything that could not be sent because the service, or the network, was not available,
    ///   after half a minute, and then after pauses that double: up to five minutes if there is no
    ///   connection, and up to an hour if the service rejects the requests. Changes of unknown
    ///   outcome are settled in the same way, creations by a sync if only a list settles them.
    ///
    /// A new change is sent at once even so: the network may be back. Editing a row again whose
    /// change waits for such a retry sends nothing earlier. Call ``requestSync()`` when the system
    /// reports that there is a network.
    ///
    /// The time of the next run is stored, and is ``SyncStatus/next``.
    ///
    /// - Parameters:
    ///   - schedule: When to pull, and when to push.
    ///   - options: The options of each pull.
    ///   - pushing: The options of each push.
    /// - Throws: `CancellationError` when the task is cancelled; errors that ``pull(with:)``
    ///   throws, if a later pull would fail in the same way, such as
    ///   ``SyncError/Code/serviceMismatch``.
    public func run(
        _ schedule: SyncSchedule,
        with options: PullOptions = PullOptions(),
        pushing: PushOptions = PushOptions()
    ) async throws {
        try await run(
            schedule,
            requesting: writableResources.isEmpty || isDryRun
                ? .pull(options) : .sync(options, pushing)
        )
    }

    /// Pulls by a schedule until the task is cancelled, and pushes nothing: see
    /// ``run(_:with:pushing:)``.
    package func pull(by schedule: SyncSchedule, with options: PullOptions) async throws {
        try await run(schedule, requesting: .pull(options))
    }

    /// Pushes by a schedule until the task is cancelled, and pulls nothing: see
    /// ``run(_:with:pushing:)``.
    ///
    /// The first push starts at once.
    package func push(
        by schedule: SyncSchedule,
        with options: PushOptions = PushOptions()
    ) async throws {
        isPullRequested = true
        try await run(schedule, requesting: .push(options))
    }

    private func run(_ schedule: SyncSchedule, requesting request: RunRequest) async throws {
        do {
            guard request.pushes, !writableResources.isEmpty else {
                return try await run(schedule, requesting: request, observing: nil)
            }
            try await LocalChangeObserver.observing(importer.store) { observer in
                try await run(schedule, requesting: request, observing: observer)
            }
        } catch {
            // The cancelled task could not write. No pull follows.
            try await Task {
                _ = try await ignoringTransientErrors { try await saveNextRun(at: nil) }
            }.value
            throw error
        }
    }

    private func run(
        _ schedule: SyncSchedule,
        requesting request: RunRequest,
        observing observer: LocalChangeObserver?
    ) async throws {
        var changes = try await pushableChanges(observer) ?? PushableChanges()
        var timer = ScheduleTimer(schedule, outbox: changes, at: environment.now())
        while true {
            let work = try await nextWork(of: &timer, by: schedule, observing: observer)
            let pushed = try await ignoringTransientErrors {
                switch work {
                case .sync: try await report(of: request).pushed
                case .push: try await report(of: .push(request.push ?? PushOptions())).pushed
                }
            }
            let hasChanged = try await takeChanges(observer)
            changes = try await pushableChanges(observer) ?? changes
            timer.ended(
                work,
                pushing: pushed,
                leaving: changes,
                hasChanged: hasChanged,
                in: environment
            )
            let next = timer.next
            _ = try await ignoringTransientErrors { try await saveNextRun(at: next) }
        }
    }

    /// Requests a sync from the task that runs a schedule (``run(_:with:pushing:)``).
    ///
    /// Where nothing is pushed, it is a pull. It starts when the debounce of the schedule has
    /// elapsed and a running sync has ended.
    /// If no schedule is running, the request is kept for the next one. The method returns at once;
    /// the result is reported as events.
    ///
    /// ```swift
    /// // The app comes to the front, a push arrives, the network is back:
    /// await engine.requestSync()
    /// ```
    public func requestSync() {
        isPullRequested = true
        for schedule in waitingSchedules.values { schedule.finish() }
    }

    // MARK: Waiting

    /// Waits until a run is due or requested.
    ///
    /// - Parameters:
    ///   - timer: Plans the runs.
    ///   - schedule: The schedule, with its debounces.
    ///   - observer: Notices local changes; nil if nothing is pushed.
    /// - Returns: The work of the run.
    /// - Throws: `CancellationError`; `DatabaseError`.
    private func nextWork(
        of timer: inout ScheduleTimer,
        by schedule: SyncSchedule,
        observing observer: LocalChangeObserver?
    ) async throws -> ScheduleTimer.Work {
        while true {
            try Task.checkCancellation()
            if isPullRequested {
                try await takeRequests(schedule.debounce)
                return .sync
            }
            if let work = timer.work(at: environment.now()) { return work }
            try await wait(until: timer.next, observing: observer)
            guard let observer else { continue }
            let hasRunEnded = observer.hasRunEnded
            guard try await takeChanges(observer) || hasRunEnded else { continue }
            try await debounceChanges(schedule.pushDebounce, for: &timer, observing: observer)
            if let changes = try await pushableChanges(observer) {
                timer.update(changes, at: environment.now())
            }
        }
    }

    /// Waits until a time, a request, or a local change.
    ///
    /// - Parameters:
    ///   - date: The time; nil to wait for the others.
    ///   - observer: Notices local changes. Those of other processes end the wait as well.
    /// - Throws: `CancellationError`.
    private func wait(
        until date: Date?,
        observing observer: LocalChangeObserver?
    ) async throws {
        // Less would be below the precision of a date.
        var delay = date.map { date -> Duration in
            let seconds = date.timeIntervalSince(environment.now())
            return max(Duration.milliseconds(1), Duration.seconds(seconds))
        }
        if observer?.isShared == true {
            delay = min(delay ?? LocalChangeObserver.pollInterval, LocalChangeObserver.pollInterval)
        }
        try await wait(atMost: delay, observing: observer)
    }

    private func wait(
        atMost delay: Duration?,
        observing observer: LocalChangeObserver?
    ) async throws {
        let (signal, continuation) = AsyncStream<Never>.makeStream()
        let schedule = environment.uuid()
        waitingSchedules[schedule] = continuation
        observer?.end(continuation)
        defer {
            waitingSchedules[schedule] = nil
            observer?.end(nil)
        }
        if isPullRequested { continuation.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let delay {
                group.addTask { [environment] in try await environment.sleep(delay) }
            }
            group.addTask { for await _ in signal {} }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Takes a request, and those that follow within the debounce: a burst leads to one pull.
    private func takeRequests(_ debounce: Duration) async throws {
        guard debounce > .zero else {
            _ = takeRequest()
            return
        }
        for _ in 0..<Self.longestDebounce where takeRequest() {
            try await environment.sleep(debounce)
        }
    }

    /// Returns whether a pull was requested since the last call.
    private func takeRequest() -> Bool {
        defer { isPullRequested = false }
        return isPullRequested
    }

    /// Waits until no local change has followed for the debounce, or a run is due or requested.
    private func debounceChanges(
        _ debounce: Duration?,
        for timer: inout ScheduleTimer,
        observing observer: LocalChangeObserver
    ) async throws {
        guard let debounce, debounce > .zero else { return }
        for _ in 0..<Self.longestDebounce {
            try await wait(atMost: debounce, observing: nil)
            let hasChanged = try await takeChanges(observer)
            let isDue = isPullRequested || timer.work(at: environment.now()) != nil
            guard hasChanged, !isDue else { return }
        }
    }

    /// The maximum number of times that a debounce is waited for.
    private static var longestDebounce: Int { 10 }

    // MARK: The store

    /// Performs an operation of a schedule.
    ///
    /// - Returns: The value that `body` returns; nil after an error that may not occur again.
    private func ignoringTransientErrors<T>(_ body: () async throws -> T) async throws -> T? {
        do {
            return try await body()
        } catch let error as SyncError where error.isTransient {
            // The pull has reported the error as an event. The other process pulls the same data.
            return nil
        } catch let error as DatabaseError where error.isTransient {
            // A pull has reported the error as an event: another connection holds the write lock
            // for longer than the busy timeout.
            return nil
        }
    }

    /// Returns whether rows may have changed; false if nothing is observed.
    private func takeChanges(_ observer: LocalChangeObserver?) async throws -> Bool {
        guard let observer else { return false }
        return try await ignoringTransientErrors { try await observer.takeChanges() } ?? true
    }

    /// Reads what can be pushed; nil if nothing is observed, or if the store cannot be read now.
    private func pushableChanges(_ observer: LocalChangeObserver?) async throws -> PushableChanges?
    {
        guard observer != nil else { return nil }
        return try await ignoringTransientErrors { try await pushableChanges() }
    }

    /// Saves in the store when the next run begins; nil if none will.
    private func saveNextRun(at date: Date?) async throws {
        let process = environment.process()
        try await importer.store.transaction(durability: .relaxed) { db in
            guard try SyncTables.exist(db) else { return }
            try NextRun(process: process, date: date).save(db)
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
