import Foundation
import HTTPTypes
import TidemarkModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its answer: waits for the head, then feeds the body to whoever reads it.
final class URLSessionExchange: Sendable {
    let task: URLSessionDataTask
    private let request: HTTPRequest
    private let timeout: Duration
    private let state = Locked(State())

    private typealias Chunks = AsyncThrowingStream<[UInt8], any Error>

    private struct State: Sendable {
        var waiting: CheckedContinuation<TransportResponse, any Error>?
        var body: Chunks.Continuation?
        var announced: Int?
        var received = 0
        var isChallenged = false
        var hasExpired = false

        /// Whether fewer bytes came than the head announced, which not every platform tells as an
        /// error.
        var isShort: Bool { announced.map { received < $0 } ?? false }
    }

    init(_ request: HTTPRequest, task: URLSessionDataTask, timeout: Duration) {
        self.request = request
        self.task = task
        self.timeout = timeout
    }

    /// Starts the request and waits for the head of the answer.
    func response() async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.waiting = continuation }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1)) {
                [weak self] in self?.expire()
            }
            task.resume()
        }
    }

    func cancel() {
        task.cancel()
    }

    private func expire() {
        state.withLock { $0.hasExpired = true }
        task.cancel()
    }

    func received(_ response: HTTPURLResponse?) {
        guard let response, state.withLock({ $0.waiting != nil }) else { return }
        let (chunks, body) = Chunks.makeStream()
        body.onTermination = { [weak task] termination in
            if case .cancelled = termination { task?.cancel() }
        }
        let answer = TransportResponse(
            to: request,
            head: HTTPResponse(response),
            body: ResponseBody(chunks: chunks)
        )
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            guard state.waiting != nil else { return state.waiting }
            state.body = body
            state.announced = request.method == .head ? nil : answer.announcedLength
            return state.waiting
        }
        waiting?.resume(returning: answer)
    }

    func received(_ data: Data) {
        let body = state.withLock { state in
            state.received += data.count
            return state.body
        }
        body?.yield([UInt8](data))
    }

    /// Notes that the service wants a password; a session without one ends some platforms' tasks.
    func challenged() {
        state.withLock { $0.isChallenged = true }
    }

    func finished(_ error: (any Error)?) {
        if state.withLock({ $0.isChallenged && !$0.hasExpired }),
            let response = task.response as? HTTPURLResponse
        {
            received(response)
            state.withLock { $0.body }?.finish()
            return
        }
        let last = state.withLock { state in
            defer { state.waiting = nil }
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
        if state.hasExpired {
            return RemoteError.timedOut(request, after: timeout, underlying: error)
        }
        guard let error = error as? URLError else {
            return state.body == nil
                ? RemoteError.unavailable(request, "no answer came", underlying: error)
                : RemoteError.truncated(request, underlying: error)
        }
        switch error.code {
        case .cancelled: return CancellationError()
        case .timedOut: return RemoteError.timedOut(request, after: timeout, underlying: error)
        case .badURL, .unsupportedURL: return RemoteError.invalid(request, underlying: error)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
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
