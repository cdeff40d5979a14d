import HTTPTypes
import TidemarkRemote
import TidemarkTesting

/// The way to a service on which some requests fail for good.
struct RejectingTransport: Transport {
    private let fake: FakeService
    private let refuses: @Sendable (String) -> Bool

    /// Refuses requests by their path and query.
    init(_ fake: FakeService, refuses: @escaping @Sendable (String) -> Bool) {
        self.fake = fake
        self.refuses = refuses
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        if refuses(request.path ?? "") { fake.misbehave(.status(403), times: 1) }
        return try await fake.send(request, body: body)
    }
}
