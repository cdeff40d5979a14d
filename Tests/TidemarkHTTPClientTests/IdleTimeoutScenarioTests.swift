import Foundation
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Timeouts of slow, stalled and endless responses.
@Suite(.timeLimit(.minutes(40)))
struct IdleTimeoutScenarioTests {
    // Threads that are busy with other tests may not send data for longer than any timeout.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["TIDEMARK_TEST_ALONE"] != nil,
            "It has to run by itself: make test-services"
        ),
        arguments: Way.overSocket
    )
    func `a slow body may take longer than the idle timeout`(_ way: Way) async throws {
        let fake = try StarWars.service(environment: .live)
        fake.misbehave(.trickle(1_000, every: .milliseconds(100)))
        var limits = Limits()
        limits.http.idleTimeout = .seconds(1)
        limits.http.attempts = 1
        let counts = try await way.ask(fake, limits: limits) { remote, _ in
            try await remote.walk("films/")
        }
        #expect(counts == [6])
    }

    @Test(arguments: Way.overSocket)
    func `a stalled body times out`(_ way: Way) async throws {
        let fake = try StarWars.service()
        fake.misbehave(.stall(after: 1_000))
        var limits = Limits()
        limits.http.idleTimeout = .milliseconds(200)
        limits.http.attempts = 2
        try await way.ask(fake, limits: limits) { remote, clock in
            let error = await remote.failure("films/")
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("no data received for 0.2 s") == true)
            #expect(clock.sleeps.count == 1)
        }
    }

    @Test(arguments: Way.overSocket)
    func `an endless body times out`(_ way: Way) async throws {
        let fake = try StarWars.service(environment: .live)
        fake.misbehave(.trickle(1, every: .milliseconds(5)))
        var limits = Limits()
        limits.http.idleTimeout = .seconds(3_600)
        limits.http.responseTime = .milliseconds(300)
        limits.http.attempts = 1
        let error = try await way.ask(fake, limits: limits) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("the response was not complete after 0.3 s") == true)
    }
}
