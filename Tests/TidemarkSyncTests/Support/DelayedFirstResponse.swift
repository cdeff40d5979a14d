import HTTPTypes
import TidemarkRemote
import TidemarkTesting

/// A transport that runs an action between the response of a fake service and its delivery.
struct DelayedFirstResponse: Transport {
    private let fake: FakeService
    private let beforeDelivery: @Sendable () async throws -> Void

    init(_ fake: FakeService, beforeDelivery: @escaping @Sendable () async throws -> Void) {
        self.fake = fake
        self.beforeDelivery = beforeDelivery
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let response = try await fake.send(request, body: body)
        try await beforeDelivery()
        return response
    }
}
