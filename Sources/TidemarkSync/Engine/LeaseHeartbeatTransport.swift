import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A transport that renews the lease while the body of a long response arrives.
struct LeaseHeartbeatTransport: Transport {
    let base: any Transport
    let environment: SystemEnvironment
    let renew: @Sendable () async throws -> Void

    /// The minimum time between two renewals, in seconds: a third of the lease's duration.
    private static let interval = 20.0

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
