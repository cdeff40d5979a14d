import Foundation
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting

/// Pages, redirects, limits and cancellation, in process and over sockets.
@Suite(.timeLimit(.minutes(40)))
struct PagingScenarioTests {
    private let fake: FakeService

    init() throws {
        fake = try StarWars.service()
    }

    @Test(arguments: TestTransport.allCases)
    func `a next link to a page that was read is an error with its URL`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.cyclicNextLink, at: "people/?page=3")
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("people/")
        }
        #expect(error?.code == .paginationLoop)
        #expect(error?.message.hasPrefix("The pages of people/ form a loop: ") == true)
        #expect(
            error?.message.contains("/api/people/?page=3 as its next page, which was already read")
                == true
        )
        #expect(fake.requests.count == 3)
    }

    @Test(arguments: TestTransport.allCases)
    func `a redirect to another host is rejected without a request`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.redirect(to: "https://elsewhere.example/films/"))
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .redirectRejected)
        #expect(error?.message.contains("leads to https://elsewhere.example,") == true)
        #expect(error?.hint?.contains("add https://elsewhere.example to its origins") == true)
        #expect(fake.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `a redirect within the service is followed`(_ transport: TestTransport) async throws {
        let counts = try await transport.withRemote(fake) { remote, _ in
            try await remote.pageCounts("planets")
        }
        #expect(counts == [10, 10])
        #expect(
            fake.requests.description == """
                GET /api/planets 301
                GET /api/planets/ 200
                GET /api/planets/?page=2 200
                """
        )
    }

    @Test(arguments: TestTransport.allCases)
    func `a body over the limit is an error`(_ transport: TestTransport) async throws {
        var limits = Limits.longTimeout
        limits.http.bodyBytes = 5_000
        let error = try await transport.withRemote(fake, limits: limits) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("longer than 5000 bytes") == true)
        #expect(fake.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `a body over the limit of memory is read completely`(
        _ transport: TestTransport
    ) async throws {
        var limits = Limits.longTimeout
        limits.http.bodyInMemory = 100
        let counts = try await transport.withRemote(fake, limits: limits) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
    }

    @Test(arguments: TestTransport.allCases)
    func `a cancelled request throws a cancellation error`(_ transport: TestTransport) async throws
    {
        let (requests, requestContinuation) = AsyncStream<Void>.makeStream()
        var environment = SystemEnvironment.manual()
        environment.sleep = { _ in
            let (never, keeper) = AsyncStream<Never>.makeStream()
            requestContinuation.yield()
            for await _ in never {}
            keeper.finish()
            throw CancellationError()
        }
        let slow = try StarWars.service(environment: environment)
        slow.inject(.latency(.seconds(3_600)))
        try await transport.withRemote(slow) { remote, clock in
            let request = Task { try await remote.first("films/") }
            for await _ in requests { break }
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
            #expect(clock.sleeps.isEmpty)
        }
        #expect(slow.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `the lists of the demo are read page by page`(_ transport: TestTransport) async throws {
        let counts = try await transport.withRemote(fake) { remote, _ in
            [
                try await remote.pageCounts("films/"), try await remote.pageCounts("people/"),
                try await remote.pageCounts("planets/"), try await remote.pageCounts("species/"),
                try await remote.pageCounts("vehicles/"), try await remote.pageCounts("starships/"),
            ]
        }
        #expect(
            counts == [
                [6], Array(repeating: 10, count: 8) + [2], [10, 10], [10, 10, 10, 7],
                [10, 10, 10, 9], [10, 10, 10, 6],
            ]
        )
    }
}
