import Foundation
import HTTPTypes
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

    private struct State: Sendable {
        var waiting: CheckedContinuation<TransportResponse, any Error>?
        var body: Chunks.Continuation?
        var announced: Int?
        var received = 0
        var isChallenged = false
        /// Whether the task ended before `response()` was called.
        var isOver = false
        var patience: IdleTimeout
        /// The timeout that cancelled the task; nil if none did.
        var expiry: IdleTimeout.Verdict?

        /// Whether fewer bytes were received than the head announced.
        ///
        /// Not every platform reports that as an error.
        var isShort: Bool { announced.map { received < $0 } ?? false }
    }

    init(_ request: HTTPRequest, task: URLSessionDataTask, limits: Limits) {
        self.request = request
        self.task = task
        self.limits = limits
        state = Locked(State(patience: IdleTimeout(limits, at: Self.now)))
    }

    /// Starts the request and waits for the head of the response.
    func response() async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            // A task that was not started yet can only have ended by cancellation.
            guard !isOver else { return continuation.resume(throwing: CancellationError()) }
            watch()
            task.resume()
        }
    }

    func cancel() {
        task.cancel()
    }

    /// Cancels the task if a timeout has expired, or schedules the next check.
    private func watch() {
        let verdict = state.withLock { state in
            let verdict = state.patience.verdict(at: Self.now)
            if case .wait = verdict { return verdict }
            state.expiry = verdict
            return verdict
        }
        guard case .wait(let seconds) = verdict else { return task.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.watch()
        }
    }

    /// The seconds of a monotonic clock.
    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    func received(_ response: HTTPURLResponse?) {
        guard let response, state.withLock({ $0.waiting != nil }) else { return }
        let (chunks, body) = Chunks.makeStream()
        body.onTermination = { [weak task] termination in
            // The reader has discarded the body: the rest need not be transferred.
            if case .cancelled = termination { task?.cancel() }
        }
        let answer = TransportResponse(
            to: request,
            head: HTTPResponse(response),
            body: ResponseBody(chunks: chunks)
        )
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.patience.hear(at: Self.now)
            guard state.waiting != nil else { return state.waiting }
            state.body = body
            // A response to HEAD has the length of a body that it does not have.
            state.announced = request.method == .head ? nil : answer.announcedLength
            return state.waiting
        }
        waiting?.resume(returning: answer)
    }

    func received(_ data: Data) {
        let body = state.withLock { state in
            state.received += data.count
            state.patience.hear(at: Self.now)
            return state.body
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
        if state.withLock({ $0.isChallenged && $0.expiry == nil }),
            let response = task.response as? HTTPURLResponse
        {
            received(response)
            state.withLock { $0.body }?.finish()
            return
        }
        let last = state.withLock { state in
            defer { state.waiting = nil }
            state.isOver = state.waiting == nil && state.body == nil
            return state
        }
        if let waiting = last.waiting {
            waiting.resume(throwing: failure(error, last))
        } else if error != nil || last.isShort {
            last.body?.finish(throwing: failure(error, last))
        } else {
            last.body?.finish()
        }
    }
}

extension URLSessionExchange {
    private func failure(_ error: (any Error)?, _ state: State) -> any Error {
        switch state.expiry {
        case .silent?:
            return RemoteError.silent(request, for: limits.idleTimeout, underlying: error)
        case .late?:
            return RemoteError.late(request, after: limits.answerTime, underlying: error)
        case .wait?, nil:
            break
        }
        guard let error = error as? URLError else {
            return state.body == nil
                ? RemoteError.unavailable(request, "no answer came", underlying: error)
                : RemoteError.truncated(request, underlying: error)
        }
        switch error.code {
        case .cancelled: return CancellationError()
        case .timedOut:
            return RemoteError.late(request, after: limits.answerTime, underlying: error)
        case .cannotDecodeContentData, .cannotDecodeRawData:
            return RemoteError.damaged(request, underlying: error)
        case .badURL, .unsupportedURL: return RemoteError.invalid(request, underlying: error)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            return RemoteError.notTrusted(request, underlying: error)
        case .unknown where error.isOfCertificate:
            return RemoteError.notTrusted(request, underlying: error)
        case .cannotFindHost, .dnsLookupFailed:
            return RemoteError.unavailable(request, "the host is not known", underlying: error)
        case .cannotConnectToHost:
            return RemoteError.unavailable(
                request,
                "no connection could be made",
                underlying: error
            )
        case .notConnectedToInternet:
            return RemoteError.unavailable(request, "there is no network", underlying: error)
        default:
            return state.body == nil
                ? RemoteError.unavailable(request, "the connection broke", underlying: error)
                : RemoteError.truncated(request, underlying: error)
        }
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

extension HTTPResponse {
    fileprivate init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }),
                let value = value as? String
            else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }
}
