import Testing
import TidemarkTestSupport

/// Random schedules of edits on several devices, with faults, crashes and syncs.
@Suite(.timeLimit(.minutes(600)))
struct PushSimulationTests {
    @Test(arguments: TaskService.Dialect.allCases)
    func `after any schedule, a few syncs bring all devices in sync with the service`(
        _ dialect: TaskService.Dialect
    ) async throws {
        try await Property(cases: 4) { PushSchedule(dialect, seed: $0) }.holds { schedule in
            let first = try await PushSimulation(schedule).run()
            let second = try await PushSimulation(schedule).run()
            try same(second, first, "The same schedule produced a different trace.")
        }
    }
}
