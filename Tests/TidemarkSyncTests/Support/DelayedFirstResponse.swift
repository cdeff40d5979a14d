import HTTPTypes
import TidemarkRemote
import TidemarkTesting

/// A transport that runs an action between the response of a fake service and its delivery.
struct DelayedFirstResponse: Transport {
    private let fake: FakeService
    private let meanwhile: @Sendable () async throws -> Void

    init(_ fake: FakeService, meanwhile: @escaping @Sendable () async throws -> Void) {
        self.fake = fake
        self.meanwhile = meanwhile
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let answer = try await fake.send(request, body: body)
        try await meanwhile()
        return answer
    }
}
