import Foundation
import Testing
import TidemarkTestSupport

/// Random schedules of edits, faults, crashes and pulls, on a manual clock.
///
/// If the environment variable `TIDEMARK_TRACES` names a directory, the trace of each schedule is
/// written to a file there: two revisions with the same behaviour write equal files.
@Suite(.timeLimit(.minutes(600)))
struct SimulationTests {
    @Test(arguments: Mirror.Dialect.allCases)
    func `after any schedule, a few pulls bring the store in sync with the service`(
        _ dialect: Mirror.Dialect
    ) async throws {
        try await Property(cases: 2) { Schedule(dialect, seed: $0) }.holds { schedule in
            let first = try await Simulation(schedule).run()
            let second = try await Simulation(schedule).run()
            try same(second, first, "The same schedule produced a different trace.")
            try Self.save(first, of: schedule)
        }
    }

    private static func save(_ trace: String, of schedule: Schedule) throws {
        guard let path = ProcessInfo.processInfo.environment["TIDEMARK_TRACES"] else { return }
        let directory = URL(filePath: path, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appending(path: "\(schedule.dialect)-\(schedule.seed).txt")
        try Data(trace.utf8).write(to: file)
    }
}
