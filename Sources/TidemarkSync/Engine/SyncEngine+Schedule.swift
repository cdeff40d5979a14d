import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

extension SyncEngine {
    /// Pulls by a schedule, until the task is cancelled.
    ///
    /// What becomes of each pull is told in ``SyncEvent``: a resource that fails, or a service that
    /// cannot be reached, is tried again next time. While another run is at work on the store, this
    /// one waits for its next time too.
    ///
    /// - Parameters:
    ///   - schedule: when to pull.
    ///   - options: how each pull goes about its resources.
    /// - Throws: `CancellationError` when the task is cancelled; what ``pull(_:)`` throws where
    ///   another time would be no better.
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
        // What is cancelled will not run again, and could not say so itself.
        try await Task { try await passing { try await note(nil) } }.value
        try outcome.get()
    }

    /// Asks for a pull, by whoever runs a schedule; it begins as soon as that allows.
    ///
    /// ```swift
    /// // The app comes to the front, a push arrives, the network is back:
    /// await engine.requestPull()
    /// ```
    public func requestPull() async {
        await bell.ring()
    }

    /// Does something of a schedule that goes on next time where others are in the way now.
    private func passing(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as SyncError where error.isPassing {
            // Told in an event; whoever is at work does what this run was to do.
        } catch let error as DatabaseError where error.isPassing {
            // Told in an event where it was a pull: somebody writes for longer than one waits.
        }
    }

    /// Waits until a pull is due, or asked for.
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
        for _ in 0..<Self.longestDebounce where await bell.wasRung() {
            try await environment.sleep(schedule.debounce)
        }
    }

    /// How many times the wait for further requests may be lengthened.
    private static var longestDebounce: Int { 10 }

    /// Notes in the store when the next pull begins.
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
    /// Whether another time is better.
    fileprivate var isPassing: Bool {
        resultCode == .SQLITE_BUSY || resultCode == .SQLITE_LOCKED
    }
}

extension SyncError {
    /// Whether another time is as good.
    fileprivate var isPassing: Bool { code == .busy || code == .overtaken }
}
