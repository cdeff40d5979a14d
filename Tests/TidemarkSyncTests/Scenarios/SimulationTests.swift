import Testing
import TidemarkTestSupport

/// Schedules of edits, faults, crashes and pulls by chance, on a virtual clock.
@Suite(.timeLimit(.minutes(600)))
struct SimulationTests {
    @Test(arguments: Mirror.Dialect.allCases)
    func `whatever happened, a service that behaves is mirrored after a few pulls`(
        _ dialect: Mirror.Dialect
    ) async throws {
        try await Property(cases: 20) { Schedule(dialect, seed: $0) }.holds { schedule in
            let first = try await Simulation(schedule).run()
            let second = try await Simulation(schedule).run()
            try same(second, first, "The same schedule went another way.")
        }
    }
}
