import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A transport that starts a request only while the lease of the run outlasts it, and renews the
/// lease while the body of a long response arrives.
struct LeasedTransport: Transport {
    let base: any Transport
    let permits: RequestPermits
    let environment: SystemEnvironment

    /// The minimum time between two renewals, in seconds: a third of the lease's duration.
    private static let interval = 20.0

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isWrite = request.method != .get && request.method != .head
        if isWrite {
            do { try await permits.expectWrite() } catch { throw RequestNotStarted(reason: error) }
        } else {
            try await permits.expectRead()
        }
        let last = Locked(environment.now())
        var response = try await base.send(request, body: body)
        response.body = response.body.observed { _ in
            let now = environment.now()
            let isDue = last.withLock { last in
                guard now.timeIntervalSince(last) >= Self.interval else { return false }
                last = now
                return true
            }
            guard isDue else { return }
            do { try await permits.renew() } catch {
                // The outcome of a change is received nevertheless: nothing else knows it.
                guard isWrite else { throw error }
            }
        }
        return response
    }
}

/// A request that changes an object was not sent, because the run may not have the lease until its
/// end.
struct RequestNotStarted: Error {
    /// Why: ``SyncError/Code/leaseLost``, `DatabaseError` or `CancellationError`.
    let reason: any Error
}
