import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Schedules of edits, faults and pulls by chance, on a virtual clock.
struct SimulationTests {
    @Test(arguments: Mirror.Dialect.allCases)
    func `whatever happened, a service that behaves is mirrored after a few pulls`(
        _ dialect: Mirror.Dialect
    ) async throws {
        try await Property(cases: 20) { Schedule(dialect, seed: $0) }.holds { schedule in
            let first = try await Self.run(schedule)
            let second = try await Self.run(schedule)
            try same(second, first, "The same schedule went another way.")
        }
    }

    /// How many pulls it may take once nothing happens any more.
    private static let patience = 3

    /// Runs a schedule to its end, and returns all that happened.
    private static func run(_ schedule: Schedule) async throws -> String {
        let mirror = try Mirror(schedule.dialect, seed: schedule.seed)
        for step in schedule.steps { try await perform(step, mirror) }
        mirror.fake.behave()
        mirror.clock.advance(by: .seconds(600))
        // What is still to happen does, with so many requests.
        for _ in 0..<4 { try await mirror.pull { $0.sweepGuard = nil } }
        for _ in 0..<patience {
            try await mirror.pull { $0.sweepGuard = nil }
            if try mirror.local() == mirror.remote { break }
        }
        try same(try mirror.local(), mirror.remote, "The store is not like the service.")
        let settled = try await mirror.pull { $0.sweepGuard = nil }
        guard settled.imported.changedRows == 0 else {
            throw Counterexample("A pull of what was there already changed rows.")
        }
        return [
            "\(mirror.fake.requests)", mirror.events.lines.joined(separator: "\n"),
            try mirror.local(),
        ]
        .joined(separator: "\n")
    }

    private static func perform(_ step: Schedule.Step, _ mirror: Mirror) async throws {
        switch step {
        case .write(let key, let text): mirror.write(key, text)
        case .remove(let key): mirror.write(key, nil)
        case .wait(let milliseconds): mirror.clock.advance(by: .milliseconds(milliseconds))
        case .misbehave(let fault, let times): mirror.fake.misbehave(fault, times: times)
        case .meanwhile(let requests, let key, let text):
            let path = mirror.path(key)
            let object = text.map { mirror.object(key, $0) }
            mirror.fake.meanwhile(after: requests) { $0[path] = object }
        case .pull(let isFull):
            try await mirror.pull {
                $0.isFull = isFull
                $0.sweepGuard = nil
            }
        }
    }
}
