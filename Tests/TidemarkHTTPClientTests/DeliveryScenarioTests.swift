import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkHTTPClient
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting

/// Bodies that are reset, short, duplicated or compressed, and concurrent requests.
@Suite(.timeLimit(.minutes(40)))
struct DeliveryScenarioTests {
    private let fake: FakeService

    init() throws {
        fake = try StarWars.service()
    }

    @Test(arguments: TestTransport.allCases)
    func `a connection that is reset within a body is retried`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.reset(after: 1_000), times: 1)
        let counts = try await transport.withRemote(fake) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
        #expect(fake.requests.count == 2)
    }

    @Test(arguments: TestTransport.allCases)
    func `a connection that is reset in every attempt is an error`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.reset(after: 1_000))
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect(error?.code == .truncated || error?.code == .connectionFailed)
        #expect(fake.requests.count == 5)
    }

    @Test(arguments: TestTransport.allCases)
    func `a short or duplicated body is not JSON`(_ transport: TestTransport) async throws {
        for fault in [FakeFault.shortBody(after: 1_000), .duplicatedBody] {
            fake.inject(fault)
            let error = try await transport.withRemote(fake) { remote, _ in
                await remote.failure("films/")
            }
            #expect(error?.code == .notJSON, "\(fault)")
            fake.removeFaults()
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `compressed bodies are decoded`(_ transport: TestTransport) async throws {
        let counts = try await transport.withRemote(fake, coding: .compressed) { remote, _ in
            try await remote.pageCounts("people/")
        }
        #expect(counts == Array(repeating: 10, count: 8) + [2])
    }

    @Test func `a compressed response has a weak tag that validates`() async throws {
        fake.clearRequests()
        try await FakeServer.run(fake, coding: .compressed) { url in
            try await AsyncHTTPClientTransport.run(limits: .longTimeout) { transport in
                func send(
                    _ method: HTTPRequest.Method,
                    _ tag: String? = nil
                ) async throws -> (head: HTTPResponse, length: Int) {
                    var request = HTTPRequest(method: method, url: url.appending(path: "films/"))
                    request.headerFields[.ifNoneMatch] = tag
                    request.headerFields[.acceptEncoding] = "gzip"
                    let response = try await transport.send(request, body: nil)
                    return (response.head, try await response.collect(upTo: 1 << 20).count)
                }
                let whole = try await send(.get)
                let tag = try #require(whole.head.headerFields[.eTag])
                #expect(tag.hasPrefix("W/\""))
                #expect(whole.head.headerFields[.contentEncoding] == "gzip")
                let known = try await send(.get, tag)
                #expect(known.head.status == .notModified)
                #expect(known.length == 0)
                let head = try await send(.head)
                #expect(head.head.status == .ok)
                #expect(head.head.headerFields[.contentEncoding] == nil)
                #expect(head.length == 0)
            }
        }
    }

    /// The service responds to no request before it has received all of them.
    @Test(arguments: [1, 20])
    func `requests up to the limit are sent concurrently`(_ concurrency: Int) async throws {
        let barrier = Barrier(of: concurrency)
        var environment = ManualClock().environment
        environment.sleep = { _ in await barrier.waitForAll() }
        let fake = try StarWars.service(environment: environment)
        fake.inject(.latency(.seconds(1)))
        var limits = Limits.longTimeout
        limits.concurrency = concurrency
        try await FakeServer.run(fake) { [limits] url in
            try await AsyncHTTPClientTransport.run(limits: limits) { transport in
                let request = HTTPRequest(method: .get, url: url.appending(path: "films/1/"))
                try await withThrowingTaskGroup { group in
                    for _ in 0..<concurrency {
                        group.addTask { try await transport.send(request, body: nil).head.status }
                    }
                    for try await status in group { #expect(status == .ok) }
                }
            }
        }
        #expect(fake.requests.count == concurrency)
    }

    /// Suspends requests until a number of them have arrived.
    private actor Barrier {
        private var missing: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(of count: Int) { missing = count }

        func waitForAll() async {
            missing -= 1
            guard missing > 0 else {
                for continuation in waiting { continuation.resume() }
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `every dialect can be read over every transport`(_ transport: TestTransport) async throws {
        let dialects: [(FakeDialect, String)] = [
            (.rails(), "films"), (.parse(), "classes/films"), (.jsonAPI(), "films"),
            (.kinto(), "buckets/app/collections/films/records"),
        ]
        for (dialect, path) in dialects {
            let fake = FakeService(data: FakeData([("films", [["id": 1]])]), dialect: dialect)
            let json = try await transport.withRemote(fake) { remote, _ in
                let page = try await remote.first(path)
                return try page.document.withRoot { try FakeJSON(parsing: Array($0.source)) }
            }
            #expect(json.elements?.count == 1 || json["results"] != nil || json["data"] != nil)
        }
    }
}
