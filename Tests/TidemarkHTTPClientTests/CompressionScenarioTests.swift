import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting

/// Bodies that are compressed, or only have the header field of compressed ones.
@Suite(.timeLimit(.minutes(40)))
struct CompressionScenarioTests {
    private let fake: FakeService

    init() throws {
        fake = try StarWars.service()
    }

    @Test(arguments: TestTransport.socketBased)
    func `a body over the limit after decompression is rejected`(
        _ transport: TestTransport
    ) async throws {
        let blanks = String(repeating: " ", count: 16 << 20)
        fake.inject(.body("{\"results\": [\(blanks)]}", type: "application/json"))
        for inMemory in [1 << 10, 64 << 20] {
            fake.clearRequests()
            var limits = Limits.longTimeout
            limits.http.bodyBytes = 1 << 20
            limits.http.bodyInMemory = inMemory
            let error = try await transport.withRemote(
                fake,
                limits: limits,
                coding: .compressed
            ) { remote, _ in
                await remote.failure("films/")
            }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("longer than 1048576 bytes") == true)
            #expect(fake.requests.count == 1)
            #expect(fake.requests.first?.request.headerFields[.acceptEncoding] != nil)
        }
    }

    @Test(arguments: TestTransport.socketBased)
    func `an uncompressed body with Content-Encoding is retried, and then an error`(
        _ transport: TestTransport
    ) async throws {
        fake.inject(.header("Content-Encoding", "gzip"), times: 1)
        let counts = try await transport.withRemote(fake) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
        fake.inject(.header("Content-Encoding", "gzip"))
        fake.clearRequests()
        let error = try await transport.withRemote(fake) { remote, _ in
            await remote.failure("films/")
        }
        #expect([.truncated, .connectionFailed].contains(error?.code))
        #expect(fake.requests.count == 5)
    }

    @Test(arguments: TestTransport.socketBased)
    func `a truncated compressed body is retried`(_ transport: TestTransport) async throws {
        fake.inject(.truncatedBody(after: 20_000), times: 1)
        let counts = try await transport.withRemote(fake, coding: .compressed) { remote, _ in
            try await remote.pageCounts("films/")
        }
        #expect(counts == [6])
        #expect(fake.requests.count == 2)
    }
}
