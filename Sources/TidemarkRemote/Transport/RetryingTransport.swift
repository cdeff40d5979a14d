import Foundation
package import HTTPTypes
import TidemarkModel

/// A transport that retries requests after temporary failures: 429, 5xx, timeouts, connection
/// failures, and truncated bodies.
///
/// The delay is random, between zero and a bound that doubles from 0.5 to 30 seconds, unless the
/// service specifies a delay. `Limits.http.attempts` and `Limits.http.retryTime` bound the
/// attempts; after the last one its response is returned, or its error is thrown. Only idempotent
/// methods are retried.
///
/// A body of up to `Limits.http.bodyInMemory` is read within the attempt, so that a truncated one
/// counts as a failure. Of a longer body, only the first bytes are.
package struct RetryingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let policy: WaitPolicy

    private static var firstWait: Duration { .milliseconds(500) }
    private static var longestWait: Duration { .seconds(30) }

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends each attempt.
    ///   - policy: The clock, the limits for attempts and their total time, and the observer of
    ///     delays.
    package init(_ wrapped: Wrapped, policy: WaitPolicy) {
        self.wrapped = wrapped
        self.policy = policy
    }

    /// Sends a request, and retries it as long as the limits allow.
    ///
    /// - Throws: The ``RemoteError`` of the last attempt, and other errors of the wrapped
    ///   transport.
    package func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let start = policy.environment.now()
        var attempt = 1
        while true {
            try Task.checkCancellation()
            let outcome = try await attemptOnce(request, body: body)
            guard let reason = outcome.reason,
                let wait = wait(after: attempt, failedBecause: reason, since: start),
                request.method.isIdempotent
            else { return try outcome.result.get() }
            try await policy.wait(wait, because: reason)
            attempt += 1
        }
    }

    private struct Outcome {
        var result: Result<TransportResponse, RemoteError>
        /// The reason to retry; nil if a retry is useless.
        var reason: RemoteError?
    }

    private func attemptOnce(_ request: HTTPRequest, body: [UInt8]?) async throws -> Outcome {
        do {
            let response = try await wrapped.send(request, body: body)
                .buffered(upTo: policy.limits.http.bodyInMemory)
            let status = response.head.status
            let isTransient =
                status.code >= 500 || RateLimit.isReached(status, response.head.headerFields)
            guard isTransient else { return Outcome(result: .success(response)) }
            return Outcome(
                result: .success(response),
                reason: .status(
                    response,
                    environment: policy.environment,
                    limits: policy.limits
                )
            )
        } catch let error as RemoteError {
            return Outcome(result: .failure(error), reason: error.isTransient ? error : nil)
        }
    }

    /// Returns the delay before the next attempt; nil if the limits allow none.
    private func wait(
        after attempt: Int,
        failedBecause reason: RemoteError,
        since start: Date
    ) -> Duration? {
        guard attempt < policy.limits.http.attempts else { return nil }
        let bound = min(Self.longestWait, Self.firstWait * (1 << min(attempt - 1, 16)))
        // Full jitter: clients that failed at the same time do not retry at the same time.
        let wait = reason.retryAfter ?? bound * policy.environment.random()
        let elapsed = policy.environment.duration(since: start)
        return elapsed + wait <= policy.limits.http.retryTime ? wait : nil
    }
}

extension HTTPRequest.Method {
    /// Whether sending the request twice has the effect of sending it once.
    fileprivate var isIdempotent: Bool {
        // RFC 9110, 9.2.2. A POST whose response was lost may have created an object.
        [.get, .head, .options, .put, .delete].contains(self)
    }
}
