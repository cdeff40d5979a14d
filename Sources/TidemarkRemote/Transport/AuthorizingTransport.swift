package import HTTPTypes

/// A transport that adds header fields which expire.
///
/// If the service rejects them with 401 (RFC 9110, 15.5.2), it renews them and repeats the request
/// once. Requests that are rejected at the same time share one renewal.
package struct AuthorizingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let store: CredentialStore?

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends the requests.
    ///   - credentials: Supplies the header fields. If nil, requests are passed on unchanged.
    package init(_ wrapped: Wrapped, with credentials: Credentials?) {
        self.wrapped = wrapped
        store = credentials.map(CredentialStore.init)
    }

    /// Sends a request with the header fields, and again with renewed ones if the service responds
    /// with 401.
    ///
    /// - Throws: Errors of the credentials and of the wrapped transport.
    package func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard let store else { return try await wrapped.send(request, body: body) }
        let first = try await store.fields(after: 0)
        let response = try await wrapped.send(request.adding(first.fields), body: body)
        guard response.head.status == .unauthorized else { return response }
        let second = try await store.fields(after: first.number)
        return try await wrapped.send(request.adding(second.fields), body: body)
    }
}

extension HTTPRequest {
    fileprivate func adding(_ fields: HTTPFields) -> HTTPRequest {
        var request = self
        for field in fields { request.headerFields[field.name] = field.value }
        return request
    }
}

/// The current header fields of the credentials.
private actor CredentialStore {
    /// Header fields, and the number of their renewal from 1.
    struct Generation: Sendable {
        let number: Int
        let fields: HTTPFields
    }

    private typealias Waiter = CheckedContinuation<Generation, any Error>

    private let credentials: Credentials
    private var current: Generation?
    private var renewal: Task<Void, Never>?
    /// The callers that wait for the renewal, by unique numbers.
    private var waiting: [Int: Waiter] = [:]
    private var lastWaiter = 0

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// Returns header fields newer than the rejected ones of the given number, and requests them if
    /// necessary.
    ///
    /// A cancelled caller stops waiting. A renewal that no caller waits for is cancelled.
    func fields(after rejected: Int) async throws -> Generation {
        if let current, current.number > rejected { return current }
        lastWaiter += 1
        let number = lastWaiter
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard !Task.isCancelled else {
                    return waiter.resume(throwing: CancellationError())
                }
                waiting[number] = waiter
                if renewal == nil { renew(after: rejected) }
            }
        } onCancel: {
            Task { await self.stopWaiting(number) }
        }
    }

    private func renew(after rejected: Int) {
        let credentials = credentials
        let rejectedFields = current?.fields
        // A task of its own: the first caller may be cancelled while others still wait.
        renewal = Task {
            let result: Result<Generation, any Error>
            do {
                let fields = try await credentials.fields(rejectedFields)
                result = .success(Generation(number: rejected + 1, fields: fields))
            } catch {
                result = .failure(error)
            }
            // A cancelled renewal has no callers, and a newer one may have started.
            if !Task.isCancelled { finish(with: result) }
        }
    }

    private func finish(with result: Result<Generation, any Error>) {
        renewal = nil
        if case .success(let generation) = result { current = generation }
        for waiter in waiting.values { waiter.resume(with: result) }
        waiting = [:]
    }

    private func stopWaiting(_ number: Int) {
        waiting.removeValue(forKey: number)?.resume(throwing: CancellationError())
        guard waiting.isEmpty else { return }
        renewal?.cancel()
        renewal = nil
    }
}
