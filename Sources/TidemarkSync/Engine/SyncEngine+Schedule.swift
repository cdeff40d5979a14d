import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

extension SyncEngine {
    /// Pulls by a schedule until the task is cancelled.
    ///
    /// The results are reported as ``SyncEvent`` values. A resource that fails, or a service that
    /// cannot be reached, is tried again by the next pull. If another process is pulling into the
    /// store, this method waits for the next time as well.
    ///
    /// - Parameters:
    ///   - schedule: When to pull.
    ///   - options: The options of each pull.
    /// - Throws: `CancellationError` when the task is cancelled; errors that ``pull(_:)`` throws,
    ///   if a later pull would fail in the same way.
    public func run(
        _ schedule: SyncSchedule,
        _ options: PullOptions = PullOptions()
    ) async throws {
        let outcome: Result<Void, any Error>
        do {
            if schedule.interval == nil { try await pause(schedule) }
            while true {
                try await passing { _ = try await report(of: options) }
                try await passing { try await note(schedule.interval) }
                try await pause(schedule)
            }
        } catch {
            outcome = .failure(error)
        }
        // The cancelled task could not write. No pull follows.
        try await Task { try await passing { try await note(nil) } }.value
        try outcome.get()
    }

    /// Requests a pull from the task that runs a schedule (``run(_:_:)``).
    ///
    /// The pull starts when the debounce of the schedule has elapsed and a running pull has ended.
    /// If no schedule is running, the request is kept for the next one.
    ///
    /// ```swift
    /// // The app comes to the front, a push arrives, the network is back:
    /// await engine.requestPull()
    /// ```
    public func requestPull() async {
        await bell.ring()
    }

    /// Performs an operation of a schedule.
    ///
    /// Ignores errors that the next time may not have.
    private func passing(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as SyncError where error.isPassing {
            // The pull has reported the error as an event. The other process pulls the same data.
        } catch let error as DatabaseError where error.isPassing {
            // A pull has reported the error as an event: another connection holds the write lock
            // for longer than the busy timeout.
        }
    }

    /// Waits until a pull is due or requested.
    private func pause(_ schedule: SyncSchedule) async throws {
        let (bell, environment) = (bell, environment)
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let interval = schedule.interval {
                group.addTask { try await environment.sleep(interval) }
            }
            group.addTask { await bell.heard() }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        guard schedule.debounce > .zero else {
            _ = await bell.wasRung()
            return
        }
        // A burst of requests leads to one pull.
        for _ in 0..<Self.longestDebounce where await bell.wasRung() {
            try await environment.sleep(schedule.debounce)
        }
    }

    /// The maximum number of times that the debounce is waited for.
    private static var longestDebounce: Int { 10 }

    /// Saves in the store when the next pull begins; nil if none will.
    private func note(_ interval: Duration?) async throws {
        let next = interval.map { environment.now().addingTimeInterval($0 / .seconds(1)) }
        let process = environment.process()
        try await importer.store.writeRepeatable { db in
            guard try SyncTables.exist(db) else { return }
            try NextRun(process: process, date: next).save(db)
        }
    }
}

extension DatabaseError {
    /// Whether the operation may succeed at another time.
    fileprivate var isPassing: Bool {
        resultCode == .SQLITE_BUSY || resultCode == .SQLITE_LOCKED
    }
}

extension SyncError {
    /// Whether the operation may succeed at another time.
    fileprivate var isPassing: Bool { code == .busy || code == .overtaken }
}
