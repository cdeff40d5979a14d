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
        arguments: TestTransport.socketBased
    )
    func `a slow body may take longer than the idle timeout`(
        _ transport: TestTransport
    ) async throws {
        let fake = try StarWars.service(environment: .live)
        fake.inject(.slowBody(1_000, every: .milliseconds(100)))
        var limits = Limits()
        limits.http.idleTimeout = .seconds(1)
        limits.http.attempts = 1
        let counts = try await transport.withRemote(fake, limits: limits) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
    }

    @Test(arguments: TestTransport.socketBased)
    func `a stalled body times out`(_ transport: TestTransport) async throws {
        let fake = try StarWars.service()
        fake.inject(.stall(after: 1_000))
        var limits = Limits()
        limits.http.idleTimeout = .milliseconds(200)
        limits.http.attempts = 2
        try await transport.withRemote(fake, limits: limits) { remote, clock in
            let error = await remote.failure("films/")
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("no data received for 0.2 s") == true)
            #expect(clock.sleeps.count == 1)
        }
    }

    @Test(arguments: TestTransport.socketBased)
    func `an endless body times out`(_ transport: TestTransport) async throws {
        let fake = try StarWars.service(environment: .live)
        fake.inject(.slowBody(1, every: .milliseconds(5)))
        var limits = Limits()
        limits.http.idleTimeout = .seconds(3_600)
        limits.http.responseTime = .milliseconds(300)
        limits.http.attempts = 1
        let error = try await transport.withRemote(fake, limits: limits) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("the response was not complete after 0.3 s") == true)
    }
}
