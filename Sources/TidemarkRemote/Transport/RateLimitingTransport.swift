package import HTTPTypes
import TidemarkModel

import struct Foundation.Date

/// A transport that respects the rate limits of a service: after a response with `Backoff` or
/// `Retry-After`, successful or not, no request is sent before that time.
///
/// Sources: RFC 9110, “Retry-After”; Kinto HTTP API 1.x, “Backoff indicators”.
package struct RateLimitingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let policy: WaitPolicy
    private let pause = Locked<Pause?>(nil)

    /// A pause that the service requested.
    private struct Pause: Sendable {
        var end: Date
        var length: Duration
    }

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends the requests.
    ///   - policy: The clock, the longest pause to wait for, and the observer of pauses.
    package init(_ wrapped: Wrapped, policy: WaitPolicy) {
        self.wrapped = wrapped
        self.policy = policy
    }

    /// Sends a request, after waiting for a pause that the service requested.
    ///
    /// - Throws: ``RemoteError/Code/rateLimited`` if the pause exceeds `Limits.http.retryTime`, and
    ///   errors of the wrapped transport.
    package func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        try await waitForPause(before: request)
        let response = try await wrapped.send(request, body: body)
        let now = policy.environment.now()
        let limit = policy.limits.http.pause
        if let length = RetryAfter.pause(
            in: response.head.headerFields,
            now: now,
            atMost: limit
        ) {
            let end = now.addingTimeInterval(length / .seconds(1))
            // Responses of concurrent requests may arrive in any order: the latest end counts.
            pause.withLock {
                if $0.map({ $0.end < end }) ?? true { $0 = Pause(end: end, length: length) }
            }
        }
        return response
    }

    private func waitForPause(before request: HTTPRequest) async throws {
        let now = policy.environment.now()
        guard let pause = pause.withLock({ $0 }), pause.end > now else { return }
        // If the clock was set back, the wait must not exceed its original length.
        let wait = min(.seconds(pause.end.timeIntervalSince(now)), pause.length)
        let reason = RemoteError.paused(request, for: wait)
        guard wait <= policy.limits.http.retryTime else { throw reason }
        try await policy.wait(wait, because: reason)
    }
}
