import Foundation
public import HTTPTypes
public import TidemarkModel

/// A transport that retries requests after temporary failures: 429, 5xx, timeouts, connection
/// failures, and truncated bodies.
///
/// The delay is random, between zero and a bound that doubles from 0.5 to 30 seconds, unless the
/// service specifies a delay. `Limits.attempts` and `Limits.retryTime` bound the attempts; after
/// the last one its response is returned, or its error is thrown. Only idempotent methods are
/// retried.
///
/// A body of up to `Limits.bodyInMemory` is read within the attempt, so that a truncated one counts
/// as a failure. Of a longer body, only the first bytes are.
public struct RetryingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let environment: SystemEnvironment
    private let limits: Limits
    private let onRetry: @Sendable (Duration, RemoteError) -> Void

    private static var firstWait: Duration { .milliseconds(500) }
    private static var longestWait: Duration { .seconds(30) }

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends each attempt.
    ///   - environment: The source of time, random numbers and waiting.
    ///   - limits: The limits for attempts, their total time, and bytes in memory.
    ///   - onRetry: Called before each wait with its length and the reason.
    public init(
        _ wrapped: Wrapped,
        environment: SystemEnvironment,
        limits: Limits = Limits(),
        onRetry: @escaping @Sendable (_ after: Duration, _ reason: RemoteError) -> Void = { _, _ in
        }
    ) {
        self.wrapped = wrapped
        self.environment = environment
        self.limits = limits
        self.onRetry = onRetry
    }

    /// Sends a request, and retries it as long as the limits allow.
    ///
    /// - Throws: The ``RemoteError`` of the last attempt, and other errors of the wrapped
    ///   transport.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let start = environment.now()
        var attempt = 1
        while true {
            try Task.checkCancellation()
            let outcome = try await attemptOnce(request, body: body)
            guard let reason = outcome.reason,
                let wait = wait(after: attempt, reason, since: start),
                request.method.mayBeRepeated
            else { return try outcome.result.get() }
            onRetry(wait, reason)
            try await environment.sleep(wait)
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
                .buffered(upTo: limits.bodyInMemory)
            let status = response.head.status.code
            let isPassing = status == 429 || status >= 500
            return Outcome(
                result: .success(response),
                reason: isPassing ? .status(response, environment: environment) : nil
            )
        } catch let error as RemoteError {
            return Outcome(result: .failure(error), reason: error.isTransient ? error : nil)
        }
    }

    /// Returns the delay before the next attempt; nil if the limits allow none.
    private func wait(after attempt: Int, _ reason: RemoteError, since start: Date) -> Duration? {
        guard attempt < limits.attempts else { return nil }
        let bound = min(Self.longestWait, Self.firstWait * (1 << min(attempt - 1, 16)))
        // Full jitter: clients that failed at the same time do not retry at the same time.
        let wait = reason.retryAfter ?? bound * environment.random()
        return environment.duration(since: start) + wait <= limits.retryTime ? wait : nil
    }
}

extension HTTPRequest.Method {
    /// Whether the method is idempotent: sending the request twice has the effect of sending it
    /// once (RFC 9110, 9.2.2).
    fileprivate var mayBeRepeated: Bool {
        [.get, .head, .options, .put, .delete].contains(self)
    }
}
