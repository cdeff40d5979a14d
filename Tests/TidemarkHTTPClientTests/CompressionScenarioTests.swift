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

    @Test(arguments: Way.overSocket)
    func `a body over the limit after decompression is rejected`(_ way: Way) async throws {
        let blanks = String(repeating: " ", count: 16 << 20)
        fake.misbehave(.body("{\"results\": [\(blanks)]}", type: "application/json"))
        for inMemory in [1 << 10, 64 << 20] {
            fake.forgetRequests()
            var limits = Limits.patient
            limits.http.bodyBytes = 1 << 20
            limits.http.bodyInMemory = inMemory
            let error = try await way.ask(fake, limits: limits, coding: .compressed) { remote, _ in
                await remote.failure("films/")
            }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("longer than 1048576 bytes") == true)
            #expect(fake.requests.count == 1)
            #expect(fake.requests.first?.request.headerFields[.acceptEncoding] != nil)
        }
    }

    @Test(arguments: Way.overSocket)
    func `an uncompressed body with Content-Encoding is retried, and then an error`(
        _ way: Way
    ) async throws {
        fake.misbehave(.field("Content-Encoding", "gzip"), times: 1)
        let counts = try await way.ask(fake) { remote, _ in try await remote.walk("films/") }
        #expect(counts == [6])
        fake.misbehave(.field("Content-Encoding", "gzip"))
        fake.forgetRequests()
        let error = try await way.ask(fake) { remote, _ in await remote.failure("films/") }
        #expect([.truncated, .unavailable].contains(error?.code))
        #expect(fake.requests.count == 5)
    }

    @Test(arguments: Way.overSocket)
    func `a truncated compressed body is retried`(_ way: Way) async throws {
        fake.misbehave(.cut(after: 20_000), times: 1)
        let counts = try await way.ask(fake, coding: .compressed) { remote, _ in
            try await remote.walk("films/")
        }
        #expect(counts == [6])
        #expect(fake.requests.count == 2)
    }
}
