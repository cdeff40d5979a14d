import Foundation
import HTTPTypesFoundation
import TidemarkModel
import TidemarkRemote

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its response: waits for the head, then passes on the body as it is received.
final class URLSessionExchange: Sendable {
    let task: URLSessionDataTask
    private let request: HTTPRequest
    private let limits: Limits
    private let state: Locked<State>

    private typealias Chunks = AsyncThrowingStream<[UInt8], any Error>

    private enum Phase: Sendable {
        /// `response()` was not called yet.
        case created
        case waitingForHead(CheckedContinuation<TransportResponse, any Error>)
        /// The head was received, and announced that many more bytes; nil if it announced none.
        case receiving(Chunks.Continuation, missing: Int?)
        case ended
    }

    private struct State: Sendable {
        var phase = Phase.created
        var isChallenged = false
        var timeout: IdleTimeout
        /// The timeout that cancelled the task; nil if none did.
        var expired: RemoteError.Timeout?
    }

    init(_ request: HTTPRequest, task: URLSessionDataTask, limits: Limits) {
        self.request = request
        self.task = task
        self.limits = limits
        state = Locked(State(timeout: IdleTimeout(limits, at: Self.now)))
    }

    /// Starts the request and waits for the head of the response.
    func response() async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            let hasEnded = state.withLock { state in
                if case .ended = state.phase { return true }
                state.phase = .waitingForHead(continuation)
                return false
            }
            // A task that was not started yet can only have ended by cancellation.
            guard !hasEnded else { return continuation.resume(throwing: CancellationError()) }
            watch()
            task.resume()
        }
    }

    func cancel() {
        task.cancel()
    }

    /// Cancels the task if a timeout has expired, or schedules the next check.
    private func watch() {
        let left: Double? = state.withLock { state in
            switch state.timeout.state(at: Self.now) {
            case .running(let seconds): return seconds
            case .expired(let timeout):
                state.expired = timeout
                return nil
            }
        }
        guard let left else { return task.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + left) { [weak self] in
            self?.watch()
        }
    }

    /// The seconds of a monotonic clock.
    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    func received(_ response: HTTPURLResponse?) {
        guard let head = response?.httpResponse else { return }
        let received = state.withLock { state -> (@Sendable () -> Void)? in
            state.timeout.restart(at: Self.now)
            guard case .waitingForHead(let waiter) = state.phase else { return nil }
            let (chunks, body) = Chunks.makeStream()
            body.onTermination = { [weak task] termination in
                // The reader has discarded the body: the rest need not be transferred.
                if case .cancelled = termination { task?.cancel() }
            }
            let response = TransportResponse(
                to: request,
                head: head,
                body: ResponseBody(chunks: chunks)
            )
            // RFC 9110, 9.3.2: a response to HEAD has the length of a body that it does not have.
            let length = request.method == .head ? nil : response.announcedLength
            state.phase = .receiving(body, missing: length)
            return { waiter.resume(returning: response) }
        }
        received?()
    }

    func received(_ data: Data) {
        let body: Chunks.Continuation? = state.withLock { state in
            state.timeout.restart(at: Self.now)
            guard case .receiving(let body, let missing) = state.phase else { return nil }
            state.phase = .receiving(body, missing: missing.map { $0 - data.count })
            return body
        }
        body?.yield([UInt8](data))
    }

    /// Records that the service requires a password.
    ///
    /// Some platforms end the task of a session without credentials with an error, instead of the
    /// 401 response.
    func challenged() {
        state.withLock { $0.isChallenged = true }
    }

    func finished(_ error: (any Error)?) {
        var response: HTTPURLResponse?
        if state.withLock({ $0.isChallenged && $0.expired == nil }) {
            response = task.response as? HTTPURLResponse
            received(response)
        }
        let (phase, expired) = state.withLock { state in
            defer { state.phase = .ended }
            return (state.phase, state.expired)
        }
        switch phase {
        case .created, .ended:
            break
        case .waitingForHead(let waiter):
            waiter.resume(throwing: failure(error, expired: expired, isInBody: false))
        case .receiving(let body, let missing):
            // Not every platform reports a short body as an error. The body of a 401 response that
            // was received in place of an error is not needed.
            let isComplete = error == nil && missing ?? 0 <= 0 || response != nil
            body.finish(
                throwing: isComplete ? nil : failure(error, expired: expired, isInBody: true)
            )
        }
    }
}

extension URLSessionExchange {
    private func failure(
        _ error: (any Error)?,
        expired: RemoteError.Timeout?,
        isInBody: Bool
    ) -> any Error {
        if let expired { return timedOut(waitingFor: expired, error) }
        func broken(_ reason: String) -> RemoteError {
            isInBody
                ? .truncated(request, underlying: error)
                : .connectionFailed(request, because: reason, underlying: error)
        }
        guard let error = error as? URLError else { return broken("no response was received") }
        switch error.code {
        case .cancelled: return CancellationError()
        case .timedOut: return timedOut(waitingFor: .response, error)
        case .cannotDecodeContentData, .cannotDecodeRawData:
            return RemoteError.damaged(request, underlying: error)
        case .badURL, .unsupportedURL: return RemoteError.invalid(request, underlying: error)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            return RemoteError.tlsFailed(request, underlying: error)
        case .unknown where error.isOfCertificate:
            return RemoteError.tlsFailed(request, underlying: error)
        case .cannotFindHost, .dnsLookupFailed:
            return unreachable(because: "the host is not known", error)
        case .cannotConnectToHost:
            return unreachable(because: "no connection could be made", error)
        case .notConnectedToInternet:
            return unreachable(because: "there is no network", error)
        default:
            return broken("the connection broke")
        }
    }

    private func timedOut(
        waitingFor timeout: RemoteError.Timeout,
        _ underlying: (any Error)?
    ) -> RemoteError {
        .timedOut(request, waitingFor: timeout, limits: limits, underlying: underlying)
    }

    private func unreachable(because reason: String, _ underlying: (any Error)?) -> RemoteError {
        .unreachable(request, because: reason, underlying: underlying)
    }
}

extension URLError {
    /// Whether a certificate was rejected.
    ///
    /// Not every platform has an error code for this, so the description is checked.
    fileprivate var isOfCertificate: Bool {
        (userInfo[NSLocalizedDescriptionKey] as? String)?.contains("certificate") == true
    }
}
