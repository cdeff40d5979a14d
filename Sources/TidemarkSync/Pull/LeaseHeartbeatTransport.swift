import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A transport that renews the lease while the body of a long response arrives.
struct LeaseHeartbeatTransport: Transport {
    private let base: any Transport
    private let environment: SystemEnvironment
    private let renew: @Sendable () async throws -> Void

    /// The minimum time between two renewals, in seconds: a third of the lease's duration.
    private static let interval = 20.0

    init(
        _ base: any Transport,
        in environment: SystemEnvironment,
        renew: @escaping @Sendable () async throws -> Void
    ) {
        self.base = base
        self.environment = environment
        self.renew = renew
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let last = Locked(environment.now())
        var response = try await base.send(request, body: body)
        response.body = response.body.observed { _ in
            let now = environment.now()
            let isDue = last.withLock { last in
                guard now.timeIntervalSince(last) >= Self.interval else { return false }
                last = now
                return true
            }
            if isDue { try await renew() }
        }
        return response
    }
}
