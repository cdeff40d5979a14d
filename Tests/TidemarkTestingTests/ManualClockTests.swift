import Foundation
import Testing
import TidemarkModel
import TidemarkTesting

struct ManualClockTests {
    @Test func `a sleep advances the time and is recorded`() async throws {
        let clock = ManualClock(now: Date(timeIntervalSince1970: 100))
        try await clock.environment.sleep(.milliseconds(1_500))
        clock.advance(by: .seconds(1))
        #expect(clock.now == Date(timeIntervalSince1970: 102.5))
        #expect(clock.sleeps == [.milliseconds(1_500)])
    }

    @Test func `the process has a fixed number and host`() {
        let process = ManualClock().environment.process()
        #expect(process == ProcessIdentity(host: "localhost", number: 1))
    }

    @Test func `identifiers are consecutive`() {
        let environment = SystemEnvironment.manual()
        #expect(environment.uuid().uuidString == "00000000-0000-0000-0000-000000000001")
        #expect(environment.uuid().uuidString == "00000000-0000-0000-0000-000000000002")
    }

    @Test func `random numbers depend on the seed and are less than one`() {
        let numbers = (0..<1_000).map { _ in 0 }
        let first = SystemEnvironment.manual(seed: 7)
        let second = SystemEnvironment.manual(seed: 7)
        let other = SystemEnvironment.manual(seed: 8)
        let drawn = numbers.map { _ in first.random() }
        #expect(drawn == numbers.map { _ in second.random() })
        #expect(drawn != numbers.map { _ in other.random() })
        #expect(drawn.allSatisfy { (0..<1).contains($0) })
    }
}
