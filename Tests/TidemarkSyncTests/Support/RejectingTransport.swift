import HTTPTypes
import TidemarkRemote
import TidemarkTesting

/// A transport to a fake service that rejects some requests with 403, which is not retried.
struct RejectingTransport: Transport {
    private let fake: FakeService
    private let isRejected: @Sendable (String) -> Bool

    /// Creates a transport that rejects requests by their path and query.
    init(_ fake: FakeService, isRejected: @escaping @Sendable (String) -> Bool) {
        self.fake = fake
        self.isRejected = isRejected
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        if isRejected(request.path ?? "") { fake.inject(.status(403), times: 1) }
        return try await fake.send(request, body: body)
    }
}
