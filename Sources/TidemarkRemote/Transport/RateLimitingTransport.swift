public import HTTPTypes
public import TidemarkModel

import struct Foundation.Date

/// A transport that respects the rate limits of a service: after a response with `Backoff` or
/// `Retry-After`, successful or not, no request is sent before that time.
///
/// Sources: RFC 9110, “Retry-After”; Kinto HTTP API 1.x, “Backoff indicators”.
public struct RateLimitingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let environment: SystemEnvironment
    private let limits: Limits
    private let onPause: @Sendable (Duration, RemoteError) -> Void
    private let rest = Locked<Rest?>(nil)

    /// A pause that the service requested.
    private struct Rest: Sendable {
        var end: Date
        var length: Duration
    }

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends the requests.
    ///   - environment: The source of time and waiting.
    ///   - limits: `Limits.retryTime` is the longest pause to wait for.
    ///   - onPause: Called before each wait with its length and the reason.
    public init(
        _ wrapped: Wrapped,
        environment: SystemEnvironment,
        limits: Limits = Limits(),
        onPause: @escaping @Sendable (_ after: Duration, _ reason: RemoteError) -> Void = { _, _ in
        }
    ) {
        self.wrapped = wrapped
        self.environment = environment
        self.limits = limits
        self.onPause = onPause
    }

    /// Sends a request, after waiting for a pause that the service requested.
    ///
    /// - Throws: ``RemoteError/Code/throttled`` if the pause exceeds `Limits.retryTime`, and errors
    ///   of the wrapped transport.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        try await pause(before: request)
        let response = try await wrapped.send(request, body: body)
        let answered = environment.now()
        if let wait = RetryAfter.pause(in: response.head.headerFields, now: answered) {
            let end = answered.addingTimeInterval(wait / .seconds(1))
            rest.withLock {
                if $0.map({ $0.end < end }) ?? true { $0 = Rest(end: end, length: wait) }
            }
        }
        return response
    }

    private func pause(before request: HTTPRequest) async throws {
        let now = environment.now()
        guard let rest = rest.withLock({ $0 }), rest.end > now else { return }
        // If the clock was set back, the wait must not exceed its original length.
        let wait = min(.seconds(rest.end.timeIntervalSince(now)), rest.length)
        let reason = RemoteError.paused(request, for: wait)
        guard wait <= limits.retryTime else { throw reason }
        onPause(wait, reason)
        try await environment.sleep(wait)
    }
}
