import Foundation
import Synchronization
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// A clock whose sleeps perform the steps of a test at their times, while a schedule runs.
final class Agenda: Sendable {
    private struct Step: Sendable {
        let seconds: Int
        let wakes: Bool
        let action: @Sendable () async throws -> Void
    }

    private let clock: ManualClock
    private let start: Date
    private let steps = Mutex<[Step]>([])

    /// Creates an agenda whose times are seconds from now.
    init(_ clock: ManualClock) {
        self.clock = clock
        start = clock.now
    }

    /// The time since the start, rounded.
    var seconds: Int { Int(clock.now.timeIntervalSince(start).rounded()) }

    /// Adds a step during which a schedule sleeps on.
    ///
    /// - Parameters:
    ///   - seconds: The time.
    ///   - action: The work, which is not cancelled.
    func at(_ seconds: Int, _ action: @escaping @Sendable () async throws -> Void) {
        steps.withLock { $0.append(Step(seconds: seconds, wakes: false, action: action)) }
    }

    /// Adds a step that wakes the schedule, such as a local change that is observed.
    func waking(at seconds: Int, _ action: @escaping @Sendable () async throws -> Void) {
        steps.withLock { $0.append(Step(seconds: seconds, wakes: true, action: action)) }
    }

    /// An environment with this clock, and the shortest pauses.
    var environment: SystemEnvironment {
        var environment = clock.environment
        environment.random = { 0 }
        environment.sleep = { try await self.pass($0) }
        return environment
    }

    /// Lets time pass, with the steps that are due meanwhile.
    private func pass(_ duration: Duration) async throws {
        try Task.checkCancellation()
        let end = clock.now.addingTimeInterval(duration / .seconds(1))
        while let step = nextStep(before: end) {
            advance(to: start.addingTimeInterval(Double(step.seconds)))
            // What wakes the schedule cancels its sleep.
            try await Task { try await step.action() }.value
            if step.wakes { try await suspendUntilCancelled() }
        }
        advance(to: end)
    }

    private func nextStep(before end: Date) -> Step? {
        steps.withLock { steps in
            let due = start.addingTimeInterval(Double(steps.first?.seconds ?? .max))
            return due <= end ? steps.removeFirst() : nil
        }
    }

    private func advance(to date: Date) {
        clock.advance(by: .seconds(max(0, date.timeIntervalSince(clock.now))))
    }

    private func suspendUntilCancelled() async throws {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        continuation.finish()
        try Task.checkCancellation()
    }

    /// Runs a schedule until a time, and cancels it.
    func run(_ seconds: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let (over, continuation) = AsyncStream<Never>.makeStream()
        waking(at: seconds) { continuation.finish() }
        let task = Task {
            defer { continuation.finish() }
            try await body()
        }
        for await _ in over {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// The runs of an engine, one line for each, with the time at which it ended.
final class RunLog: Sendable {
    private let agenda: Agenda
    private let state = Mutex<[String]>([])

    init(_ agenda: Agenda) { self.agenda = agenda }

    /// The lines since the last call of this.
    func take() -> [String] {
        state.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    @Sendable func record(_ event: SyncEvent) {
        let text: String
        switch event {
        case .finished(let report): text = Self.describe(report)
        case .stopped(let error as SyncError):
            text = "stopped: \(error.code == .busy ? "busy" : error.message)"
        case .stopped(let error): text = "stopped: \(error)"
        case .started, .page, .retrying, .deletionPending, .pulled, .failed: return
        case .pushing, .pushed, .adopted, .rejected, .uncertain, .notShown, .conflict: return
        case .editsUnrecorded, .storeCopied, .versionsFail, .orderNotSent: return
        case .serviceDeletionPending: return
        }
        state.withLock { $0.append("\(agenda.seconds) \(text)") }
    }

    private static func describe(_ report: SyncReport) -> String {
        let total = report.pushed.total
        let counts = [
            (total.created, "created"), (total.updated, "updated"), (total.deleted, "deleted"),
            (total.rejected, "rejected"), (total.uncertain, "uncertain"),
            (total.conflicted, "conflicted"), (total.postponed, "postponed"),
        ]
        let shown = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let failures = report.pushed.failures.values.map { error in
            error.code == .unreachable
                ? "unreachable" : error.status.map(String.init) ?? error.message
        }
        .sorted()
        let work = report.resources.isEmpty ? "push" : "sync"
        return ([work] + shown + failures).joined(separator: ", ")
    }
}
