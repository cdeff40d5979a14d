public import HTTPTypes
public import TidemarkModel

import struct Foundation.Date

/// Keeps to the pace that a service asks for, in answers that succeed as well as in those that
/// fail: after `Backoff` or `Retry-After` no request is sent before that time.
///
/// Sources: RFC 9110, “Retry-After”; Kinto HTTP API 1.x, “Backoff indicators”.
public struct Pacing<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let environment: Environment
    private let limits: Limits
    private let next = Locked<Date?>(nil)

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends the requests.
    ///   - environment: Where the time and waiting come from.
    ///   - limits: How long a service may ask to wait.
    public init(_ wrapped: Wrapped, environment: Environment, limits: Limits = Limits()) {
        self.wrapped = wrapped
        self.environment = environment
        self.limits = limits
    }

    /// Sends a request, not before the service wants it.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let now = environment.now()
        if let next = next.withLock({ $0 }), next > now {
            try await environment.sleep(.seconds(next.timeIntervalSince(now)))
        }
        let response = try await wrapped.send(request, body: body)
        let answered = environment.now()
        if let wait = RetryAfter.pause(in: response.head.headerFields, now: answered) {
            let until = answered.addingTimeInterval(min(wait, limits.retryTime) / .seconds(1))
            next.withLock { $0 = max($0 ?? until, until) }
        }
        return response
    }
}
