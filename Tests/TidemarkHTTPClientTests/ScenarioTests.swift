import Foundation
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// Failures of a service, in process and over the sockets of URLSession and AsyncHTTPClient.
@Suite(.timeLimit(.minutes(40)))
struct ScenarioTests {
    private let fake: FakeService

    init() throws {
        fake = try StarWars.service()
    }

    @Test(arguments: TestTransport.allCases)
    func `a server error is retried up to the limit of attempts`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.status(500))
        try await transport.withRemote(fake) { remote, clock in
            let error = await remote.failure("films/")
            #expect(error?.code == .serverError)
            #expect(error?.status == 500)
            #expect(error?.message.contains("This error was injected.") == true)
            #expect(error?.message.contains("/api/films/") == true)
            #expect(clock.sleeps.count == 4)
        }
        #expect(fake.requests.count == 5)
    }

    @Test(arguments: TestTransport.allCases)
    func `a page is read once the service recovers`(_ transport: TestTransport) async throws {
        fake.inject(.status(500), times: 2)
        let counts = try await transport.withRemote(fake) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
        #expect(fake.requests.map(\.status) == [500, 500, 200])
    }

    @Test(arguments: TestTransport.allCases)
    func `the delay of Retry-After is respected`(_ transport: TestTransport) async throws {
        fake.inject(.status(503, retryAfter: .seconds(7)), times: 1)
        fake.inject(.status(429, retryAfter: .seconds(11)), times: 1)
        try await transport.withRemote(fake) { remote, clock in
            let counts = try await remote.pageCounts("films/")
            #expect(counts == [6])
            #expect(clock.sleeps == [.seconds(7), .seconds(11)])
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `an HTML page is an error without a retry`(_ transport: TestTransport) async throws {
        fake.inject(.html)
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .notJSON)
        #expect(error?.status == 200)
        #expect(error?.message.contains("a web page (HTML)") == true)
        #expect(fake.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `a 404 error has the message of the service and is not retried`(
        _ transport: TestTransport
    ) async throws {
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/99/")
        }
        #expect(error?.code == .notFound)
        #expect(error?.message.hasSuffix("returned 404: “Not found”.") == true)
        #expect(fake.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `rejected credentials are an error without a retry`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.status(401))
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .unauthorized)
        #expect(error?.status == 401)
        #expect(fake.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `a truncated body is retried`(_ transport: TestTransport) async throws {
        fake.inject(.truncatedBody(after: 1_000), times: 1)
        let counts = try await transport.withRemote(fake) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
        #expect(fake.requests.count == 2)
    }

    @Test(arguments: TestTransport.allCases)
    func `a body that is truncated in every attempt is an error`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.truncatedBody(after: 1_000))
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .truncated)
        #expect(fake.requests.count == 5)
    }

    @Test(arguments: TestTransport.allCases)
    func `a service that closes the connection is unavailable`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.connectionClosed)
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .connectionFailed)
    }

    @Test(arguments: TestTransport.allCases)
    func `a request without a response times out`(_ transport: TestTransport) async throws {
        fake.inject(.noResponse)
        var limits = Limits()
        limits.http.attempts = 1
        limits.http.idleTimeout = .milliseconds(100)
        let error = try await transport.withRemote(fake, limits: limits) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: TestTransport.socketBased)
    func `a port without a listener is unavailable`(_ transport: TestTransport) async throws {
        let address = try #require(URL(string: "http://127.0.0.1:1/api/"))
        try await transport.withRemote(fake, at: address) { remote, clock in
            let error = await remote.failure("films/")
            #expect(error?.code == .unreachable)
            #expect(error?.message.contains("no connection could be made") == true)
            #expect(clock.sleeps.count == 4)
        }
        #expect(fake.requests.isEmpty)
    }
}
