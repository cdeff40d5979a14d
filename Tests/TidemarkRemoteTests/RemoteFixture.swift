import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// The service, the clock and the limits with which tests create a `Remote`.
struct RemoteFixture {
    static let address = "https://api.example.com/v1/"

    let clock = ManualClock()
    var service: Service
    var limits = Limits()

    init(_ address: String = Self.address) {
        service = .rest(url: URL(string: address) ?? URL(filePath: "/"))
    }

    /// Creates a fixture whose requests contain secrets and are not retried.
    init(sending fields: HTTPFields, parameter: String? = nil) {
        self.init()
        for field in fields { service.headers[field.name] = field.value }
        if let parameter { service.query = [QueryItem("k", parameter)] }
        limits.http.attempts = 1
    }

    func remote(_ transport: some Transport) -> Remote {
        Remote(service, over: transport, environment: clock.environment, limits: limits)
    }

    func first(_ path: String, _ transport: some Transport) async throws -> Page {
        try await remote(transport).page(
            PageRequest(first: service.resource("Thing", path: path))
        )
    }

    /// Returns what a response to a change of a thing means.
    func outcome(
        of response: WriteResponse,
        to change: PushStyle.Change,
        style: PushStyle = .rest
    ) throws -> WriteOutcome {
        var resource = service.resource("Thing", path: "things")
        resource.push = style
        return try WriteOutcome(response, to: WriteExpectation(.init(change, in: resource)))
    }

    func failure(_ path: String, _ transport: some Transport) async -> RemoteError? {
        do {
            _ = try await first(path, transport)
            return nil
        } catch {
            return error as? RemoteError
        }
    }
}
