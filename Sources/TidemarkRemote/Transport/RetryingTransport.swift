import Foundation
public import HTTPTypes
public import TidemarkModel

/// Tries a request again when the failure may pass: 429, 5xx, timeouts, broken connections, cut
/// bodies.
///
/// Waits grow exponentially, each by chance between nothing and its bound, unless the service says
/// how long to wait. Attempts and the time in all are limited; what was answered last is what comes
/// back. Only methods that may be repeated are. A body that fits into `Limits.bodyInMemory` is
/// read within the attempt, so that a cut one counts as a failure; of a longer one, the beginning.
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
    ///   - environment: Where waiting, chance and the time come from.
    ///   - limits: How often and how long to try.
    ///   - onRetry: Told before each wait: how long, and why.
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

    /// Sends a request as often as it takes and the limits allow.
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
        /// Why to try again, if there is a reason.
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

    /// How long to wait after an attempt; nil where the limits say that it was the last.
    private func wait(after attempt: Int, _ reason: RemoteError, since start: Date) -> Duration? {
        guard attempt < limits.attempts else { return nil }
        let bound = min(Self.longestWait, Self.firstWait * (1 << min(attempt - 1, 16)))
        let wait = reason.retryAfter ?? bound * environment.random()
        return environment.duration(since: start) + wait <= limits.retryTime ? wait : nil
    }
}

extension HTTPRequest.Method {
    /// Whether sending the request twice does no more than sending it once.
    fileprivate var mayBeRepeated: Bool {
        [.get, .head, .options, .put, .delete].contains(self)
    }
}
